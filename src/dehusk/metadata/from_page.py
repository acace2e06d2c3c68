"""Metadata shown on the page, besides authors: dates, tags, breadcrumbs, licences. Used where none is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from dehusk.metadata.dates import iso_date
from dehusk.metadata.naming import aside, heading_row, inside, rows_named
from dehusk.metadata.schema_org import HOMES
from dehusk.metadata.value_texts import shown_text
from dehusk.page.page_columns import Page, RowMask
from dehusk.page.tags import TAG_CODES

_MOST_ELEMENTS: Final = 50
"""Elements of one kind that are read: the relevant ones are near the top."""
_SHORTEST_DATE, _LONGEST_DATE = 6, 80
_MOST_TEXTS: Final = 400
_LONGEST_LABEL: Final = 60
_LONGEST_SUBTITLE: Final = 400
_BEFORE_HEADING: Final = 60
"""Rows above the heading where a date may be."""

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
    apart = aside(page)
    times = np.flatnonzero((page.tag == TAG_CODES["time"]) & ~apart)[:_MOST_ELEMENTS].tolist()
    for row in sorted(times, key=lambda row: _when(page, row)):
        yield iso_date(page.attributes(row).get("datetime", "")) or _date_in_text(page, row)
    start = heading_row(page) - _BEFORE_HEADING
    named = [row for row in rows_named(page, _NAMED_DATE) if not apart[row] and row >= start]
    yield from (_date_in_text(page, row) for row in named[:_MOST_ELEMENTS])
    yield from _written_dates(page, apart, max(start, 0))


def shown_subtitle(page: Page) -> Iterator[str]:
    """The first element after the heading that is named as a subtitle."""
    heading = heading_row(page)
    rows = [row for row in rows_named(page, _NAMED_SUBTITLE) if heading >= 0 and row > heading and not page.hidden[row]]
    texts = (shown_text(page, row) for row in rows[:1])
    return (text for text in texts if len(text) <= _LONGEST_SUBTITLE)


def shown_tags(page: Page) -> Iterator[str]:
    """Texts of links with `rel=tag`."""
    related = (row for row, relation in page.with_attribute("rel") if "tag" in relation.lower().split())
    links = (row for row in related if page.tag[row] == TAG_CODES["a"])
    return (_label(page, row) for row in islice(links, _MOST_ELEMENTS))


def shown_trail(page: Page) -> Iterator[str]:
    """Texts of the breadcrumb links, without the home page."""
    for row in rows_named(page, _NAMED_TRAIL)[:1]:
        links = np.flatnonzero(page.tag[row : page.subtree_end[row]] == TAG_CODES["a"])[:_MOST_ELEMENTS]
        labels = (_label(page, row + int(link)) for link in links)
        yield from (label for label in labels if label.casefold() not in HOMES)


def shown_licence(page: Page) -> Iterator[str]:
    """Creative Commons links in a footer. In the text, such links are about images."""
    links = [(row, address) for row, address in page.with_attribute("href") if _CREATIVE_COMMONS.search(address[:200])]
    if links:
        footers = inside(page, rows_named(page, _NAMED_FOOTER)) | (page.covered(page.tag == TAG_CODES["footer"]) > 0)
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
