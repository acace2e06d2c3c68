"""Authors shown on the page: links to authors, elements named as bylines, text starting with `By`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final
from urllib.parse import unquote

import numpy as np

from dehusk.metadata.naming import aside, heading_row, rows_named
from dehusk.metadata.people import LONGEST_NAME, names_in
from dehusk.metadata.value_texts import MOST_ROWS, comparable, shown_text
from dehusk.page.page_columns import Page, RowMask
from dehusk.page.tags import TAG_CODES

_MOST_ELEMENTS: Final = 50
_MOST_NAMES: Final = 10
_LONGEST_BYLINE: Final = 150
_BEFORE_HEADING: Final = 60
"""Rows above the heading where a byline may be; anything farther up is about the site."""
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
        for row in self._near_first(rows_named(self._page, _NAMED_BYLINE)):
            found = list(self._first_together((link, _names(self._text(link))) for link in self._links_in(row)))
            if found or (found := _names(self._text(row))):
                yield from found
                return

    def written(self) -> Iterator[str]:
        """A short text that starts with `By` and a name."""
        page = self._page
        short = page.is_text & ~self._aside & (page.text_length > 5) & (page.text_length <= _LONGEST_BYLINE)
        start = max(heading_row(page) - _BEFORE_HEADING, 0)
        rows = np.flatnonzero(short[start:])[:_MOST_TEXTS] + start
        found = (_names(text) for text in page.texts(rows) if _WRITTEN.match(text))
        return iter(next((names for names in found if names), []))

    @cached_property
    def _aside(self) -> RowMask:
        return aside(self._page)

    def _near_first(self, rows: Iterable[int]) -> list[int]:
        """The rows outside of asides: first those from a little above the heading down, then those far above."""
        start = heading_row(self._page) - _BEFORE_HEADING
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
