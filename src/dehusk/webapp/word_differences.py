"""A word diff of two texts, in bounded time.

Both are cleaned versions of one page, so most words are equal and in the same order. Words that occur exactly once in
each text are the anchors (the longest increasing sequence of them: a *patience* diff); between two anchors the same
is done again. What is left is compared word by word if it is short, and otherwise taken as different. Time is n log n
plus a fixed number of comparisons.

`lab.gold.word_matching` aligns words too, but for labels: it needs RapidFuzz, which is not part of `dehusk[web]`, may
take seconds, moves runs together, and so gives other differences. Only `longest_increasing` is shared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from dehusk.lab.gold.word_matching import longest_increasing
from dehusk.page.characters import UNSPACED

MOST_WORDS: Final = 50_000
"""Words of each text that are compared."""
_MOST_COMPARISONS: Final = 4_000_000
"""In total: half a second. Enough to search two texts of 50,000 words for anchors 40 times."""
_LARGEST_GAP: Final = 250_000
"""Comparisons between two anchors."""
_WORD: Final = re.compile(rf"\s*(?:[{UNSPACED}]|[^\W{UNSPACED}]+|[^\w\s]+)|\s+")
"""A word or punctuation with the white space before it: together they are the whole text."""
_PUNCTUATION: Final = re.compile(r"[\W]*")
"""Text that is compared, but does not count as a word."""

Span = tuple[int, int, int, int]
"""Start and end in the left text, start and end in the right text."""


@dataclass(frozen=True, slots=True)
class Differences:
    """Segments in order, each (kind, text) with kind `same`, `left` or `right`; and the words of each kind, counted."""

    segments: tuple[tuple[str, str], ...]
    counts: Counter[str]
    cut: bool
    """Whether only the beginning of a text was compared."""


def differences(left: str, right: str) -> Differences:
    """Compare two texts."""
    left_words, left_cut = _words(left)
    right_words, right_cut = _words(right)
    pairs = _Pairing([word.strip() for word in left_words], [word.strip() for word in right_words]).pairs()
    segments: list[tuple[str, list[str]]] = []
    counts: Counter[str] = Counter()
    for kind, word in _in_order(left_words, right_words, pairs):
        counts[kind] += _PUNCTUATION.fullmatch(word) is None
        if segments and segments[-1][0] == kind:
            segments[-1][1].append(word)
        else:
            segments.append((kind, [word]))
    return Differences(tuple((kind, "".join(words)) for kind, words in segments), counts, left_cut or right_cut)


def _words(text: str) -> tuple[list[str], bool]:
    found: list[str] = []
    for number, match in enumerate(_WORD.finditer(text)):
        if number == MOST_WORDS:
            return found, True
        found.append(match[0])
    return found, False


def _in_order(left: Sequence[str], right: Sequence[str], pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    at_left = at_right = 0
    for in_left, in_right in [*pairs, (len(left), len(right))]:
        yield from (("left", word) for word in left[at_left:in_left])
        yield from (("right", word) for word in right[at_right:in_right])
        if in_left < len(left):
            yield "same", max(left[in_left], right[in_right], key=len)  # the longer one may start a new line
        at_left, at_right = in_left + 1, in_right + 1


@dataclass(slots=True)
class _Pairing:
    """Finds pairs of equal words, in the same order in both texts."""

    left: Sequence[str]
    right: Sequence[str]
    budget: int = _MOST_COMPARISONS
    found: list[tuple[int, int]] = field(default_factory=list)

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, sorted."""
        waiting: list[Span] = [(0, len(self.left), 0, len(self.right))]
        while waiting:
            span = self._trim(waiting.pop())
            anchors = self._anchors(span)
            if anchors:
                self.found += anchors
                waiting += self._between(span, anchors)
            else:
                self._compare(span)
        return sorted(self.found)

    def _trim(self, span: Span) -> Span:
        """Pair equal words at both ends of a span; returns the rest."""
        a, b, c, d = span
        while a < b and c < d and self.left[a] == self.right[c]:
            self.found.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and self.left[b - 1] == self.right[d - 1]:
            b, d = b - 1, d - 1
            self.found.append((b, d))
        return a, b, c, d

    def _anchors(self, span: Span) -> list[tuple[int, int]]:
        """Words that occur once in both, in order. Each search costs its span, so it stops when the budget is spent."""
        a, b, c, d = span
        self.budget -= b - a + d - c
        if self.budget < 0:
            return []
        in_left, in_right = Counter(self.left[a:b]), Counter(self.right[c:d])
        where = {self.right[at]: at for at in range(c, d) if in_right[self.right[at]] == 1}
        pairs = [
            (at, where[self.left[at]]) for at in range(a, b) if in_left[self.left[at]] == 1 and self.left[at] in where
        ]
        return longest_increasing(pairs)

    def _between(self, span: Span, anchors: Sequence[tuple[int, int]]) -> list[Span]:
        a, b, c, d = span
        spans = []
        for in_left, in_right in [*anchors, (b, d)]:
            if a < in_left and c < in_right:
                spans.append((a, in_left, c, in_right))
            a, c = in_left + 1, in_right + 1
        return spans

    def _compare(self, span: Span) -> None:
        """Pair the longest common subsequence; nothing if the table of lengths would be too large."""
        a, b, c, d = span
        size = (b - a) * (d - c)
        if not size or size > min(self.budget, _LARGEST_GAP):
            return
        self.budget -= size
        table = [[0] * (d - c + 1)]
        for at in range(b - 1, a - 1, -1):
            table.append(_row_of_lengths(self.left[at], self.right[c:d], table[-1]))
        table.reverse()
        x = y = 0
        while x < b - a and y < d - c:
            if self.left[a + x] == self.right[c + y]:
                self.found.append((a + x, c + y))
                x, y = x + 1, y + 1
            elif table[x + 1][y] >= table[x][y + 1]:
                x += 1
            else:
                y += 1


def _row_of_lengths(word: str, others: Sequence[str], below: Sequence[int]) -> list[int]:
    """Table row for one more word of the left text, filled from the end of the right text."""
    row = [0] * (len(others) + 1)
    for at in range(len(others) - 1, -1, -1):
        row[at] = below[at + 1] + 1 if word == others[at] else max(below[at], row[at + 1])
    return row
