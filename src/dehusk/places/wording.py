"""The words of a page as keys, and the text of each block as one key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks
from dehusk.page.characters import words_of
from dehusk.page.columns import RowMask, Rows
from dehusk.places.hashing import Keys, keys_of


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of some rows of a page, in order; arrays have one entry a word unless said otherwise."""

    blocks: Blocks
    row: Rows
    """int32: the text row a word is in."""
    word: tuple[str, ...]
    block: NDArray[np.intp]
    """Number of the block it is in."""

    @cached_property
    def key(self) -> Keys:
        """uint64: the key of the word."""
        return keys_of(self.word)

    @cached_property
    def number(self) -> NDArray[np.intp]:
        """One entry a block: how many words it has."""
        return np.bincount(self.block, minlength=len(self.blocks))

    @cached_property
    def text(self) -> Keys:
        """uint64, one entry a block: the key of its words in their order; 0 without words."""
        end = np.cumsum(self.number)
        bounds = zip((end - self.number).tolist(), end.tolist(), strict=True)
        texts = keys_of([" ".join(self.word[first:last]) for first, last in bounds])
        return np.where(self.number > 0, texts, np.uint64(0))

    def block_means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64, one entry a block: the mean of a value over its words that have one; NaN where none has."""
        known = ~np.isnan(values)
        number = np.bincount(self.block[known], minlength=len(self.blocks))
        total = np.bincount(self.block[known], weights=values[known], minlength=len(self.blocks))
        means: NDArray[np.float64] = np.full(len(self.blocks), np.nan)
        return np.divide(total, number, out=means, where=number > 0)


def read_wording(blocks: Blocks, wanted: RowMask) -> Wording:
    """The words in the wanted rows."""
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
    return Wording(blocks, row, tuple(words), np.repeat(shown[position], numbers))
