"""Metadata shown on the page, used where none is declared: authors, dates, tags, breadcrumbs.

The compiled part finds the elements by class name and id. Authors are in links to authors, elements named as bylines,
and text starting with `By`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar
from urllib.parse import unquote

from dehusk.metadata.dates import iso_date
from dehusk.metadata.page_candidates import PageCandidates
from dehusk.metadata.people import LONGEST_NAME, names_in
from dehusk.metadata.schema_org import HOMES
from dehusk.metadata.value_texts import comparable

Byline = TypeVar("Byline")
"""A byline as collected: its text, and for some kinds more."""

_MOST_NAMES: Final = 10
_TOGETHER: Final = 12
"""Rows between two authors of one article, including links and commas."""

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
    "about all by contact follow from full in meet more my new our read see share team the this view why your".split()
)
"""Capitalised words that do not start a name."""


def shown_authors(candidates: PageCandidates) -> list[str]:
    """The names in the most reliable kind of byline on the page."""
    if not candidates.have_bylines:
        return []
    found = (list(dict.fromkeys(kind(candidates))) for kind in _KINDS_OF_BYLINES)
    return next(filter(None, found), [])[:_MOST_NAMES]


def _linked_as_author(candidates: PageCandidates) -> Iterator[str]:
    """Texts of links with `rel=author`."""
    return _first_together(candidates.related_bylines, _names)


def _linked_to_author(candidates: PageCandidates) -> Iterator[str]:
    """Texts of links to author pages, if their URLs contain the names."""
    return _first_together(candidates.linked_bylines, _spelled_names)


def _spelled_names(link: tuple[str, str]) -> list[str]:
    """The names in the text of a link that its URL contains."""
    slug, text = link
    return [name for name in _names(text) if _spells(slug, name)]


def _in_named_elements(candidates: PageCandidates) -> Iterator[str]:
    """The names in the first element named as a byline: in its links, otherwise in its text."""
    for text, links in candidates.named_bylines:
        found = list(_first_together(links, _names))
        if found or (found := _names(text)):
            yield from found
            return


def _written(candidates: PageCandidates) -> Iterator[str]:
    """A short text that starts with `By` and a name."""
    found = (_names(text) for text in candidates.written_bylines if _WRITTEN.match(text))
    return iter(next(filter(None, found), []))


_KINDS_OF_BYLINES: Final[tuple[Callable[[PageCandidates], Iterator[str]], ...]] = (
    _linked_as_author,
    _linked_to_author,
    _in_named_elements,
    _written,
)
"""The most reliable kind first."""


def _first_together(bylines: Iterable[tuple[int, Byline]], names_of: Callable[[Byline], list[str]]) -> Iterator[str]:
    """The names in the first byline that has any, and in those close after it."""
    last = -1
    for row, byline in bylines:
        if (last < 0 or 0 < row - last <= _TOGETHER) and (names := names_of(byline)):
            last = row
            yield from names


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


def shown_date(candidates: PageCandidates) -> Iterator[str]:
    """Dates in time elements, in elements named as dates, in short texts.

    The first one in short texts was right on 93 of 116 pages with known dates.
    """
    return map(iso_date, candidates.dates)


def shown_trail(candidates: PageCandidates) -> Iterator[str]:
    """Texts of the breadcrumb links, without the home page."""
    return (label for label in candidates.trail if label.casefold() not in HOMES)
