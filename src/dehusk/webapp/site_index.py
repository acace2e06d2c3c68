"""An index of a site's blocks: which pages repeat a text, a template position or a style signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.block_keys import BlockKeys
from dehusk.page.stable_hashing import Keys, combine


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

    def count(self, key: np.uint64) -> tuple[int, int]:
        """The blocks with a key, and the pages they are on."""
        begin, end = np.searchsorted(self.keys, key, "left"), np.searchsorted(self.keys, key, "right")
        return int(end - begin), len(np.unique(self.page[begin:end]))

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

    @cached_property
    def on_pages(self) -> KeyTable:
        return self._table([one.on_page for one in self.block_keys])

    @cached_property
    def _containers(self) -> tuple[Keys, NDArray[np.int64]]:
        """The elements of all pages, sorted by key, and how many blocks each holds."""
        nothing = np.zeros(0, dtype=np.uint64)
        keys = np.concatenate([nothing, *(one.containers.key for one in self.block_keys)])
        held = np.concatenate([np.zeros(0), *(one.containers.end - one.containers.first for one in self.block_keys)])
        order = np.argsort(keys, kind="stable")
        return keys[order], held[order].astype(np.int64)

    def in_containers(self, key: np.uint64) -> tuple[int, int]:
        """The blocks in the elements at a template position, and the pages that have it; it is unique within a page."""
        keys, held = self._containers
        begin, end = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        return int(held[begin:end].sum()), int(end - begin)

    def _table(self, keys: Sequence[Keys]) -> KeyTable:
        nothing = np.zeros(0, dtype=np.uint64)
        lengths = [len(of_page) for of_page in keys]
        together = np.concatenate([nothing, *keys])
        page = np.repeat(np.arange(len(keys)), lengths)
        block = np.concatenate([np.arange(0), *(np.arange(length) for length in lengths)])
        order = np.argsort(together, kind="stable")
        return KeyTable(together[order], page[order], block[order])
