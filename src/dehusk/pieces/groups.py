"""Pieces that share their closest `<div>` or `<td>`: the boxes that pages are laid out with."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.columns import Page, RowMask, Rows
from dehusk.page.tags import TAG_CODES

TAGS_OF_GROUP: Final = {
    "div": "div article section main nav aside header footer".split(),
    "td": "td th".split(),
}
"""What makes a group. The paper knows `<div>` and `<td>` alone; the sections that came with HTML 5 took the place of
`<div>`, and header cells lay out like others."""


def group_rows(page: Page, group: str, rows: Rows) -> Rows:
    """int32: the element whose group each row is in; -1 where it is in none."""
    return closest_around(page, np.isin(page.tag, [TAG_CODES[tag] for tag in TAGS_OF_GROUP[group]]), rows)


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
    order = np.argsort(places, kind="stable")
    is_start = order < len(starts)
    depth = np.cumsum(np.where(is_start, 1, -1))
    by_depth = np.argsort(depth, kind="stable")
    # At every depth but 0 the first stretch is one after a start.
    last_start = np.maximum.accumulate(np.where(is_start[by_depth], np.arange(len(order)), 0))
    closest = np.empty(len(order), dtype=np.int32)
    closest[by_depth] = starts[order[by_depth[last_start]] % len(starts)]
    closest[depth == 0] = -1
    stretch = np.searchsorted(places[order], 2 * rows.astype(np.int64) + 1, side="right") - 1
    return np.where(stretch >= 0, closest[stretch], -1)


def share_of_group(group: Rows, size: NDArray[np.number]) -> NDArray[np.float64]:
    """float64: the part of the sum of all sizes that is in the same group; 0 where there is no group (-1)."""
    rows, number = np.unique(group, return_inverse=True)
    sums = np.bincount(number, weights=size, minlength=len(rows))
    total = sums.sum()
    if not total:
        return np.zeros(len(group))
    return np.where(group >= 0, sums[number] / total, 0.0)
