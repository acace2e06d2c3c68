"""Characters, tokens and sentences of each text run, counted over the joined text of all text runs at once.

Four of five characters are letters, so the other classes are counted over the non-letters only.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.character_classes import CharacterClass, classes_of
from dehusk.methods.sequence_labels.text_runs import TextRuns

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]
Offsets = NDArray[np.intp]

_ALPHANUMERIC: Final = CharacterClass.LETTER | CharacterClass.DIGIT
_WIDE_ENCODING: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_MOST_CLOSING: Final = 2
"""Closing quotes and brackets skipped when looking for the end of a sentence: `"(... end.)"`."""


def _are(classes: NDArray[np.uint16], wanted: CharacterClass) -> Mask:
    """bool: characters in any of the wanted classes."""
    return np.asarray((classes & np.uint16(wanted)) != 0)


@dataclass(frozen=True, eq=False)
class TextCounts:
    """Counts of characters, tokens and sentences; one entry per text run unless noted."""

    runs: TextRuns

    @cached_property
    def _encoded(self) -> tuple[bytes, str]:
        """All texts, each followed by a NUL, and the encoding: one byte per character if possible."""
        # The parser never outputs a NUL.
        joined = "\0".join((*self.runs.texts, ""))
        try:
            return joined.encode("latin-1"), "latin-1"
        except UnicodeEncodeError:
            return joined.encode(_WIDE_ENCODING, "surrogatepass"), _WIDE_ENCODING

    @cached_property
    def _codes(self) -> NDArray[np.uint8] | NDArray[np.uint32]:
        """One entry a character."""
        encoded, encoding = self._encoded
        if encoding == "latin-1":
            return np.frombuffer(encoded, dtype=np.uint8)
        return np.frombuffer(encoded, dtype=np.uint32)

    @cached_property
    def _classes(self) -> NDArray[np.uint16]:
        """uint16, one entry per character: its `CharacterClass`."""
        return classes_of(self._codes)

    @cached_property
    def _is_letter(self) -> Mask:
        """bool, one entry per character."""
        return _are(self._classes, CharacterClass.LETTER)

    @cached_property
    def _signs(self) -> tuple[Offsets, NDArray[np.uint16]]:
        """Offsets of all non-letters, and their classes."""
        offsets = np.flatnonzero(~self._is_letter)
        return offsets, self._classes[offsets]

    def _offsets(self, wanted: CharacterClass) -> Offsets:
        """Offsets of the characters of a class without letters."""
        offsets, classes = self._signs
        return offsets[_are(classes, wanted)]

    @cached_property
    def _ends(self) -> Offsets:
        """Offset of the NUL after each text."""
        return np.flatnonzero(self._codes == 0)

    @cached_property
    def _starts(self) -> Offsets:
        return np.append(0, self._ends + 1)[:-1]

    def _count(self, offsets: Offsets) -> Counts:
        """int64: how many of some ascending offsets in the joined text are in each text."""
        up_to_end = offsets.searchsorted(self._ends)
        up_to_end[1:] -= up_to_end[:-1].copy()
        return up_to_end

    @cached_property
    def letters(self) -> Counts:
        """int64: letters."""
        signs = self._count(self._signs[0])
        signs[1:] -= 1  # the NUL after the previous text
        return self._ends - self._starts - signs

    @cached_property
    def digits(self) -> Counts:
        """int64: digits."""
        return self._count(self._digit_offsets)

    @cached_property
    def _digit_offsets(self) -> Offsets:
        return self._offsets(CharacterClass.DIGIT)

    @cached_property
    def first_digit(self) -> Counts:
        """int64: characters before the first digit; meaningless where there is none."""
        following = np.append(self._digit_offsets, 0)
        return following[self._digit_offsets.searchsorted(self._starts)] - self._starts

    @cached_property
    def punctuation(self) -> Counts:
        """int64: punctuation marks."""
        return self._count(self._offsets(CharacterClass.PUNCTUATION))

    @cached_property
    def other(self) -> Counts:
        """int64: symbols and all other characters."""
        return self._count(self._offsets(CharacterClass.OTHER))

    @cached_property
    def white(self) -> Counts:
        """int64: stretches of white space, which a browser shows as one space each."""
        count = self._count(self._white_ends)
        count[1:] -= 1  # the NUL after the previous text
        return count

    @cached_property
    def _white_ends(self) -> Offsets:
        """The last character of each stretch of white space, including the NUL after each text (texts are stripped)."""
        white = self._offsets(CharacterClass.WHITE)
        return white[np.append(white[1:] != white[:-1] + 1, True)] if len(white) else white

    @cached_property
    def characters(self) -> Counts:
        """int64: all characters, at least 1."""
        return self.letters + self.digits + self.punctuation + self.white + self.other

    @cached_property
    def tokens(self) -> Counts:
        """int64, runs x 4: tokens with neither letters nor digits, with letters alone, with digits alone, with both.

        Tokens are separated by white space (the paper, footnote 5). In scripts without spaces between words each letter
        is a token.
        """
        starts = self._token_starts()
        # Most tokens start with a letter and have no digit: only the others need a closer look.
        is_special = ~self._is_letter[starts]
        is_special[starts.searchsorted(self._digit_offsets, side="right") - 1] = True
        special = np.flatnonzero(is_special)
        bounds = np.column_stack((starts[special], np.append(starts, len(self._codes) - 1)[special + 1])).ravel()
        made_of = np.bitwise_or.reduceat(self._classes, bounds)[::2] & np.uint16(_ALPHANUMERIC)
        run = self._ends.searchsorted(bounds[::2])
        counts = np.bincount(4 * run + made_of, minlength=4 * len(self.runs)).reshape(-1, 4)
        counts[:, CharacterClass.LETTER] += self._count(starts) - counts.sum(axis=1)
        return counts

    def _token_starts(self) -> Offsets:
        after_white = np.append(0, self._white_ends + 1)[:-1]
        unspaced = _are(self._classes, CharacterClass.UNSPACED)
        if not unspaced.any():
            return after_white
        starts = unspaced.copy()
        starts[1:] |= unspaced[:-1] & _are(self._classes[1:], _ALPHANUMERIC)
        starts[after_white] = True
        return np.flatnonzero(starts)

    @cached_property
    def token_count(self) -> Counts:
        """int64: all tokens, at least 1."""
        return np.asarray(self.tokens.sum(axis=1))

    @cached_property
    def words(self) -> Counts:
        """int64: tokens with letters and no digits."""
        return self.tokens[:, CharacterClass.LETTER]

    @cached_property
    def sentences(self) -> Counts:
        """int64: sentence-ending marks; not those in `3.14` and `a.example`, and only the last dot of `...`."""
        marks = self._offsets(CharacterClass.SENTENCE_MARK)
        following = self._classes[marks + 1]
        goes_on = _are(following, _ALPHANUMERIC) & ~_are(self._classes[marks], CharacterClass.WIDE_MARK)
        return self._count(marks[~goes_on & ~_are(following, CharacterClass.SENTENCE_MARK)])

    @cached_property
    def begins_sentence(self) -> Mask:
        """bool: the text starts as a sentence does."""
        return _are(self._classes[self._starts], CharacterClass.BEGINNING)

    @cached_property
    def ends_sentence(self) -> Mask:
        """bool: the text ends as a sentence does."""
        last = self._ends - 1
        for _ in range(_MOST_CLOSING):
            last = last - (_are(self._classes[last], CharacterClass.CLOSING) & (last > self._starts))
        return _are(self._classes[last], CharacterClass.SENTENCE_MARK)

    @cached_property
    def has_joint(self) -> Mask:
        """bool: the text has a character that joins the parts of a URL, not followed by white space."""
        joints = self._offsets(CharacterClass.JOINT)
        return self._count(joints[~_are(self._classes[joints + 1], CharacterClass.WHITE)]) > 0

    @cached_property
    def may_be_bullet(self) -> Mask:
        """bool: the text starts with a non-letter, or with a single letter before punctuation."""
        second = self._classes[self._starts + 1]
        return ~self._is_letter[self._starts] | _are(second, CharacterClass.PUNCTUATION)

    @cached_property
    def twins(self) -> Counts:
        """int64: the number of the set of text runs with the same letters; sets are numbered by their first members.

        Only letters count, so all text runs without letters are twins.
        """
        # Twins have the same number of letters, which rules out most long text runs.
        could_be = np.bincount(self.letters)[self.letters] > 1 if len(self.runs) else np.zeros(0, dtype=bool)
        kept = self._is_letter & np.repeat(could_be, self._ends - self._starts + 1)
        kept[self._ends[could_be]] = True
        letters = self._codes[kept].tobytes().decode(self._encoded[1], "surrogatepass").split("\0")
        keys: list[str | int] = list(range(len(self.runs)))
        for index, key in zip(np.flatnonzero(could_be).tolist(), letters, strict=False):  # nothing after the last NUL
            keys[index] = key
        numbers: dict[str | int, int] = {}
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
