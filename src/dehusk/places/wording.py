"""The words of a page as keys, and the text of each block as one key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks
from dehusk.page.characters import words_of
from dehusk.page.columns import RowMask, Rows
from dehusk.places.hashing import Keys, KeyTable, combine

_LAST_BIT: Final = np.uint64(1)


def word_keys(texts: list[str], keys: KeyTable) -> Keys:
    """uint64, even: the keys of words."""
    return keys.keys_of(texts) & ~_LAST_BIT


def address_keys(addresses: list[str], keys: KeyTable) -> Keys:
    """uint64, odd: the keys of addresses, so that they can be told from words."""
    return keys.keys_of(addresses) | _LAST_BIT


def is_word(keys: Keys) -> NDArray[np.bool_]:
    """bool: keys of words, not of addresses."""
    return np.asarray((keys & _LAST_BIT) == 0)


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of some rows of a page, in order; arrays have one entry a word unless said otherwise."""

    blocks: Blocks
    row: Rows
    """int32: the text row a word is in."""
    word: tuple[str, ...]
    key: Keys
    """uint64: see `word_keys`."""
    block: NDArray[np.intp]
    """Number of the block it is in."""

    @cached_property
    def number(self) -> NDArray[np.intp]:
        """One entry a block: how many words it has."""
        return np.bincount(self.block, minlength=len(self.blocks))

    @cached_property
    def text(self) -> Keys:
        """uint64, one entry a block: the key of its words in their order; 0 without words."""
        start = np.cumsum(self.number) - self.number
        position = (np.arange(len(self.block)) - start[self.block]).astype(np.uint64)
        text = np.zeros(len(self.blocks), dtype=np.uint64)
        np.add.at(text, self.block, combine(self.key, position))
        return text

    def block_means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64, one entry a block: the mean of a value over its words that have one; NaN where none has."""
        known = ~np.isnan(values)
        number = np.bincount(self.block[known], minlength=len(self.blocks))
        total = np.bincount(self.block[known], weights=values[known], minlength=len(self.blocks))
        means: NDArray[np.float64] = np.full(len(self.blocks), np.nan)
        return np.divide(total, number, out=means, where=number > 0)


def read_wording(blocks: Blocks, wanted: RowMask, keys: KeyTable) -> Wording:
    """The words in the wanted rows. `keys` saves hashing the same word again; it changes no result."""
    page = blocks.page
    shown = np.flatnonzero(~blocks.hidden)
    rows = np.flatnonzero(wanted & page.is_text & (page.text_length > 0))
    position = np.searchsorted(blocks.first_row[shown], rows, side="right") - 1
    rows, position = rows[position >= 0], position[position >= 0]
    numbers: list[int] = []
    words: list[str] = []
    for start, end in zip(page.text_start[rows].tolist(), page.text_end[rows].tolist(), strict=True):
        found = words_of(page.text[start:end])
        numbers.append(len(found))
        words += found
    row = np.repeat(rows, numbers).astype(np.int32)
    return Wording(blocks, row, tuple(words), word_keys(words, keys), np.repeat(shown[position], numbers))
