"""Find elements by class name and id."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

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


def rows_named(page: Page, pattern: re.Pattern[str]) -> list[int]:
    """Elements whose class names or id match, in document order."""
    named = [one for attribute in ("class", "id") for one in page.with_attribute(attribute)]
    # Search each distinct name once: a page has few.
    matching = {names for names in {names for _, names in named} if pattern.search(names[:_LONGEST_NAMES])}
    return sorted({row for row, names in named if names in matching and page.tag[row] not in _OUTER})


def inside(page: Page, rows: list[int]) -> RowMask:
    """bool: rows inside one of these, or one of them."""
    mask: NDArray[np.bool_] = np.zeros(len(page), dtype=bool)
    mask[rows] = True
    return np.asarray(page.covered(mask) > 0)


def aside(page: Page) -> RowMask:
    """bool: rows in parts that are not about the page (comments, teasers, sidebars), and hidden rows.

    A part that contains the main heading does not count, whatever its name.
    """
    heading = heading_row(page)
    named = [row for row in rows_named(page, _APART) if not row <= heading < page.subtree_end[row]]
    return inside(page, named) | page.hidden


def heading_row(page: Page) -> int:
    """Row of the first visible `<h1>`; -1 if there is none."""
    rows = np.flatnonzero((page.tag == TAG_CODES["h1"]) & ~page.hidden)
    return int(rows[0]) if len(rows) else -1
