"""Character classes for counting: one table look-up for a whole page."""

from __future__ import annotations

import re
import unicodedata
from enum import IntFlag, auto
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.characters import UNSPACED


class CharacterClass(IntFlag):
    """Each character has exactly one of the first five flags; the others are additional."""

    LETTER = auto()
    """Letters and the marks that belong to them."""
    DIGIT = auto()
    PUNCTUATION = auto()
    WHITE = auto()
    OTHER = auto()

    UNSPACED = auto()
    """Letters of scripts without spaces between words: each counts as a word."""
    SENTENCE_MARK = auto()
    """May end a sentence."""
    WIDE_MARK = auto()
    """Ends a sentence even without a following space, as in Chinese and Japanese."""
    BEGINNING = auto()
    """May start a sentence: anything but a lower-case letter or closing or joining punctuation."""
    CLOSING = auto()
    """May follow the mark that ends a sentence: quotes and brackets."""
    JOINT = auto()
    """Joins the parts of a URL or mail address."""


_OF_CATEGORY: Final = {
    "L": CharacterClass.LETTER,
    "M": CharacterClass.LETTER,
    "N": CharacterClass.DIGIT,
    "P": CharacterClass.PUNCTUATION,
    "Z": CharacterClass.WHITE,
    "S": CharacterClass.OTHER,
    "C": CharacterClass.OTHER,
}
_BEGINNING: Final = frozenset({"Lu", "Lt", "Lm", "Lo", "Nd", "Nl", "No", "Ps", "Pi"})
_CLOSING: Final = frozenset({"Pe", "Pf"})
_QUOTES: Final = "\"'“”„‟‘’«»‹›"
"""Both opening and closing: some languages open with the quotes that others close with."""
_SIGNS: Final = {
    CharacterClass.SENTENCE_MARK: ".!?…‽؟۔।॥։።។။" + "。！？｡",
    CharacterClass.WIDE_MARK: "。！？｡",
    CharacterClass.BEGINNING: _QUOTES + "¿¡",
    CharacterClass.CLOSING: _QUOTES,
    CharacterClass.JOINT: ".:@",
}
_TABLE_SIZE: Final = 0x10000
"""The basic multilingual plane. Characters beyond it are rare and are looked up one by one."""


@cache
def _class_of_category(category: str) -> int:
    found = _OF_CATEGORY[category[0]]
    found |= CharacterClass.BEGINNING if category in _BEGINNING else 0
    found |= CharacterClass.CLOSING if category in _CLOSING else 0
    return int(found)


@cache
def _table() -> NDArray[np.uint16]:
    """uint16: the classes of every character of the basic plane. Built on first use: it takes ten milliseconds."""
    characters = "".join(map(chr, range(_TABLE_SIZE)))
    categories = map(unicodedata.category, characters)
    table = np.fromiter(map(_class_of_category, categories), dtype=np.uint16, count=_TABLE_SIZE)
    # White space as str.strip and str.split define it; NUL separates texts.
    table[[0, *(code for code, character in enumerate(characters) if character.isspace())]] = CharacterClass.WHITE
    for character_class, signs in _SIGNS.items():
        table[[ord(sign) for sign in signs]] |= np.uint16(character_class)
    for run in re.finditer(f"[{UNSPACED}]+", characters):
        letters = table[slice(*run.span())]
        letters[letters & np.uint16(CharacterClass.LETTER) != 0] |= np.uint16(CharacterClass.UNSPACED)
    table.setflags(write=False)
    return table


def classes_of(codes: NDArray[np.uint8] | NDArray[np.uint32]) -> NDArray[np.uint16]:
    """uint16: the `CharacterClass` of each code point."""
    # `take` is twice as fast as indexing, and "clip" skips the bounds check.
    classes = _table().take(codes, mode="clip")
    if codes.dtype != np.uint8 and (beyond := codes >= _TABLE_SIZE).any():
        rare, number = np.unique(codes[beyond], return_inverse=True)
        classes[beyond] = np.array([_class_beyond(chr(code)) for code in rare.tolist()], dtype=np.uint16)[number]
    return classes


def _class_beyond(character: str) -> int:
    """The class of a character outside the table; none of these is white space or in `_SIGNS`."""
    found = _class_of_category(unicodedata.category(character))
    return found | CharacterClass.UNSPACED if re.match(f"[{UNSPACED}]", character) else found
