"""Character kinds for the network's features: one table lookup for a whole page.

`sequence_labels.character_classes` has a table of its own, because the two disagree on white space, control characters,
sentence marks and characters beyond the basic plane, and trained weights depend on each.
"""

from __future__ import annotations

import unicodedata
from enum import IntFlag, auto
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray


class CharacterKind(IntFlag):
    """The kinds counted in each block."""

    LETTER = auto()
    DIGIT = auto()
    UPPER = auto()
    PUNCTUATION = auto()
    COMMA = auto()
    STOP = auto()
    """Ends a sentence."""
    SIGN = auto()
    """Neither letter, digit, punctuation nor white space: currency, arrows, pictures."""
    SEPARATOR = auto()
    """Separates the items of a menu or a line of facts."""


_OF_CATEGORY: Final = {
    "L": CharacterKind.LETTER,
    "M": CharacterKind.LETTER,
    "N": CharacterKind.DIGIT,
    "P": CharacterKind.PUNCTUATION,
    "S": CharacterKind.SIGN,
    "C": CharacterKind.SIGN,
}
_MARKS: Final = {
    CharacterKind.COMMA: ",，、،;；",
    CharacterKind.STOP: ".!?…؟۔।॥։።。！？｡",
    CharacterKind.SEPARATOR: "|»›·•/>→:：©",
}
_TABLE_SIZE: Final = 0x10000
"""The few characters beyond count as the last one of the table, which has no kind."""
_FIELDS: Final = 3
_FIELD_BITS: Final = 21
_SHIFTS: Final = np.arange(_FIELDS) * _FIELD_BITS
_GROUPS: Final = -(-len(CharacterKind) // _FIELDS)
_FIELD_MASK: Final = (1 << _FIELD_BITS) - 1
"""Two million: no text of a page is that long, and if one were, only its counts would be wrong."""


@cache
def _table() -> NDArray[np.uint8]:
    """uint8: the kinds of every character of the basic plane. Built on first use, in ten milliseconds."""
    kinds = np.zeros(_TABLE_SIZE, dtype=np.uint8)
    for code, category in enumerate(map(unicodedata.category, map(chr, range(_TABLE_SIZE - 1)))):
        kinds[code] = _OF_CATEGORY.get(category[0], 0) | (CharacterKind.UPPER if category == "Lu" else 0)
    for kind, marks in _MARKS.items():
        kinds[[ord(mark) for mark in marks]] |= np.uint8(kind)
    kinds[: ord(" ")] = 0
    kinds.setflags(write=False)
    return kinds


def kinds_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """uint8: the `CharacterKind` of each code point."""
    return _table().take(codes, mode="clip")


@cache
def _packed_table(group: int) -> NDArray[np.int64]:
    """int64: for each set of kinds, 1 in the field of each kind that is in the group."""
    members = tuple(CharacterKind)[group * _FIELDS : (group + 1) * _FIELDS]
    fields = [(1 << (_FIELD_BITS * place), int(kind)) for place, kind in enumerate(members)]
    return np.array([sum(one for one, kind in fields if kinds & kind) for kinds in range(256)], dtype=np.int64)


def count_kinds(
    kinds: NDArray[np.uint8], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> dict[CharacterKind, NDArray[np.float32]]:
    """float32, one entry per text: its characters of each kind. Texts are `starts : ends`.

    Three kinds share a number, a field of bits each, so that one running sum counts them all.
    """
    packed = np.empty((_GROUPS, len(starts)), dtype=np.int64)
    sums = np.zeros(len(kinds) + 1, dtype=np.int64)
    for group in range(_GROUPS):
        np.cumsum(_packed_table(group).take(kinds), out=sums[1:])
        np.subtract(sums[ends], sums[starts], out=packed[group])
    counts = ((packed[:, None] >> _SHIFTS[:, None]) & _FIELD_MASK).astype(np.float32)
    return dict(zip(CharacterKind, counts.reshape(_GROUPS * _FIELDS, len(starts)), strict=False))
