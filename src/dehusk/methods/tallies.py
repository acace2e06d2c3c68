"""Tables of counts that can be added: distinct keys, each with some numbers.

Adding two tallies gives the tally of everything counted in either. All numbers are whole, so sums do not depend on
the order in which parts are added: learning from many pages at once, page by page, or on many machines gives the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.stable_hashing import Keys, combine, find_keys

Counts = NDArray[np.int64]

MOST_KEYS: Final = 200_000
"""Keys per table of a site: template positions, styles, texts, links. Sites of 300 pages have some thousands."""


@dataclass(frozen=True, eq=False)
class Tally:
    """n distinct keys of k parts, sorted, with c numbers each."""

    keys: Keys
    """uint64, shape (n, k)."""
    counts: Counts
    """int64, shape (n, c)."""

    def __len__(self) -> int:
        return len(self.keys)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return np.array_equal(self.keys, other.keys) and np.array_equal(self.counts, other.counts)

    def __hash__(self) -> int:
        return hash((self.keys.tobytes(), self.counts.tobytes()))


def tally(keys: Sequence[Keys], counts: Sequence[NDArray[np.generic]]) -> Tally:
    """Sum the numbers of equal keys. One array per part of the key, one array per number."""
    # Contiguous columns are several times as fast as rows.
    parts = [np.ascontiguousarray(part) for part in keys]
    order = np.lexsort(parts[::-1])
    parts = [part[order] for part in parts]
    is_new = np.zeros(len(order), dtype=bool)
    is_new[:1] = True
    for part in parts:
        is_new[1:] |= part[1:] != part[:-1]
    starts = np.flatnonzero(is_new)
    columns = [np.ascontiguousarray(column, dtype=np.int64)[order] for column in counts]
    sums = [np.add.reduceat(column, starts) if len(starts) else column for column in columns]
    return Tally(np.stack([part[starts] for part in parts], axis=1), np.stack(sums, axis=1))


def count_once(keys: Keys) -> Tally:
    """The distinct keys of a page, each counted once."""
    distinct = np.unique(keys)
    return Tally(distinct[:, None], np.ones((len(distinct), 1), dtype=np.int64))


def is_first(keys: Keys) -> Counts:
    """int64: 1 at the first occurrence of each key, so that a page counts once, else 0."""
    first = np.zeros(len(keys), dtype=np.int64)
    first[np.unique(keys, return_index=True)[1]] = 1
    return first


def counts_of(counted: Tally, keys: Keys) -> Counts:
    """int64, shape (keys, c): the numbers of each key, which has one part; 0 if it was not counted."""
    position = find_keys(counted.keys[:, 0], keys)
    counts = np.zeros((len(keys), counted.counts.shape[1]), dtype=np.int64)
    counts[position >= 0] = counted.counts[position[position >= 0]]
    return counts


def add_tallies(tallies: Sequence[Tally], most: int) -> Tally:
    """The sum, bounded to the `most` keys that a hash puts first.

    Bounding by hash keeps sums exact: a key among the first of the whole is among the first of every part it is in,
    so no part ever dropped a count of it.
    """
    keys = np.concatenate([part.keys for part in tallies])
    counts = np.concatenate([part.counts for part in tallies])
    total = tally(list(keys.T), list(counts.T))
    return total if len(total) <= most else _first_by_hash(total, most)


def _first_by_hash(total: Tally, most: int) -> Tally:
    hashes = reduce(combine, list(total.keys.T))
    kept = np.sort(np.argsort(hashes, kind="stable")[:most])
    return Tally(total.keys[kept], total.counts[kept])
