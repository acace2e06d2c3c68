"""The list items, quotes and figures around blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES, TagSet

MOST_CONTAINERS: Final = 16
"""Containers kept around a block. Deeper ones would only indent: hostile pages nest hundreds."""

Containers = tuple[int, ...]
"""Rows of list items, quotes and figures, outermost first."""

_CONTAINERS: Final = frozenset(TAG_CODES[tag] for tag in ("li", "dt", "dd", "blockquote", "figure"))


class ContainersOfRows:
    """Finds the containers of rows, the row itself included, at most MOST_CONTAINERS.

    Visits each element once, and only ancestors of the rows looked up.
    """

    def __init__(self, page: Page, tags: Sequence[int], parents: Sequence[int]) -> None:
        self._tags, self._parents = tags, parents
        self._item_before = _items_before_stray_lists(page)
        self._found: dict[int, Containers] = {-1: ()}

    def of(self, row: int) -> Containers:
        """The containers of one row."""
        path = []
        while row not in self._found:
            path.append(row)
            row = self._item_before.get(row) or self._parents[row]
        around = self._found[row]
        for element in reversed(path):
            if self._tags[element] in _CONTAINERS and len(around) < MOST_CONTAINERS:
                around = (*around, element)
            self._found[element] = around
        return around


def _items_before_stray_lists(page: Page) -> dict[int, int]:
    """Row of each list directly inside a list -> the item before it, as browsers show it as part of that item."""
    is_list = page.tagged(TagSet.LIST)
    lists = np.flatnonzero(is_list)
    stray = lists[is_list[page.parent[lists]]]
    if not len(stray):
        return {}
    found: dict[int, int] = {}
    last_item: dict[int, int] = {}
    rows = np.union1d(np.flatnonzero(page.tag == TAG_CODES["li"]), stray)
    for row, parent, is_stray in zip(rows.tolist(), page.parent[rows].tolist(), is_list[rows].tolist(), strict=True):
        if not is_stray:
            last_item[parent] = row
        elif parent in last_item:
            found[row] = last_item[parent]
    return found
