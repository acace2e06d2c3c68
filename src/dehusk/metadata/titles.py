"""Titles without the names of sites, and names of sites out of titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from dehusk.metadata.texts import comparable, folded, shown_text
from dehusk.page.columns import Page
from dehusk.page.tags import TAG_CODES

_SEPARATOR = re.compile(r"(\s[|\-–—»«·•/>‹›~]{1,2}\s|\s?[|»_：]\s?|:\s)")
_MOST_HEADINGS: Final = 20
_LONGEST_SITE_NAME: Final = 60
_LEAST_OF_HOST: Final = 3


def document_title(page: Page) -> str:
    """The title element."""
    rows = (page.tag == TAG_CODES["title"]).nonzero()[0][:5].tolist()
    # Drawings have titles as well: theirs are hidden.
    texts = (
        folded(page.text[page.text_start[row] : page.text_end[row]][:2000]) for row in rows if not page.hidden[row]
    )
    return next(filter(None, texts), "")


def first_headings(page: Page) -> list[str]:
    """The texts of the first headings of the first level that show."""
    rows = (page.tag == TAG_CODES["h1"]).nonzero()[0][:_MOST_HEADINGS].tolist()
    return [text for text in (shown_text(page, row) for row in rows) if 1 < len(text) <= 300]


def best_heading(headings: list[str], title: str) -> str:
    """The heading that the title element repeats, or the only one there is."""
    whole = comparable(title)
    repeated = [heading for heading in headings if comparable(heading) and comparable(heading) in whole]
    return max(repeated, key=len) if repeated else headings[0] if len(headings) == 1 else ""


def without_site_name(title: str, site_name: str, headings: list[str]) -> str:
    """The title without the name of the site before or after it."""
    for rest, part in _cuts(title):
        if comparable(part) and comparable(part) == comparable(site_name):
            return rest
    known = {comparable(heading) for heading in headings}
    return next(
        (rest for rest, part in _cuts(title) if comparable(rest) and comparable(rest) in known and ":" not in part),
        title,
    )


def site_name_in_title(title: str, address: str) -> str:
    """The part at either end of a title that the page's address spells as well: `Tea - The Daily` on thedaily.com."""
    host = _host_name(address)
    for _, part in _cuts(title):
        spelled = comparable(part)
        if (
            len(part) <= _LONGEST_SITE_NAME
            and len(spelled) >= _LEAST_OF_HOST
            and (spelled in host or _starts(spelled, host))
        ):
            return part
    return ""


def _starts(spelled: str, host: str) -> bool:
    """`BBC News` on bbc.co.uk, `The Independent` on independent.co.uk."""
    first = host.rpartition(".")[2]
    return len(first) >= _LEAST_OF_HOST and first in spelled


def _host_name(address: str) -> str:
    """The host without dots and hyphens, then a dot and its registered name alone."""
    try:
        labels = urlsplit(address).netloc.lower().partition(":")[0].replace("-", "").split(".")
    except ValueError:
        return ""
    names = [label for label in labels[:-1] if label != "www" and len(label) > 2] or labels[:1]
    return f"{''.join(labels).removeprefix('www')}.{names[-1]}"


def _cuts(title: str) -> Iterator[tuple[str, str]]:
    """(the rest, the part cut off) for every separator: parts after it first, shortest first, then parts before."""
    pieces = _SEPARATOR.split(title)[:41]
    for end in range(len(pieces) - 1, 0, -2):
        yield "".join(pieces[: end - 1]).strip(), "".join(pieces[end:]).strip()
    for start in range(2, len(pieces), 2):
        yield "".join(pieces[start:]).strip(), "".join(pieces[: start - 1]).strip()
