"""An index of a site's blocks: which pages repeat a text, a template position or a style signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.methods.style_signatures import signatures_of_blocks
from dehusk.page.stable_hashing import Keys, combine, key_of, keys_of

_ELSEWHERE = np.uint64(key_of("outside of the tree"))


@dataclass(frozen=True, eq=False)
class BlockKeys:
    """Keys that compare the blocks of a page with those of other pages; one entry a block."""

    text: Keys
    position: Keys
    """Template position, see `positions_of_blocks`."""
    style: Keys
    """Style signature; 0 outside BODY."""


def keys_of_blocks(blocks: Blocks) -> BlockKeys:
    """The keys of a page's blocks. Texts are compared without case."""
    texts = keys_of([text.lower() for text in blocks.texts])
    return BlockKeys(texts, positions_of_blocks(blocks), signatures_of_blocks(blocks))


def positions_of_blocks(blocks: Blocks) -> Keys:
    """uint64, one entry a block: a key for its template position, equal on all pages of a site, unique within a page.

    It combines the aligned template position (`template_positions`) of the block's element, down to the smallest ones,
    with the block's number in that element: an element may hold text before and after another. Hidden text has no
    position in the tree, and the title none in BODY; for these, the element's style signature and the block's number
    among the blocks with that signature are used.
    """
    if not len(blocks):
        return np.zeros(0, dtype=np.uint64)
    placed = find_positions(blocks.page, Matching.ALIGNED, 0)
    of_owner = np.where(blocks.hidden, np.uint64(0), placed.key[blocks.owner])
    elsewhere = combine(signatures_of_blocks(blocks), np.full(len(blocks), _ELSEWHERE))
    # Elements outside BODY have no style signature, but a tag: the title is the title.
    outside = combine(blocks.page.class_keys[blocks.owner], elsewhere)
    key = np.where(of_owner != 0, of_owner, np.where(signatures_of_blocks(blocks) != 0, elsewhere, outside))
    return combine(key, _number_among_equals(key))


def _number_among_equals(keys: Keys) -> NDArray[np.uint64]:
    """uint64, one entry a key: the number of equal keys before it."""
    order = np.argsort(keys, kind="stable")
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[order][1:] != keys[order][:-1]
    starts = np.flatnonzero(is_first)
    number = np.empty(len(keys), dtype=np.uint64)
    number[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))
    return number


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Sorted keys of all blocks of a site, with the page and block of each."""

    keys: Keys
    page: NDArray[np.int64]
    """Number of the page."""
    block: NDArray[np.int64]

    def find(self, key: np.uint64) -> list[tuple[int, int]]:
        """(page, block) of each block with the key, in page order."""
        begin, end = np.searchsorted(self.keys, key, "left"), np.searchsorted(self.keys, key, "right")
        return list(zip(self.page[begin:end].tolist(), self.block[begin:end].tolist(), strict=True))

    def pages_with(self, keys: Keys) -> NDArray[np.int64]:
        """int64, one entry a key: the number of pages that have it."""
        begin, end = np.searchsorted(self._distinct, keys, "left"), np.searchsorted(self._distinct, keys, "right")
        return end - begin

    @cached_property
    def _distinct(self) -> Keys:
        """The keys, each once a page."""
        order = np.lexsort((self.page, self.keys))
        keys, pages = self.keys[order], self.page[order]
        is_first = np.ones(len(keys), dtype=bool)
        is_first[1:] = (keys[1:] != keys[:-1]) | (pages[1:] != pages[:-1])
        return keys[is_first]


@dataclass(frozen=True, eq=False)
class SiteIndex:
    """The blocks of a site by text and position, by text, by position and by style signature."""

    block_keys: Sequence[BlockKeys]

    @cached_property
    def repeats(self) -> KeyTable:
        return self._table([combine(one.text, one.position) for one in self.block_keys])

    @cached_property
    def texts(self) -> KeyTable:
        return self._table([one.text for one in self.block_keys])

    @cached_property
    def positions(self) -> KeyTable:
        return self._table([one.position for one in self.block_keys])

    @cached_property
    def styles(self) -> KeyTable:
        return self._table([one.style for one in self.block_keys])

    def _table(self, keys: Sequence[Keys]) -> KeyTable:
        nothing = np.zeros(0, dtype=np.uint64)
        lengths = [len(of_page) for of_page in keys]
        together = np.concatenate([nothing, *keys])
        page = np.repeat(np.arange(len(keys)), lengths)
        block = np.concatenate([np.arange(0), *(np.arange(length) for length in lengths)])
        order = np.argsort(together, kind="stable")
        return KeyTable(together[order], page[order], block[order])
