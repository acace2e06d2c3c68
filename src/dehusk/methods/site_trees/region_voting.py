"""Region voting: keep or drop neighbouring blocks together, along the tree of the page.

Each block has a gain: what is won by keeping it (positive) or by dropping it (negative). Deciding block by block drops
the labels in a table of facts and keeps the date in a footer. Here every element gets a decision, and an element that
decides differently from its parent pays a price. The decisions with the largest sum of gains minus prices are found
exactly, in one pass up the tree and one down (a Potts model on a tree), in time linear in the number of rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks


def keep_by_regions(blocks: Blocks, gain: NDArray[np.float64], price: float) -> BlockMask:
    """bool: the blocks to keep. Blocks without a gain (0) follow their surroundings."""
    page = blocks.page
    keeping = np.zeros(len(page))
    np.add.at(keeping, blocks.first_row, gain)
    dropping = np.zeros(len(page))
    has_blocks = np.zeros(len(page), dtype=bool)
    has_blocks[blocks.first_row] = True
    levels = page.levels(page.subtree_sums(has_blocks) > 0)
    for level in levels[:0:-1]:
        parent = page.parent[level]
        np.add.at(keeping, parent, np.maximum(keeping[level], dropping[level] - price))
        np.add.at(dropping, parent, np.maximum(dropping[level], keeping[level] - price))
    keep = np.zeros(len(page), dtype=bool)
    for level in levels[:1]:
        keep[level] = keeping[level] > dropping[level]
    for level in levels[1:]:
        advantage = keeping[level] - dropping[level]
        keep[level] = advantage > np.where(keep[page.parent[level]], -price, price)
    return keep[blocks.first_row]
