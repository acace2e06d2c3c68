"""Hashed tokens: the names of the elements around a block, and its first and last words.

Blocks share most of their ancestors, and many elements have the same names: tokens belong to elements, elements with
the same names are one, and each block says which of them stand above it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.page_network.block_texts import BlockTexts
from dehusk.methods.page_network.word_hashes import HashedWords
from dehusk.page.page_columns import Page, make_read_only
from dehusk.page.tags import ATTRIBUTE_CODES, TAGS

TABLE_BITS: Final = 14
TABLE_SIZE: Final = 1 << TABLE_BITS
LEVELS: Final = 9
"""Elements per block: the closest one, then the block-level one and its ancestors."""
WORDS_AT_EACH_END: Final = 5

_MOST_NAMES: Final = 8
"""Names of one element that are read: utility style sheets give an element fifty."""
_LONGEST_VALUE: Final = 200
"""Characters of an attribute that are read, for the same reason."""
_NAMING: Final = ("class", "id", "role", "itemprop", "rel")
_IS_NAMING: Final = np.isin(np.arange(len(ATTRIBUTE_CODES)), [ATTRIBUTE_CODES[name] for name in _NAMING])
_NAME: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|[^\W\d_a-zA-Z]{2,}")
"""A word within a name: `postBody`, `post-body` and `POST_BODY2` are `post` and `body`."""

Tokens = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class PageTokens:
    """Tokens of a page of m blocks. Arrays are read-only."""

    element_tokens: Tokens
    """uint16: names of elements, one element after the other."""
    element_start: NDArray[np.int64]
    """int64, elements + 1 entries: where each element's tokens begin. The last element has none."""
    levels: NDArray[np.int32]
    """int32, m x LEVELS: the elements above each block; the last element where there are no more."""
    word_tokens: Tokens
    """uint16: words of blocks, one block after the other."""
    word_start: NDArray[np.int64]
    """int64, m + 1 entries: where each block's words begin."""

    def __post_init__(self) -> None:
        make_read_only(self)


def find_tokens(blocks: Blocks, texts: BlockTexts) -> PageTokens:
    """The tokens of every block of a page."""
    rows, levels = _elements_above(blocks)
    names = _naming_values(blocks.page, rows)
    elements = zip(blocks.page.tag[rows].tolist(), map(names.get, rows.tolist()), strict=True)
    number_of: defaultdict[tuple[int, tuple[str, ...] | None], int] = defaultdict(count().__next__)
    numbers = list(map(number_of.__getitem__, elements))
    tag_names = (*TAGS, *blocks.page.other_tags)
    found = [_element_tokens(tag_names[tag], values or ()) for tag, values in number_of]
    flat = list(chain.from_iterable(found))
    element_start = np.concatenate(([0], np.cumsum(np.array([*map(len, found), 0], dtype=np.int64))))
    levels = np.array([*numbers, len(found)], dtype=np.int32)[levels]
    return PageTokens(np.array(flat, dtype=np.uint16), element_start, levels, *_word_tokens(texts.hashed))


def _elements_above(blocks: Blocks) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Rows of the elements above any block, and m x LEVELS indexes of these (one past the last for none)."""
    page = blocks.page
    above = np.empty((LEVELS, len(blocks)), dtype=np.int32)
    above[0] = page.parent[blocks.first_row]
    above[1] = blocks.owner
    parent = np.append(page.parent, np.int32(-1))  # of none: none
    for level in range(2, LEVELS):
        above[level] = parent[above[level - 1]]
    # The closest element is often the block-level one: then it counts once.
    above[0, above[0] == above[1]] = -1
    number = np.zeros(len(page) + 1, dtype=np.int32)
    number[above] = 1  # -1 marks the last entry, which is no row
    rows = np.flatnonzero(number[:-1]).astype(np.int32)
    number[:] = len(rows)
    number[rows] = np.arange(len(rows))
    return rows, number[above.T]


def _naming_values(page: Page, rows: NDArray[np.int32]) -> dict[int, tuple[str, ...]]:
    """By row, for some rows: the values of attributes that name an element."""
    is_wanted = np.zeros(len(page), dtype=bool)
    is_wanted[rows] = True
    indexes = np.flatnonzero(_IS_NAMING[page.attribute_name] & is_wanted[page.attribute_row])
    values: dict[int, tuple[str, ...]] = {}
    for row, index in zip(page.attribute_row[indexes].tolist(), indexes.tolist(), strict=True):
        values[row] = (*values.get(row, ()), page.attribute_value[index])
    return values


@lru_cache(maxsize=20_000)  # most elements are named like others of their page and site
def _element_tokens(tag: str, values: tuple[str, ...]) -> tuple[int, ...]:
    """The tag and the words of the names, hashed; each once."""
    words = (word.lower() for value in values for word in _NAME.findall(value[:_LONGEST_VALUE]))
    distinct = dict.fromkeys(words)
    return (token_of(f"<{tag[:_LONGEST_VALUE]}"), *map(token_of, list(distinct)[:_MOST_NAMES]))


def token_of(word: str) -> int:
    """The number of a word, from 0 to `TABLE_SIZE`; the same on every machine."""
    return crc32(word.encode("utf-8", "surrogatepass")) % TABLE_SIZE


def _word_tokens(words: HashedWords) -> tuple[Tokens, NDArray[np.int64]]:
    """The first and last words of every block, all of short ones, and where each block's begin."""
    most = 2 * WORDS_AT_EACH_END
    there = np.diff(words.start)
    taken = np.minimum(there, most)
    start = np.concatenate(([0], np.cumsum(taken)))
    number = np.arange(start[-1]) - np.repeat(start[:-1], taken)
    left_out = np.repeat(there - taken, taken) * (number >= WORDS_AT_EACH_END)
    chosen = words.hashes[np.repeat(words.start[:-1], taken) + number + left_out]
    return (chosen >> np.uint64(64 - TABLE_BITS)).astype(np.uint16), start
