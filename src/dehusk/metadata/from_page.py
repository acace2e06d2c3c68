"""Metadata shown on the page, used where none is declared: authors, dates, tags, breadcrumbs, licences.

Elements are found by class name and id. Authors are in links to authors, elements named as bylines, and text starting
with `By`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Final
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from dehusk.metadata.dates import iso_date
from dehusk.metadata.people import LONGEST_NAME, names_in
from dehusk.metadata.schema_org import HOMES
from dehusk.metadata.value_texts import MOST_ROWS, comparable, shown_text
from dehusk.page.page_columns import Page, RowMask
from dehusk.page.tags import TAG_CODES

_LONGEST_NAMES: Final = 200
"""Characters of a class attribute that are searched."""
_OUTER: Final = tuple(TAG_CODES[tag] for tag in ("html", "body", "main"))
"""Elements whose class names describe the whole page."""
_APART = re.compile(
    r"comment|disqus|\brepl(?:y|ies)|related|recommend|side-?bar|teaser|widget|popular|promo|trending|"
    r"read-?(?:more|next)|more-|newsletter",
    re.IGNORECASE,
)


def _rows_named(page: Page, pattern: re.Pattern[str]) -> list[int]:
    """Elements whose class names or id match, in document order."""
    named = [one for attribute in ("class", "id") for one in page.with_attribute(attribute)]
    # Search each distinct name once: a page has few.
    matching = {names for names in {names for _, names in named} if pattern.search(names[:_LONGEST_NAMES])}
    return sorted({row for row, names in named if names in matching and page.tag[row] not in _OUTER})


def _inside(page: Page, rows: list[int]) -> RowMask:
    """bool: rows inside one of these, or one of them."""
    mask: NDArray[np.bool_] = np.zeros(len(page), dtype=bool)
    mask[rows] = True
    return np.asarray(page.covered(mask) > 0)


def _aside(page: Page) -> RowMask:
    """bool: rows in parts that are not about the page (comments, teasers, sidebars), and hidden rows.

    A part that contains the main heading does not count, whatever its name.
    """
    heading = _heading_row(page)
    named = [row for row in _rows_named(page, _APART) if not row <= heading < page.subtree_end[row]]
    return _inside(page, named) | page.hidden


def _heading_row(page: Page) -> int:
    """Row of the first visible `<h1>`; -1 if there is none."""
    rows = np.flatnonzero((page.tag == TAG_CODES["h1"]) & ~page.hidden)
    return int(rows[0]) if len(rows) else -1


_MOST_ELEMENTS: Final = 50
"""Elements of one kind that are read: the relevant ones are near the top."""
_MOST_NAMES: Final = 10
_LONGEST_BYLINE: Final = 150
_BEFORE_HEADING: Final = 60
"""Rows above the heading where a byline or date may be; anything farther up is about the site."""
_TOGETHER: Final = 12
"""Rows between two authors of one article, including links and commas."""
_MOST_TEXTS: Final = 400

_NAMED_BYLINE = re.compile(r"by-?line|author|autor|writer|posted-?by|redakteur", re.IGNORECASE)
_LEADING_TO_AUTHOR = re.compile(
    r"/(?:authors?|autor(?:en|es|i|e)?|auteurs?|redakteure?|contributors?|editors?|by|people|profiles?|staff|team|"
    r"newsteam|meet-the-team|columnists?|journalists?|writers?|users?|community|traveler-profiles)/(?P<slug>[^?#]+)",
    re.IGNORECASE,
)
_WRITTEN = re.compile(r"\s*(?:by|von|par|por|di)[:\s]\s*(?P<names>[^\d|•·(@]{3,100})", re.IGNORECASE)
_AFTER_NAMES = re.compile(
    r"\s(?:[-–—|•·]|on|in|at|am|le|el|vom|for|published|updated|posted)\s.*$|[\d(|•·].*$", re.IGNORECASE
)
_END_OF_DATE = re.compile(
    r"[\s,]+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|published|updated|posted|on|jan|feb|mar|apr|may|jun|jul|aug|"
    r"sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december)[\s,.]*$",
    re.IGNORECASE,
)
_NO_NAMES: Final = frozenset(
    "about all by contact follow from in meet more my new our read see share team the this view why your".split()
)
"""Capitalised words that do not start a name."""


def shown_authors(page: Page) -> list[str]:
    """The names in the most reliable kind of byline on the page."""
    bylines = _Bylines(page)
    kinds = (bylines.linked_as_author, bylines.linked_to_author, bylines.in_named_elements, bylines.written)
    return next((names for names in (list(dict.fromkeys(kind())) for kind in kinds) if names), [])[:_MOST_NAMES]


class _Bylines:
    """Kinds of bylines on a page. Rows from the heading down come first."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def linked_as_author(self) -> Iterator[str]:
        """Texts of links with `rel=author`."""
        related = (row for row, relation in self._page.with_attribute("rel") if "author" in relation.lower().split())
        return self._first_together((row, _names(self._text(row))) for row in self._near_first(related))

    def linked_to_author(self) -> Iterator[str]:
        """Texts of links to author pages, if their URLs contain the names."""
        leading = {
            row: match["slug"]
            for row, address in self._page.with_attribute("href")
            if (match := _LEADING_TO_AUTHOR.search(address[:500]))
        }
        return self._first_together(
            (row, [name for name in _names(self._text(row)) if _spells(leading[row], name)])
            for row in self._near_first(leading)
        )

    def in_named_elements(self) -> Iterator[str]:
        """The names in the first element named as a byline: in its links, otherwise in its text."""
        for row in self._near_first(_rows_named(self._page, _NAMED_BYLINE)):
            found = list(self._first_together((link, _names(self._text(link))) for link in self._links_in(row)))
            if found or (found := _names(self._text(row))):
                yield from found
                return

    def written(self) -> Iterator[str]:
        """A short text that starts with `By` and a name."""
        page = self._page
        short = page.is_text & ~self._aside & (page.text_length > 5) & (page.text_length <= _LONGEST_BYLINE)
        start = max(_heading_row(page) - _BEFORE_HEADING, 0)
        rows = np.flatnonzero(short[start:])[:_MOST_TEXTS] + start
        found = (_names(text) for text in page.texts(rows) if _WRITTEN.match(text))
        return iter(next((names for names in found if names), []))

    @cached_property
    def _aside(self) -> RowMask:
        return _aside(self._page)

    def _near_first(self, rows: Iterable[int]) -> list[int]:
        """The rows outside of asides: first those from a little above the heading down, then those far above."""
        start = _heading_row(self._page) - _BEFORE_HEADING
        shown = [row for row in rows if not self._aside[row]]
        return sorted(shown, key=lambda row: (row < start, row))[:_MOST_ELEMENTS]

    def _first_together(self, named: Iterable[tuple[int, list[str]]]) -> Iterator[str]:
        """The names of the first row that has any, and of rows close after it."""
        last = -1
        for row, names in named:
            if names and (last < 0 or 0 < row - last <= _TOGETHER):
                last = row
                yield from names

    def _links_in(self, row: int) -> list[int]:
        inside = slice(row, min(int(self._page.subtree_end[row]), row + MOST_ROWS))
        links = np.flatnonzero((self._page.tag[inside] == TAG_CODES["a"]) & ~self._page.hidden[inside])
        return [row + link for link in links[:_MOST_NAMES].tolist()]

    def _text(self, row: int) -> str:
        text = shown_text(self._page, row, between=" ")
        return text if len(text) <= _LONGEST_BYLINE else ""


def _names(text: str) -> list[str]:
    """The names in a byline, without a date or place after them."""
    folded = " ".join(text.split())
    written = _WRITTEN.match(folded)
    bare = _END_OF_DATE.sub("", _AFTER_NAMES.sub("", written["names"] if written else folded))
    return [name for name in names_in(bare) if _looks_like_a_name(name)]


def _looks_like_a_name(text: str) -> bool:
    """Whether a text has two to five capitalised words, or a few letters of a script without capitals."""
    words = text.split()
    cased = [word for word in words if word[0].lower() != word[0].upper()]
    if not cased:
        return 2 <= len(text) <= 20 and text[0].isalpha()
    ends = cased[0][0].isupper() and cased[-1][0].isupper()
    return ends and len(cased) == len(words) and 2 <= len(words) <= 5 and words[0].lower() not in _NO_NAMES


def _spells(slug: str, name: str) -> bool:
    """Whether a URL contains a word of the name: `/author/ann-bee`."""
    spelled = comparable(unquote(slug))
    return (
        any(len(word) > 2 and word in spelled for word in map(comparable, name.split())) and len(name) <= LONGEST_NAME
    )


_SHORTEST_DATE, _LONGEST_DATE = 6, 80
_LONGEST_LABEL: Final = 60
_LONGEST_SUBTITLE: Final = 400

_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMED_DATE = re.compile(
    r"(?:^|[\s_-])(?:pub|post|entry|article|publish|published)?-?_?(?:date|time|published|timestamp|dateline)(?:$|[\s_-])|posted-?on",
    re.IGNORECASE,
)
_NAMED_PUBLISHED = re.compile(r"publi|posted|created|entry-date", re.IGNORECASE)
_NAMED_MODIFIED = re.compile(r"updat|modif", re.IGNORECASE)
_NAMED_TRAIL = re.compile(r"bread-?_?crumb", re.IGNORECASE)
_NAMED_FOOTER = re.compile(r"foot|copyright|licen[cs]e|legal|imprint", re.IGNORECASE)
_NAMED_SUBTITLE = re.compile(
    r"(?:^|[\s_-])(?:sub-?_?(?:title|head(?:line|ing)?)|stand-?first|dek|strapline)(?:$|[\s_-])", re.IGNORECASE
)
_CREATIVE_COMMONS = re.compile(r"//(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/", re.IGNORECASE)


def shown_date(page: Page) -> Iterator[str]:
    """Dates in time elements (those named as publication dates first), in elements named as dates, in short texts."""
    apart = _aside(page)
    times = np.flatnonzero((page.tag == TAG_CODES["time"]) & ~apart)[:_MOST_ELEMENTS].tolist()
    for row in sorted(times, key=lambda row: _when(page, row)):
        yield iso_date(page.attributes(row).get("datetime", "")) or _date_in_text(page, row)
    start = _heading_row(page) - _BEFORE_HEADING
    named = [row for row in _rows_named(page, _NAMED_DATE) if not apart[row] and row >= start]
    yield from (_date_in_text(page, row) for row in named[:_MOST_ELEMENTS])
    yield from _written_dates(page, apart, max(start, 0))


def shown_subtitle(page: Page) -> Iterator[str]:
    """The first element after the heading that is named as a subtitle."""
    heading = _heading_row(page)
    rows = [
        row for row in _rows_named(page, _NAMED_SUBTITLE) if heading >= 0 and row > heading and not page.hidden[row]
    ]
    texts = (shown_text(page, row) for row in rows[:1])
    return (text for text in texts if len(text) <= _LONGEST_SUBTITLE)


def shown_tags(page: Page) -> Iterator[str]:
    """Texts of links with `rel=tag`."""
    related = (row for row, relation in page.with_attribute("rel") if "tag" in relation.lower().split())
    links = (row for row in related if page.tag[row] == TAG_CODES["a"])
    return (_label(page, row) for row in islice(links, _MOST_ELEMENTS))


def shown_trail(page: Page) -> Iterator[str]:
    """Texts of the breadcrumb links, without the home page."""
    for row in _rows_named(page, _NAMED_TRAIL)[:1]:
        links = np.flatnonzero(page.tag[row : page.subtree_end[row]] == TAG_CODES["a"])[:_MOST_ELEMENTS]
        labels = (_label(page, row + int(link)) for link in links)
        yield from (label for label in labels if label.casefold() not in HOMES)


def shown_licence(page: Page) -> Iterator[str]:
    """Creative Commons links in a footer. In the text, such links are about images."""
    links = [(row, address) for row, address in page.with_attribute("href") if _CREATIVE_COMMONS.search(address[:200])]
    if links:
        footers = _inside(page, _rows_named(page, _NAMED_FOOTER)) | (page.covered(page.tag == TAG_CODES["footer"]) > 0)
        yield from (address for row, address in links if footers[row])


def _written_dates(page: Page, apart: RowMask, start: int) -> Iterator[str]:
    """Dates in short texts. The first one was right on 93 of 116 pages with known dates."""
    short = page.is_text & ~apart & (page.text_length >= _SHORTEST_DATE) & (page.text_length <= _LONGEST_DATE)
    texts = page.texts(np.flatnonzero(short[start:])[:_MOST_TEXTS] + start)
    return (iso_date(" ".join(text.split())) for text in texts if _YEAR.search(text))


def _when(page: Page, row: int) -> int:
    """Rank by the class names of the element and its parent: 0 published, 2 modified, 1 otherwise."""
    names = " ".join(page.attributes(one).get("class", "")[:200] for one in (row, max(int(page.parent[row]), 0)))
    return 0 if _NAMED_PUBLISHED.search(names) else 2 if _NAMED_MODIFIED.search(names) else 1


def _date_in_text(page: Page, row: int) -> str:
    text = shown_text(page, row, between=" ")
    return iso_date(text) if len(text) <= _LONGEST_DATE else ""


def _label(page: Page, row: int) -> str:
    text = shown_text(page, row)
    return text if len(text) <= _LONGEST_LABEL else ""
