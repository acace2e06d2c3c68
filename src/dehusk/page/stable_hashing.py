"""64-bit keys that are the same on every machine and in every process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

# The finaliser of SplitMix64 (Steele, Lea & Flood 2014): every bit of the input changes half of the output.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def combine(first: Keys, second: Keys) -> Keys:
    """uint64: one key for each pair; order matters."""
    mixed = first * _FIRST ^ (second + _GOLDEN + (first << np.uint64(6)))
    mixed ^= mixed >> np.uint64(30)
    mixed *= _SECOND
    mixed ^= mixed >> np.uint64(31)
    return mixed


def key_of_sequence(keys: Keys) -> Keys:
    """uint64, one entry: the key of all keys in their order; no entry without keys."""
    together: Keys = combine(keys, np.arange(len(keys), dtype=np.uint64)).sum(dtype=np.uint64, keepdims=True)
    return together[: len(keys)]


def key_of(text: str) -> int:
    """The key of a text: the first eight bytes of BLAKE2b."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


_remembered_key_of = lru_cache(maxsize=1 << 16)(key_of)
_LONGEST_REMEMBERED: Final = 120
"""Characters of a text whose key is remembered, to bound memory. Words, menu items and links come again and again."""


def keys_of(texts: Sequence[str]) -> Keys:
    """uint64: one key a text."""
    if max(map(len, texts), default=0) <= _LONGEST_REMEMBERED:
        return np.fromiter(map(_remembered_key_of, texts), dtype=np.uint64, count=len(texts))
    keys = [_remembered_key_of(text) if len(text) <= _LONGEST_REMEMBERED else key_of(text) for text in texts]
    return np.array(keys, dtype=np.uint64)


def find_keys(table: Keys, keys: Keys) -> NDArray[np.intp]:
    """Position of each key in a sorted table; -1 where it is not."""
    if not len(table):
        return np.full(len(keys), -1, dtype=np.intp)
    position = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[position] == keys, position, -1)
