"""Keys that compare the blocks of a page with those of other pages of its site: text, position, look, containers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.site_trees.template_positions import Matching, PositionedPage, find_positions
from dehusk.page.stable_hashing import Keys, combine, key_of, key_of_sequence

_ELSEWHERE = np.uint64(key_of("outside of the tree"))


@dataclass(frozen=True, eq=False)
class Containers:
    """The elements of a page that have a template position and hold blocks, in document order; one entry an element."""

    key: Keys
    """Template position of the element."""
    first: NDArray[np.int32]
    """Number of its first block."""
    end: NDArray[np.int32]
    """Number after its last block."""


@dataclass(frozen=True, eq=False)
class BlockKeys:
    """The keys of a page's blocks; one entry a block."""

    text: Keys
    position: Keys
    """Template position, see `positions_of_blocks`."""
    style: Keys
    """Style signature; 0 outside BODY."""
    containers: Containers

    @property
    def on_page(self) -> Keys:
        """Keys that no block of another page has, unless the two pages have the same text."""
        page = key_of_sequence(self.text)
        return combine(self.position, np.broadcast_to(page, self.position.shape)) if len(page) else self.position


def keys_of_blocks(blocks: Blocks) -> BlockKeys:
    """The keys of a page's blocks. Texts are compared without case."""
    placed = find_positions(blocks.page, Matching.ALIGNED, 0)
    return BlockKeys(blocks.text_keys, _positions(blocks, placed), blocks.signatures, _containers(blocks, placed))


def positions_of_blocks(blocks: Blocks) -> Keys:
    """uint64, one entry a block: a key for its template position, equal on all pages of a site, unique within a page.

    It combines the aligned template position (`template_positions`) of the block's element, down to the smallest ones,
    with the block's number in that element: an element may hold text before and after another. Hidden text has no
    position in the tree, and the title none in BODY; for these, the element's style signature and the block's number
    among the blocks with that signature are used.
    """
    return _positions(blocks, find_positions(blocks.page, Matching.ALIGNED, 0))


def _positions(blocks: Blocks, placed: PositionedPage) -> Keys:
    if not len(blocks):
        return np.zeros(0, dtype=np.uint64)
    of_owner = np.where(blocks.hidden, np.uint64(0), placed.key[blocks.owner])
    elsewhere = combine(blocks.signatures, np.full(len(blocks), _ELSEWHERE))
    # Elements outside BODY have no style signature, but a tag: the title is the title.
    outside = combine(blocks.page.class_keys[blocks.owner], elsewhere)
    key = np.where(of_owner != 0, of_owner, np.where(blocks.signatures != 0, elsewhere, outside))
    return combine(key, _number_among_equals(key))


def _containers(blocks: Blocks, placed: PositionedPage) -> Containers:
    rows = np.flatnonzero(placed.node & (placed.key != 0) & ~blocks.page.is_text)
    # The first row of a block is in the element; blocks are in document order.
    first = np.searchsorted(blocks.first_row, rows, "left")
    end = np.searchsorted(blocks.first_row, blocks.page.subtree_end[rows], "left")
    some = end > first
    return Containers(placed.key[rows[some]], first[some].astype(np.int32), end[some].astype(np.int32))


def _number_among_equals(keys: Keys) -> NDArray[np.uint64]:
    """uint64, one entry a key: the number of equal keys before it."""
    order = np.argsort(keys, kind="stable")
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[order][1:] != keys[order][:-1]
    starts = np.flatnonzero(is_first)
    number = np.empty(len(keys), dtype=np.uint64)
    number[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))
    return number
