"""Titles without the names of sites, and names of sites out of titles."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Set
from typing import Final
from urllib.parse import urlsplit

from dehusk.metadata.value_texts import comparable, folded, shown_text
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES

_BETWEEN_PARTS = re.compile(r"(\s[|\-–—»«·•/>‹›~]{1,2}\s|\s?[|»_]\s?)")
_BEFORE_SITE_NAME = re.compile(rf"{_BETWEEN_PARTS.pattern[:-1]}|\s?：\s?|:\s)")
"""Colons are part of titles, unless the name of the site is beside them."""
_MOST_HEADINGS: Final = 20
_LEAST_OF_HOST: Final = 3
_MOST_BESIDE_HOST: Final = 10
"""Letters of a site's name that its host need not have: `The`, `News`, `Magazine`."""
_KINDS_OF_SITES: Final = frozenset("com org net gov edu".split())
"""What precedes the country in `com.au`; two letters, as in `co.uk`, are none anyway."""
_MOST_PIECES: Final = 41
"""Parts and separators of a title; what has more is a list."""


def document_title(page: Page) -> str:
    """The title element."""
    rows = (page.tag == TAG_CODES["title"]).nonzero()[0][:5].tolist()
    # Drawings have titles as well: theirs are hidden.
    texts = (page.text[page.text_start[row] : page.text_end[row]][:2000] for row in rows if not page.hidden[row])
    # Entities that are still there were written as text by mistake.
    return next(filter(None, map(folded, map(html.unescape, texts))), "")


def first_headings(page: Page) -> list[str]:
    """The texts of the first headings of the first level that show."""
    rows = (page.tag == TAG_CODES["h1"]).nonzero()[0][:_MOST_HEADINGS].tolist()
    return [text for text in (shown_text(page, row) for row in rows) if 1 < len(text) <= 300]


def best_heading(headings: list[str], title: str) -> str:
    """The heading that the title element repeats, or the only one there is; without a title, the first."""
    whole = comparable(title)
    repeated = [heading for heading in headings if comparable(heading) and comparable(heading) in whole]
    if repeated:
        return max(repeated, key=len)
    return headings[0] if headings and (len(headings) == 1 or not title) else ""


def without_site_name(title: str, site_names: Set[str], headings: list[str]) -> str:
    """The title without a name of the site (comparable) before or after it."""
    for rest, part in _cuts(title, _BEFORE_SITE_NAME):
        if comparable(part) and comparable(part) in site_names:
            return rest
    known = {comparable(heading) for heading in headings}
    cut = (rest for rest, _ in _cuts(title, _BETWEEN_PARTS) if comparable(rest))
    return next((rest for rest in cut if comparable(rest) in known), title)


def site_name_in_title(title: str, address: str) -> str:
    """The part at either end of a title that the page's address spells as well: `Tea - The Daily` on thedaily.com."""
    host, name = _host(address), registered_name(address)
    for _, part in _cuts(title, _BEFORE_SITE_NAME):
        spelled = comparable(part)
        # `Daily` on thedaily.com, or `BBC News` on bbc.co.uk.
        has_host = len(name) >= _LEAST_OF_HOST and name in spelled and len(spelled) <= len(name) + _MOST_BESIDE_HOST
        if len(spelled) >= _LEAST_OF_HOST and (spelled in host or has_host):
            return part
    return ""


def registered_name(address: str) -> str:
    """What somebody registered of a host's name, comparable: `bbc` of news.bbc.co.uk."""
    labels = [label for label in _host(address).split(".")[:-1] if len(label) > 2 and label not in _KINDS_OF_SITES]
    return labels[-1] if labels else ""


def _host(address: str) -> str:
    try:
        host = urlsplit(address).netloc.lower()
    except ValueError:
        return ""
    return host.partition(":")[0].replace("-", "").removeprefix("www.")


def _cuts(title: str, separator: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """(the rest, the part cut off) for every separator: parts after it first, shortest first, then parts before."""
    pieces = separator.split(title)
    if len(pieces) > _MOST_PIECES:
        return
    for end in range(len(pieces) - 1, 0, -2):
        yield "".join(pieces[: end - 1]).strip(), "".join(pieces[end:]).strip()
    for start in range(2, len(pieces), 2):
        yield "".join(pieces[start:]).strip(), "".join(pieces[: start - 1]).strip()
