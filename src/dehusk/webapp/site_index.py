"""Where else on a site a text stands, and which pages share a place or a look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.page.stable_hashing import Keys, combine
from dehusk.webapp.judged_pages import Fingerprint


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Keys of all blocks of a site, sorted, and where each stands."""

    keys: Keys
    page: NDArray[np.int64]
    """Number of the page."""
    block: NDArray[np.int64]

    def find(self, key: np.uint64) -> list[tuple[int, int]]:
        """(page, block) of each block with the key, in the order of pages."""
        begin, end = np.searchsorted(self.keys, key, "left"), np.searchsorted(self.keys, key, "right")
        return list(zip(self.page[begin:end].tolist(), self.block[begin:end].tolist(), strict=True))

    def pages_with(self, keys: Keys) -> NDArray[np.int64]:
        """int64: pages that have each key."""
        begin, end = np.searchsorted(self._distinct, keys, "left"), np.searchsorted(self._distinct, keys, "right")
        return end - begin

    @cached_property
    def _distinct(self) -> Keys:
        """Each key once a page."""
        order = np.lexsort((self.page, self.keys))
        keys, pages = self.keys[order], self.page[order]
        is_first = np.ones(len(keys), dtype=bool)
        is_first[1:] = (keys[1:] != keys[:-1]) | (pages[1:] != pages[:-1])
        return keys[is_first]


@dataclass(frozen=True, eq=False)
class SiteIndex:
    """The blocks of a site by text and place, by text, by place and by look."""

    fingerprints: Sequence[Fingerprint]

    @cached_property
    def repeats(self) -> KeyTable:
        return self._table([combine(one.text, one.place) for one in self.fingerprints])

    @cached_property
    def texts(self) -> KeyTable:
        return self._table([one.text for one in self.fingerprints])

    @cached_property
    def places(self) -> KeyTable:
        return self._table([one.place for one in self.fingerprints])

    @cached_property
    def looks(self) -> KeyTable:
        return self._table([one.look for one in self.fingerprints])

    def _table(self, keys: Sequence[Keys]) -> KeyTable:
        nothing = np.zeros(0, dtype=np.uint64)
        lengths = [len(of_page) for of_page in keys]
        together = np.concatenate([nothing, *keys])
        page = np.repeat(np.arange(len(keys)), lengths)
        block = np.concatenate([np.arange(0), *(np.arange(length) for length in lengths)])
        order = np.argsort(together, kind="stable")
        return KeyTable(together[order], page[order], block[order])
