"""What the page shows: bylines, dates, trails and licences. Asked only where nothing is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.metadata.dates import iso_date
from dehusk.metadata.people import LONGEST_NAME, names_in
from dehusk.metadata.texts import shown_text
from dehusk.page.columns import Page, RowMask
from dehusk.page.tags import TAG_CODES

_MOST_ELEMENTS: Final = 50
"""Elements of one kind that are looked at: a byline stands near the top."""
_LONGEST_BYLINE: Final = 150
_LONGEST_LABEL: Final = 60

_NAMED_BYLINE = re.compile(r"(?:^|[\s_-])(?:by-?line|authors?|writer|posted-?by)(?:[\s_-]?(?:names?|links?|fn|txt|text|title))?(?:$|[\s_-])", re.I)
_NAMED_COMMENT = re.compile(r"comment|respon[sd]|disqus|repl(?:y|ies)|related|recommend|sidebar|teaser|widget|popular", re.I)
_NAMED_TRAIL = re.compile(r"bread-?_?crumb", re.I)
_NAMED_FOOTER = re.compile(r"foot|copyright|licen[cs]e|legal|imprint", re.I)
_WRITTEN_BYLINE = re.compile(r"(?:by|von|par|por)\s+\w", re.I)
_NAME_IN_BYLINE = re.compile(r"(?:by|von|par|por)\s+(?P<names>[^\d|•·(@\n]{3,100})", re.I)
_AFTER_NAMES = re.compile(r"\s(?:[-–—|•·]|on|in|at|am|le|el|vom|for|published|updated|posted)\s.*$|[\d(|•·].*$", re.I)
_CREATIVE_COMMONS = re.compile(r"//(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/", re.I)
_HOMES: Final = frozenset("home homepage start startseite accueil inicio início главная 首页 ホーム".split())
_UPPER_LETTERS: Final = 1


def shown_authors(page: Page) -> Iterator[str]:
    """Names of links to authors, then those in elements called bylines, then those after a written `By`."""
    apart = _inside(page, _NAMED_COMMENT)
    for texts in (_author_links(page, apart), _named_bylines(page, apart), _written_bylines(page, apart)):
        names = [name for text in texts for name in names_in(_AFTER_NAMES.sub("", text)) if _looks_like_a_name(name)]
        if names:
            yield from names
            return


def shown_date(page: Page) -> Iterator[str]:
    """Dates of time elements: those said to be of the publication, then the first of the article."""
    rows = np.flatnonzero((page.tag == TAG_CODES["time"]) & ~page.hidden)[:_MOST_ELEMENTS].tolist()
    apart = _inside(page, _NAMED_COMMENT)
    for row in rows:
        if not apart[row]:
            yield iso_date(page.attributes(row).get("datetime", "")) or iso_date(shown_text(page, row))


def shown_tags(page: Page) -> Iterator[str]:
    """Texts of links to tags."""
    for row, relation in page.with_attribute("rel"):
        if "tag" in relation.lower().split() and page.tag[row] == TAG_CODES["a"]:
            yield _label(page, row)


def shown_trail(page: Page) -> Iterator[str]:
    """Texts of the links from home to the page."""
    trails = _rows_named(page, _NAMED_TRAIL)
    if trails:
        links = np.flatnonzero(page.tag[trails[0] : page.subtree_end[trails[0]]] == TAG_CODES["a"])[:_MOST_ELEMENTS]
        yield from (label for row in links if (label := _label(page, trails[0] + int(row))).casefold() not in _HOMES)


def shown_licence(page: Page) -> Iterator[str]:
    """Where a footer links to a Creative Commons licence. In the text, such links are about pictures."""
    links = [(row, address) for row, address in page.with_attribute("href") if _CREATIVE_COMMONS.search(address)]
    if links:
        footers = _inside(page, _NAMED_FOOTER) | (page.covered(page.tag == TAG_CODES["footer"]) > 0)
        yield from (address for row, address in links if footers[row])


def _author_links(page: Page, apart: RowMask) -> list[str]:
    rows = [row for row, relation in page.with_attribute("rel") if "author" in relation.lower().split()]
    shown = (shown_text(page, row) for row in rows[:_MOST_ELEMENTS] if _stands_out(page, row, apart))
    return list(dict.fromkeys(text for text in shown if 0 < len(text) <= LONGEST_NAME))[:5]


def _named_bylines(page: Page, apart: RowMask) -> list[str]:
    """The first element called a byline that has names in it."""
    for row in _rows_named(page, _NAMED_BYLINE):
        if _stands_out(page, row, apart):
            text = shown_text(page, row, between=" ")
            written = _NAME_IN_BYLINE.search(text)
            text = written["names"] if written else text
            if 0 < len(text) <= _LONGEST_BYLINE and any(map(_looks_like_a_name, names_in(_AFTER_NAMES.sub("", text)))):
                return [text]
    return []


def _written_bylines(page: Page, apart: RowMask) -> list[str]:
    short = page.is_text & ~page.hidden & ~apart & (page.text_length > 5) & (page.text_length <= _LONGEST_BYLINE)
    rows = np.flatnonzero(short)[:400]
    found = (_NAME_IN_BYLINE.match(" ".join(text.split())) for text in page.texts(rows))
    return [match["names"] for match in found if match and len(match["names"].split()) <= 12][:1]


def _looks_like_a_name(text: str) -> bool:
    """Two words or more, each with a capital; or letters that have none."""
    words = [word for word in text.split() if word[0].isalpha()]
    cased = [word for word in words if word[0].lower() != word[0].upper()]
    if not cased:
        return 2 <= len(text) <= 20
    capital = sum(word[0].isupper() for word in cased)
    return len(words) == len(text.split()) and 2 <= len(words) <= 5 and capital >= max(2, len(cased) - 2)


def _stands_out(page: Page, row: int, apart: RowMask) -> bool:
    return not (page.hidden[row] or apart[row] or page.tag[row] == TAG_CODES["link"])


def _label(page: Page, row: int) -> str:
    text = shown_text(page, row)
    return text if len(text) <= _LONGEST_LABEL else ""


def _rows_named(page: Page, pattern: re.Pattern[str]) -> list[int]:
    """Rows whose class names or identifier match, in document order, below BODY."""
    named = [row for name in ("class", "id") for row, value in page.with_attribute(name) if pattern.search(value[:200])]
    outer = TAG_CODES["html"], TAG_CODES["body"]
    return list(islice((row for row in sorted(set(named)) if page.tag[row] not in outer), _MOST_ELEMENTS))


def _inside(page: Page, pattern: re.Pattern[str]) -> RowMask:
    mask: NDArray[np.bool_] = np.zeros(len(page), dtype=bool)
    named = [row for name in ("class", "id") for row, value in page.with_attribute(name) if pattern.search(value[:200])]
    mask[named] = True
    mask[(page.tag == TAG_CODES["body"]) | (page.tag == TAG_CODES["html"]) | (page.tag == TAG_CODES["main"])] = False
    return np.asarray(page.covered(mask) > 0)
