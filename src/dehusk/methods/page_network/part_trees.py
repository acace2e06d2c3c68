"""The nested parts of a page as a tree, whose leaves are the blocks, and belief propagation on it.

The blocks of one part are mostly all content, or none of them is. Assume that every node of the tree is content or not,
mostly like the part it is in, and that there is evidence for each leaf. Then the evidence that other blocks give for a
block follows exactly from one pass up the tree and one down (belief propagation; Pearl: Reverend Bayes on Inference
Engines, AAAI 1982).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, tanh
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.page_columns import make_read_only

_BLOCK_LIKE_PART: Final = 2 / 3
"""Probability that a block agrees with its part, minus the probability that it does not."""
_PART_LIKE_PART: Final = 0.82
"""The same for a part and the part around it."""
_HEARD: Final = 0.3
"""Share of a block's log-odds passed on to others: errors on neighbouring blocks are correlated."""

Logits = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PartTree:
    """The k parts of a page of m blocks, those around others first. Arrays are read-only."""

    of_block: NDArray[np.intp]
    """m entries: the closest part around each block."""
    parent: NDArray[np.intp]
    """k entries: the part around each part; of the first, which is the page, itself."""
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    """int64, k entries: the blocks of a part are `first : last`."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def means(self, values: Logits, weights: Logits, steps: int) -> Logits:
        """float64, m entries: the weighted mean over the part so many steps outwards from the closest one.

        Steps end short of the whole page, which is the same for all blocks.
        """
        part = self.of_block
        for _ in range(steps):
            outer = self.parent[part]
            part = np.where(outer > 0, outer, part)
        sums, whole = (np.concatenate(([0.0], np.cumsum(column))) for column in (values * weights, weights))
        first, last = self.first[part], self.last[part]
        return np.asarray((sums[last] - sums[first]) / np.maximum(whole[last] - whole[first], 1))


def tree_of_parts(first: NDArray[np.int32], last: NDArray[np.int32]) -> PartTree:
    """The tree of the parts around m blocks: m x n slices `first : last` of these, from the closest part outwards."""
    size = len(first)
    # By where they begin, the longer before the shorter; the key of the whole page is 0.
    keys = np.append(first.astype(np.int64) * (size + 1) + (size - last), 0)
    parts, number = np.unique(keys, return_inverse=True)
    begins, ends = parts // (size + 1), size - parts % (size + 1)
    of_block = number[:-1].reshape(first.shape)[:, 0] if size else np.zeros(0, dtype=np.intp)
    return PartTree(of_block, _parents(begins.tolist(), ends.tolist()), begins, ends)


def _parents(begins: list[int], ends: list[int]) -> NDArray[np.intp]:
    parents, around = np.zeros(len(begins), dtype=np.intp), [0]
    for part in range(1, len(begins)):
        while len(around) > 1 and ends[around[-1]] <= begins[part]:
            around.pop()
        parents[part] = around[-1]
        around.append(part)
    return parents


def evidence_from_others(logits: Logits, tree: PartTree) -> Logits:
    """float64, m entries: what the other blocks of a page add to the log-odds of each block.

    Two blocks in one part, of which one is surely content:

    >>> tree = tree_of_parts(np.array([[0], [0]], dtype=np.int32), np.array([[2], [2]], dtype=np.int32))
    >>> evidence_from_others(np.array([20.0, -1.0]), tree).round(2).tolist()
    [-0.13, 0.95]
    """
    of_blocks = 2 * np.arctanh(_BLOCK_LIKE_PART * np.tanh(_HEARD / 2 * logits))
    beliefs = np.bincount(tree.of_block, of_blocks, len(tree.parent)).tolist()
    parent, sent = tree.parent.tolist(), [0.0] * len(beliefs)
    for part in range(len(beliefs) - 1, 0, -1):
        sent[part] = _pass_on(beliefs[part])
        beliefs[parent[part]] += sent[part]
    for part in range(1, len(beliefs)):
        beliefs[part] += _pass_on(beliefs[parent[part]] - sent[part])
    others = np.array(beliefs)[tree.of_block] - of_blocks
    return np.asarray(2 * np.arctanh(_BLOCK_LIKE_PART * np.tanh(others / 2)))


def _pass_on(log_odds: float) -> float:
    """The message from a part to the part around it, or to one inside it."""
    return 2 * atanh(_PART_LIKE_PART * tanh(log_odds / 2))
