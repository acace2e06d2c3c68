"""Characters, tokens and sentences of each piece, counted over the joined text of all pieces at once.

Four of five characters are letters, so everything else is counted where the others are.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.character_classes import CharacterClass, classes_of
from dehusk.methods.sequence_labels.text_runs import Pieces

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

_ALPHANUMERIC: Final = CharacterClass.LETTER | CharacterClass.DIGIT
_WIDE_ENCODING: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_MOST_CLOSING: Final = 2
"""Closing quotes and brackets that are looked past for the end of a sentence: `"(... end.)"`."""


def _are(classes: NDArray[np.uint16], wanted: CharacterClass) -> Mask:
    """bool: characters that are of any of the wanted classes."""
    return np.asarray((classes & np.uint16(wanted)) != 0)


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
        """uint16, one entry a character: its `CharacterClass`."""
        return classes_of(self._codes)

    @cached_property
    def _is_letter(self) -> Mask:
        """bool, one entry a character."""
        return _are(self._classes, CharacterClass.LETTER)

    @cached_property
    def _signs(self) -> tuple[Places, NDArray[np.uint16]]:
        """Where all characters are that are not letters, and their classes."""
        places = np.flatnonzero(~self._is_letter)
        return places, self._classes[places]

    def _places(self, wanted: CharacterClass) -> Places:
        """Where the characters of a class are that holds no letters."""
        places, classes = self._signs
        return places[_are(classes, wanted)]

    @cached_property
    def _ends(self) -> Places:
        """Where the NUL after each text is."""
        return np.flatnonzero(self._codes == 0)

    @cached_property
    def _starts(self) -> Places:
        return np.append(0, self._ends + 1)[:-1]

    def _count(self, places: Places) -> Counts:
        """int64: how many of some rising places in the joined text are in each text."""
        up_to_end = places.searchsorted(self._ends)
        up_to_end[1:] -= up_to_end[:-1].copy()
        return up_to_end

    @cached_property
    def letters(self) -> Counts:
        """int64: letters."""
        signs = self._count(self._signs[0])
        signs[1:] -= 1  # the NUL after the text before
        return self._ends - self._starts - signs

    @cached_property
    def digits(self) -> Counts:
        """int64: digits."""
        return self._count(self._digit_places)

    @cached_property
    def _digit_places(self) -> Places:
        return self._places(CharacterClass.DIGIT)

    @cached_property
    def first_digit(self) -> Counts:
        """int64: characters before the first digit; meaningless where there is none."""
        following = np.append(self._digit_places, 0)
        return following[self._digit_places.searchsorted(self._starts)] - self._starts

    @cached_property
    def punctuation(self) -> Counts:
        """int64: punctuation marks."""
        return self._count(self._places(CharacterClass.PUNCTUATION))

    @cached_property
    def other(self) -> Counts:
        """int64: signs and whatever else is to be seen."""
        return self._count(self._places(CharacterClass.OTHER))

    @cached_property
    def white(self) -> Counts:
        """int64: runs of white space between others: a browser shows one blank for each."""
        count = self._count(self._white_ends)
        count[1:] -= 1  # the NUL after the text before
        return count

    @cached_property
    def _white_ends(self) -> Places:
        """The last character of each run of white space; the NUL after each text is one, as no text ends with any."""
        white = self._places(CharacterClass.WHITE)
        return white[np.append(white[1:] != white[:-1] + 1, True)] if len(white) else white

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
        starts = self._token_starts()
        # Most tokens start with a letter and have no digit: only the others need a look inside.
        is_special = ~self._is_letter[starts]
        is_special[starts.searchsorted(self._digit_places, side="right") - 1] = True
        special = np.flatnonzero(is_special)
        bounds = np.column_stack((starts[special], np.append(starts, len(self._codes) - 1)[special + 1])).ravel()
        made_of = np.bitwise_or.reduceat(self._classes, bounds)[::2] & np.uint16(_ALPHANUMERIC)
        piece = self._ends.searchsorted(bounds[::2])
        counts = np.bincount(4 * piece + made_of, minlength=4 * len(self.pieces)).reshape(-1, 4)
        counts[:, CharacterClass.LETTER] += self._count(starts) - counts.sum(axis=1)
        return counts

    def _token_starts(self) -> Places:
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
        """int64: marks that end a sentence. `3.14`, `a.example` and the first dots of `...` do not."""
        marks = self._places(CharacterClass.SENTENCE_MARK)
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
        """bool: the text has a sign that joins the parts of an address, with no blank after it."""
        joints = self._places(CharacterClass.JOINT)
        return self._count(joints[~_are(self._classes[joints + 1], CharacterClass.WHITE)]) > 0

    @cached_property
    def may_be_bullet(self) -> Mask:
        """bool: the text starts with no letter, or with a single one before punctuation."""
        second = self._classes[self._starts + 1]
        return ~self._is_letter[self._starts] | _are(second, CharacterClass.PUNCTUATION)

    @cached_property
    def twins(self) -> Counts:
        """int64: number of the set of pieces with the same letters, from 0 in the order of their first pieces.

        White space and whatever is no letter do not count, so all pieces without letters are twins.
        """
        # Only pieces with as many letters as another can have a twin, which most long ones have not.
        could_be = np.bincount(self.letters)[self.letters] > 1 if len(self.pieces) else np.zeros(0, dtype=bool)
        kept = self._is_letter & np.repeat(could_be, self._ends - self._starts + 1)
        kept[self._ends[could_be]] = True
        letters = self._codes[kept].tobytes().decode(self._encoded[1], "surrogatepass").split("\0")
        keys: list[str | int] = list(range(len(self.pieces)))
        for place, key in zip(np.flatnonzero(could_be).tolist(), letters, strict=False):  # nothing after the last NUL
            keys[place] = key
        numbers: dict[str | int, int] = {}
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
