"""Characters, tokens and sentences of each piece, counted over the joined text of all pieces at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.pieces.character_classes import CharacterClass, classes_of
from dehusk.pieces.columns import Pieces

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]

_ALPHANUMERIC = CharacterClass.LETTER | CharacterClass.DIGIT
_MOST_CLOSING = 2
"""Closing quotes and brackets that are looked past for the end of a sentence: `"(... end.)"`."""


@dataclass(frozen=True, eq=False)
class TextCounts:
    """What the texts of some pieces are made of; one entry a piece unless said otherwise."""

    pieces: Pieces

    @cached_property
    def _encoded(self) -> tuple[bytes, str]:
        """All texts, each followed by a NUL, and the encoding: one byte a character if all of them allow it."""
        # The parser never lets a NUL through.
        joined = "\0".join((*self.pieces.texts, ""))
        try:
            return joined.encode("latin-1"), "latin-1"
        except UnicodeEncodeError:
            return joined.encode("utf-32-le", "surrogatepass"), "utf-32-le"

    @cached_property
    def _codes(self) -> NDArray[np.uint8] | NDArray[np.uint32]:
        encoded, encoding = self._encoded
        return np.frombuffer(encoded, dtype=np.uint8 if encoding == "latin-1" else np.dtype("<u4"))

    @cached_property
    def _classes(self) -> NDArray[np.uint16]:
        return classes_of(self._codes)

    @cached_property
    def _ends(self) -> Counts:
        """int64: where the NUL after each text is."""
        return np.flatnonzero(self._codes == 0)

    @cached_property
    def _starts(self) -> Counts:
        return np.concatenate((np.zeros(1, dtype=np.int64), self._ends + 1))[: len(self.pieces)]

    def _is(self, character_class: CharacterClass) -> Mask:
        """bool, one entry a character."""
        return (self._classes & np.uint16(character_class)) != 0

    def _sums(self, mask: Mask) -> Counts:
        """int64: how many characters of each text are in the mask."""
        if not len(self.pieces):
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(mask.view(np.uint8), self._starts, dtype=np.int64)

    def _count_places(self, places: NDArray[np.intp]) -> Counts:
        """int64: how many of some rising places in the joined text are in each text."""
        return np.diff(np.searchsorted(places, self._ends), prepend=0)

    @cached_property
    def letters(self) -> Counts:
        """int64: letters."""
        return self._sums(self._is_letter)

    @cached_property
    def _is_letter(self) -> Mask:
        return self._is(CharacterClass.LETTER)

    @cached_property
    def digits(self) -> Counts:
        """int64: digits."""
        return self._count_places(np.flatnonzero(self._is(CharacterClass.DIGIT)))

    @cached_property
    def punctuation(self) -> Counts:
        """int64: punctuation marks."""
        return self._count_places(np.flatnonzero(self._is(CharacterClass.PUNCTUATION)))

    @cached_property
    def other(self) -> Counts:
        """int64: signs and whatever else is to be seen."""
        return self._count_places(np.flatnonzero(self._is(CharacterClass.OTHER)))

    @cached_property
    def white(self) -> Counts:
        """int64: runs of white space between others: a browser shows one blank for each."""
        before_run = np.flatnonzero(self._is_white[1:] & ~self._is_white[:-1])
        return self._count_places(before_run) - 1  # the NUL after each text is a run, too

    @cached_property
    def _is_white(self) -> Mask:
        return self._is(CharacterClass.WHITE)

    @cached_property
    def characters(self) -> Counts:
        """int64: all characters, at least 1."""
        return self.letters + self.digits + self.punctuation + self.white + self.other

    @cached_property
    def tokens(self) -> Counts:
        """int64, pieces x 4: tokens with neither letters nor digits, with letters alone, with digits alone, with both.

        A token is what stands between white space (the paper, footnote 5). Letters of scripts without blanks between
        words are tokens each.
        """
        starts = np.flatnonzero(self._starts_token())
        if not len(starts):
            return np.zeros((0, 4), dtype=np.int64)
        made_of = np.bitwise_or.reduceat(self._classes, starts) & np.uint16(_ALPHANUMERIC)
        piece = np.searchsorted(self._ends, starts)
        return np.bincount(4 * piece + made_of, minlength=4 * len(self.pieces)).reshape(-1, 4)

    def _starts_token(self) -> Mask:
        """bool, one entry a character."""
        starts = ~self._is_white
        after_white = np.append(True, self._is_white[:-1])
        unspaced = self._is(CharacterClass.UNSPACED)
        if not unspaced.any():
            return starts & after_white
        after_unspaced = np.append(False, unspaced[:-1]) & self._is(_ALPHANUMERIC)
        return starts & (after_white | unspaced | after_unspaced)

    @cached_property
    def token_count(self) -> Counts:
        """int64: all tokens, at least 1."""
        return self.tokens.sum(axis=1)

    @cached_property
    def words(self) -> Counts:
        """int64: tokens with letters alone."""
        return self.tokens[:, CharacterClass.LETTER]

    @cached_property
    def sentences(self) -> Counts:
        """int64: marks that end a sentence. `3.14`, `a.example` and the first dots of `...` do not."""
        marks = np.flatnonzero(self._is(CharacterClass.SENTENCE_MARK))
        following = self._classes[marks + 1]
        is_wide = self._classes[marks] & np.uint16(CharacterClass.WIDE_MARK) != 0
        goes_on = (following & np.uint16(_ALPHANUMERIC) != 0) & ~is_wide
        is_last = following & np.uint16(CharacterClass.SENTENCE_MARK) == 0
        return self._count_places(marks[is_last & ~goes_on])

    @cached_property
    def begins_sentence(self) -> Mask:
        """bool: the text starts as a sentence does."""
        return self._classes[self._starts] & np.uint16(CharacterClass.BEGINNING) != 0

    @cached_property
    def ends_sentence(self) -> Mask:
        """bool: the text ends as a sentence does."""
        last = self._ends - 1
        for _ in range(_MOST_CLOSING):
            is_closing = self._classes[last] & np.uint16(CharacterClass.CLOSING) != 0
            last = last - (is_closing & (last > self._starts))
        return self._classes[last] & np.uint16(CharacterClass.SENTENCE_MARK) != 0

    @cached_property
    def has_joint(self) -> Mask:
        """bool: the text has a sign that joins the parts of an address, with no blank after it."""
        joints = np.flatnonzero(self._is(CharacterClass.JOINT))
        return self._count_places(joints[~self._is_white[joints + 1]]) > 0

    @cached_property
    def may_be_bullet(self) -> Mask:
        """bool: the text does not start with two letters."""
        return ~(self._is_letter[self._starts] & self._is_letter[self._starts + 1])

    @cached_property
    def twins(self) -> Counts:
        """int64: number of the set of pieces with the same letters, from 0 in the order of their first pieces.

        White space and whatever is no letter do not count, so all pieces without letters are twins.
        """
        encoding = self._encoded[1]
        kept = self._codes[self._is_letter | (self._codes == 0)]
        letters = kept.tobytes().decode(encoding, "surrogatepass").split("\0")[:-1]
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(text, len(numbers)) for text in letters], dtype=np.int64)
