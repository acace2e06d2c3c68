"""The publication date by htmldate, an optional package, where the page declares none.

It reads html, which is gone by then: it gets a small document of what may hold a date.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from dehusk.metadata.dates import iso_date
from dehusk.page.columns import Page
from dehusk.page.tags import TAG_CODES

_MOST_ELEMENTS: Final = 200
_LONGEST_LINE: Final = 200
_HAS_DATE_DIGITS = re.compile(r"\d")
_KEPT_ATTRIBUTES: Final = ("name", "property", "itemprop", "http-equiv", "content", "datetime", "title", "class", "id")


def guessed_date(page: Page) -> str:
    """What htmldate finds; empty if it is not installed."""
    try:
        from htmldate import find_date
    except ImportError:
        return ""
    document = _small_document(page)
    try:
        found = find_date(document, extensive_search=True, original_date=True, url=page.url or None)
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError, RecursionError):
        # It is made for pages of good will.
        return ""
    return iso_date(found or "")


def _small_document(page: Page) -> str:
    metas = "".join(_elements(page, "meta"))
    body = "".join([*_elements(page, "time"), *_elements(page, "abbr"), *_lines(page)])
    return f"<html><head>{metas}</head><body>{body}</body></html>"


def _elements(page: Page, tag: str) -> Iterator[str]:
    for row in np.flatnonzero(page.tag == TAG_CODES[tag])[:_MOST_ELEMENTS].tolist():
        attributes = page.attributes(row)
        kept = "".join(
            f' {name}="{html.escape(attributes[name][:_LONGEST_LINE])}"' for name in _KEPT_ATTRIBUTES if name in attributes
        )
        text = page.text[page.text_start[row] : page.text_end[row]][:_LONGEST_LINE]
        yield f"<{tag}{kept}>" if tag == "meta" else f"<{tag}{kept}>{html.escape(text)}</{tag}>"


def _lines(page: Page) -> Iterator[str]:
    """Short texts with digits in them."""
    short = page.is_text & ~page.hidden & (page.text_length > 3) & (page.text_length <= _LONGEST_LINE)
    texts = (text for text in page.texts(np.flatnonzero(short)) if _HAS_DATE_DIGITS.search(text))
    return (f"<p>{html.escape(text)}</p>" for text in islice(texts, _MOST_ELEMENTS))
