"""The text of a page by row and by block: its length, a key for the text of each block, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.page.characters import words_of
from dehusk.page.page_columns import RowMask, Rows
from dehusk.page.stable_hashing import Keys, keys_of

_LONGEST_CACHED: Final = 120
"""Longest row, in characters, whose words are cached: template rows recur on every page."""


@lru_cache(maxsize=1 << 14)
def _cached_words_of(text: str) -> tuple[str, ...]:
    return tuple(words_of(text))


@dataclass(frozen=True, eq=False)
class Words:
    """Words in order; one entry per word."""

    word: tuple[str, ...]
    row: Rows
    """int32: the text row it is in."""
    block: NDArray[np.intp]
    """Index of the block it is in."""

    @cached_property
    def key(self) -> Keys:
        """uint64: the key of the word."""
        return keys_of(self.word)


@dataclass(frozen=True, eq=False)
class TextRows:
    """Rows of a page that hold text, and the block of each; one entry per row unless noted."""

    blocks: Blocks
    row: Rows
    block: NDArray[np.intp]

    @cached_property
    def length(self) -> Rows:
        """int32: characters."""
        return self.blocks.page.text_length[self.row]

    @cached_property
    def size(self) -> NDArray[np.float64]:
        """float64, one entry per block: its characters in these rows."""
        return self.sum_of_blocks(self.length)

    @cached_property
    def text(self) -> Keys:
        """uint64, one entry per block: the key of its text in lower case; 0 if none of it is in these rows."""
        has_text = self.size > 0
        texts = [
            text.lower() if is_in else "" for text, is_in in zip(self.blocks.texts, has_text.tolist(), strict=True)
        ]
        return np.where(has_text, keys_of(texts), np.uint64(0))

    def sum_of_blocks(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """float64, one entry per block: the sum of a value over its rows."""
        return np.bincount(self.block, weights=values, minlength=len(self.blocks)).astype(np.float64)

    def mean_of_blocks(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64, one entry per block: the mean over its rows with a value, weighted by characters; NaN if none."""
        weight = np.where(np.isnan(values), 0, self.length)
        total, known = self.sum_of_blocks(np.nan_to_num(values) * weight), self.sum_of_blocks(weight)
        means: NDArray[np.float64] = np.full(len(self.blocks), np.nan)
        return np.divide(total, known, out=means, where=known > 0)

    @cached_property
    def words(self) -> Words:
        """The words in these rows."""
        of_rows = [
            _cached_words_of(text) if len(text) <= _LONGEST_CACHED else words_of(text)
            for text in self.blocks.page.texts(self.row)
        ]
        numbers = list(map(len, of_rows))
        return Words(tuple(chain.from_iterable(of_rows)), np.repeat(self.row, numbers), np.repeat(self.block, numbers))


def find_text_rows(blocks: Blocks, wanted: RowMask) -> TextRows:
    """The wanted rows that hold text in visible blocks."""
    shown = np.flatnonzero(~blocks.hidden)
    rows = np.flatnonzero(wanted & blocks.page.is_text & (blocks.page.text_length > 0)).astype(np.int32)
    position = np.searchsorted(blocks.first_row[shown], rows, side="right") - 1
    is_in_block = position >= 0
    return TextRows(blocks, rows[is_in_block], shown[position[is_in_block]])


def words_of_blocks(words: Words, chosen: NDArray[np.bool_]) -> dict[int, frozenset[str]]:
    """Block -> its chosen words, for blocks that have any."""
    found: dict[int, set[str]] = {}
    for index in np.flatnonzero(chosen).tolist():
        found.setdefault(int(words.block[index]), set()).add(words.word[index])
    return {block: frozenset(of_block) for block, of_block in found.items()}
