"""Where blocks stand in the tree: the parts of the page around each, from the closest outwards.

A wrapper that holds no other block than its child says nothing new, so the steps outwards skip it: the first part
around a list item is its list, the second what holds the list and its heading, however many elements lie between them.
Parts are slices of the page, so sums over them are differences of prefix sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.page.page_columns import Rows, make_read_only

PARTS: Final = 5
"""Steps outwards that are looked at. On a news page the third is about the article, the fifth about the page."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The parts around m blocks. Arrays are read-only."""

    row: Rows
    """int32, m x PARTS: the element that holds the part; the outermost is repeated."""
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    """int32, m x PARTS: blocks of the part are `first : last`."""
    number: NDArray[np.int32]
    """int32, m entries: blocks that begin before each; its own number, except beside text that is half hidden."""
    before: NDArray[np.int32]
    """int32, one entry per row of the page and one more: blocks that begin before it."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def sums(self, columns: Sequence[NDArray[np.generic]]) -> NDArray[np.float64]:
        """float64, columns x PARTS x m: columns of blocks summed over the parts."""
        sums = np.zeros((len(columns), len(self.row) + 1))
        np.cumsum(np.array(columns, dtype=np.float64), axis=1, out=sums[:, 1:])
        return np.asarray(sums.take(self.last.T, axis=1) - sums.take(self.first.T, axis=1))


def find_surroundings(blocks: Blocks) -> Surroundings:
    """The parts around every block of a page."""
    page = blocks.page
    before = np.zeros(len(page) + 1, dtype=np.int32)
    before[1:] = np.bincount(blocks.first_row, minlength=len(page))
    np.cumsum(before, out=before)
    count = before[page.subtree_end] - before[:-1]
    # Where each row's wrappers end: the outermost element with the same blocks and no more.
    is_outermost = count != count[page.parent]
    is_outermost[:1] = True
    outwards = np.maximum(page.parent[page.closest(is_outermost)[:-1]], 0)
    row = np.empty((len(blocks), PARTS), dtype=np.int32)
    inner = blocks.first_row
    for step in range(PARTS):
        inner = outwards[inner]
        row[:, step] = inner
    return Surroundings(row, before[row], before[page.subtree_end[row]], before[blocks.first_row], before)
