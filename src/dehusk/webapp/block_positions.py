"""Where a block stands, as a key that is the same on all pages of a site that have a block there.

It is the place (`placing`, aligned) of the element that the block is in, down to the smallest ones, and the number of
the block in it: an element may hold texts before and after another. Hidden text has no place in the tree, and the title
none in BODY; for these the look of the element and the number of the block among those of that look will do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.methods.style_signatures import signatures_of_blocks
from dehusk.page.stable_hashing import Keys, combine, key_of

_ELSEWHERE = np.uint64(key_of("outside of the tree"))


def places_of_blocks(blocks: Blocks) -> Keys:
    """uint64, one entry a block; no two blocks of a page have the same."""
    if not len(blocks):
        return np.zeros(0, dtype=np.uint64)
    placed = find_positions(blocks.page, Matching.ALIGNED, 0)
    of_owner = np.where(blocks.hidden, np.uint64(0), placed.key[blocks.owner])
    elsewhere = combine(signatures_of_blocks(blocks), np.full(len(blocks), _ELSEWHERE))
    # Outside of BODY elements have no look, but a tag: the title is the title.
    outside = combine(blocks.page.class_keys[blocks.owner], elsewhere)
    key = np.where(of_owner != 0, of_owner, np.where(signatures_of_blocks(blocks) != 0, elsewhere, outside))
    return combine(key, _number_among_equals(key))


def _number_among_equals(keys: Keys) -> NDArray[np.uint64]:
    """uint64: how many earlier entries are equal."""
    order = np.argsort(keys, kind="stable")
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[order][1:] != keys[order][:-1]
    starts = np.flatnonzero(is_first)
    number = np.empty(len(keys), dtype=np.uint64)
    number[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))
    return number
