"""The words of many texts as 64-bit hashes, all at once and without making a string of any.

The hash of a word is a polynomial in its characters modulo 2^64: differences of one running sum give the hashes of all
words, once each is brought back to the beginning by the inverse of the base. Words are those of `page.characters`: runs
of letters and digits in lower case, or single letters of scripts that put no blanks between words. Numbers of equally
many digits are one word.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.characters import UNSPACED
from dehusk.page.page_columns import make_read_only

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
Places = NDArray[np.intp]

_WIDE_ENCODING: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_TABLE_SIZE: Final = 0x10000
_BASE: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_BASE, -1, 1 << 64)
_PIECE: Final = 1 << 16
"""Characters for which powers of the base are kept, which begin anew there; the word across is hashed differently."""
_MIX: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
"""The finaliser of SplitMix64: the high bits of a polynomial depend on all characters only after mixing."""


@dataclass(frozen=True, eq=False)
class HashedWords:
    """The words of some texts. Arrays are read-only."""

    hashes: Hashes
    """uint64, one entry per word, one text after the other."""
    start: NDArray[np.int64]
    """int64, texts + 1 entries: where the words of each text begin."""

    def __post_init__(self) -> None:
        make_read_only(self)


@dataclass(frozen=True, eq=False)
class JoinedTexts:
    """The characters of some texts, each followed by a NUL. Arrays are read-only."""

    codes: Codes
    starts: Places
    ends: Places

    def __post_init__(self) -> None:
        make_read_only(self)


def join_texts(texts: tuple[str, ...]) -> JoinedTexts:
    """Texts without NUL: the parser lets none through."""
    joined = "\0".join((*texts, ""))
    codes = np.frombuffer(joined.encode(_WIDE_ENCODING, "surrogatepass"), dtype=np.uint32)
    ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.intp, count=len(texts)) + 1) - 1
    starts = np.zeros_like(ends)
    starts[1:] = ends[:-1] + 1
    return JoinedTexts(codes, starts, ends)


def hash_words(joined: JoinedTexts) -> HashedWords:
    """The hashes of all words of some texts."""
    lower, kind = _lower_and_kind(joined.codes)
    in_word = kind > 0
    # A word begins where a character of words follows none; a letter that is a word by itself also ends the one before.
    alone = kind == _ALONE
    begins = in_word.copy()
    begins[1:] &= ~in_word[:-1] | alone[1:] | alone[:-1]
    closes = in_word.copy()
    closes[:-1] &= ~in_word[1:] | begins[1:]
    first, last = np.flatnonzero(begins), np.flatnonzero(closes)
    start = np.zeros(len(joined.starts) + 1, dtype=np.int64)
    start[1:] = np.searchsorted(first, joined.ends)
    hashes = _hashes(lower, first, last)
    digits = np.concatenate(([0], np.cumsum(kind == _DIGIT)))
    length = last + 1 - first
    numbers = np.flatnonzero(digits[last + 1] - digits[first] == length)
    hashes[numbers] = _NUMBERS[np.minimum(length[numbers], len(_NUMBERS)) - 1]
    return HashedWords(hashes, start)


def _hashes(codes: Hashes, first: Places, last: Places) -> Hashes:
    powers, inverses = _powers()
    place = np.arange(len(codes)) & (_PIECE - 1) if len(codes) > _PIECE else slice(len(codes))
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(codes * powers[place], out=sums[1:])
    hashes = (sums[last + 1] - sums[first]) * inverses[first & (_PIECE - 1)]
    for constant in _MIX:
        hashes ^= hashes >> np.uint64(30)
        hashes *= constant
    return np.asarray(hashes ^ (hashes >> np.uint64(31)), dtype=np.uint64)


@cache
def _powers() -> tuple[Hashes, Hashes]:
    """uint64: powers of the base and of its inverse."""

    def powers(base: int) -> Hashes:
        factors = np.full(_PIECE, base, dtype=np.uint64)
        factors[0] = 1
        return np.cumprod(factors, dtype=np.uint64)

    return powers(_BASE), powers(_INVERSE)


_IN_WORD: Final = 1
_ALONE: Final = 2
_DIGIT: Final = 3
_NUMBERS: Final = np.arange(1, 6, dtype=np.uint64) << np.uint64(50)
"""What stands for all numbers of one, two, three, four and more digits: which number it is says nothing."""


@cache
def _tables() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """uint64: the lower case of each character of the basic plane; uint8: whether it is in words, or one alone."""
    characters = "".join(map(chr, range(_TABLE_SIZE)))
    lower = np.arange(_TABLE_SIZE, dtype=np.uint64)
    kind = np.zeros(_TABLE_SIZE, dtype=np.uint8)
    for run in re.finditer(r"\w+", characters):
        kind[slice(*run.span())] = _IN_WORD
        for code in range(*run.span()):
            small = characters[code].lower()
            lower[code] = ord(small) if len(small) == 1 else code
    for run in re.finditer(r"\d+", characters):
        kind[slice(*run.span())] = _DIGIT
    for run in re.finditer(f"[{UNSPACED}]+", characters):
        kind[slice(*run.span())] = _ALONE
    for table in (lower, kind):
        table.setflags(write=False)
    return lower, kind


def _lower_and_kind(codes: Codes) -> tuple[Hashes, NDArray[np.uint8]]:
    lower_table, kind_table = _tables()
    lower, kind = lower_table.take(codes, mode="clip"), kind_table.take(codes, mode="clip")
    if codes.max(initial=0) >= _TABLE_SIZE:
        beyond = codes >= _TABLE_SIZE
        rare, number = np.unique(codes[beyond], return_inverse=True)
        lower[beyond] = codes[beyond]
        kind[beyond] = np.array(list(map(_kind_beyond, rare.tolist())), dtype=np.uint8)[number]
    return lower, kind


def _kind_beyond(code: int) -> int:
    """Pictures, or letters of rare scripts."""
    character = chr(code)
    return _ALONE if re.match(f"[{UNSPACED}]", character) else _IN_WORD * character.isalnum()
