"""Pieces that share their closest `<div>` or `<td>`: the boxes that pages are laid out with."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.tags import TAG_CODES, TAGS

TAGS_OF_GROUP: Final = {
    "div": "div article section main nav aside header footer".split(),
    "td": "td th".split(),
}
"""What makes a group. The paper knows `<div>` and `<td>` alone; the sections that came with HTML 5 took the place of
`<div>`, and header cells lay out like others."""


def _is_any_of(tags: list[str]) -> NDArray[np.bool_]:
    """bool, one entry a tag code; the last stands for every tag outside the table."""
    table = np.zeros(len(TAGS) + 1, dtype=bool)
    table[[TAG_CODES[tag] for tag in tags]] = True
    return table


_IS_IN_GROUP: Final = {group: _is_any_of(tags) for group, tags in TAGS_OF_GROUP.items()}


def group_rows(page: Page, group: str, rows: Rows) -> Rows:
    """int32: the element whose group each row is in; -1 where it is in none."""
    return closest_around(page, _IS_IN_GROUP[group].take(page.tag, mode="clip"), rows)


def closest_around(page: Page, mask: RowMask, rows: Rows) -> Rows:
    """int32: the closest masked element around each of some text rows; -1 where there is none.

    The cost does not depend on how deep the rows are. Starts and ends of the masked elements cut the page into
    stretches; the closest element of a stretch is the last that started at the same depth (among the masked).
    """
    starts = np.flatnonzero(mask)
    if not len(starts):
        return np.full(len(rows), -1, dtype=np.int32)
    # What ends at a row ends before whatever starts there.
    places = np.concatenate((2 * starts + 1, 2 * page.subtree_end[starts].astype(np.int64)))
    order = places.argsort(kind="stable")
    is_start = order < len(starts)
    depth = np.where(is_start, 1, -1).cumsum()
    by_depth = depth.argsort(kind="stable")
    # At every depth but 0 the first stretch is one after a start.
    last_start = np.maximum.accumulate(np.where(is_start[by_depth], np.arange(len(order)), 0))
    closest = np.empty(len(order) + 1, dtype=np.int32)
    closest[by_depth] = starts[order[by_depth[last_start]] % len(starts)]
    closest[:-1][depth == 0] = -1
    closest[-1] = -1  # before the first of them
    return closest[places[order].searchsorted(2 * rows.astype(np.int64) + 1, side="right") - 1]


def share_of_group(group: Rows, size: NDArray[np.number[Any]]) -> NDArray[np.float64]:
    """float64: the part of the sum of all sizes that is in the same group; 0 where there is no group (-1)."""
    sums = np.bincount(group + 1, weights=size, minlength=1)
    total = sums.sum()
    sums[0] = 0
    return np.asarray(sums[group + 1] / max(total, 1))
