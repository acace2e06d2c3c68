"""Publication dates guessed by htmldate, an optional package, where the page declares none.

htmldate needs HTML, which is no longer in memory, so it gets a small document of everything that may contain a date.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from dehusk.metadata.dates import iso_date
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES

_MOST_ELEMENTS: Final = 200
_LONGEST_LINE: Final = 200
_DIGIT = re.compile(r"\d")
_KEPT_ATTRIBUTES: Final = ("name", "property", "itemprop", "http-equiv", "content", "datetime", "title", "class", "id")


def guessed_date(page: Page) -> str:
    """The date htmldate finds; empty if it is not installed."""
    try:
        from htmldate import find_date
    except ImportError:
        return ""
    document = encodable(_small_document(page))
    try:
        # Its extensive search is a hundred times slower and guesses: on 26 pages, 12 of its 24 dates were right, and
        # without it 11 of 15.
        found = find_date(document, extensive_search=False, original_date=True, url=page.url or None)
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError, SyntaxError):
        # htmldate is not hardened against malformed pages.
        return ""
    return iso_date(found or "")


def _small_document(page: Page) -> str:
    metas = "".join(_elements(page, "meta"))
    body = "".join([*_elements(page, "time"), *_elements(page, "abbr"), *_lines(page)])
    return f"<html><head>{metas}</head><body>{body}</body></html>"


def _elements(page: Page, tag: str) -> Iterator[str]:
    for row in np.flatnonzero(page.tag == TAG_CODES[tag])[:_MOST_ELEMENTS].tolist():
        text = page.text[page.text_start[row] : page.text_end[row]][:_LONGEST_LINE]
        yield f"<{tag}{_attributes(page, row)}>" + ("" if tag == "meta" else f"{html.escape(text)}</{tag}>")


def _lines(page: Page) -> Iterator[str]:
    """Short texts that contain digits, with the attributes of their parents."""
    short = page.is_text & ~page.hidden & (page.text_length > 3) & (page.text_length <= _LONGEST_LINE)
    rows = np.flatnonzero(short)
    with_digits = (
        (row, text) for row, text in zip(rows.tolist(), page.texts(rows), strict=True) if _DIGIT.search(text)
    )
    for row, text in islice(with_digits, _MOST_ELEMENTS):
        parent = int(page.parent[row])
        outer = _attributes(page, int(page.parent[parent]))
        yield f"<div{outer}><span{_attributes(page, parent)}>{html.escape(text)}</span></div>"


def _attributes(page: Page, row: int) -> str:
    attributes = page.attributes(row) if row >= 0 else {}
    kept = ((name, attributes[name][:_LONGEST_LINE]) for name in _KEPT_ATTRIBUTES if name in attributes)
    return "".join(f' {name}="{html.escape(value)}"' for name, value in kept)
