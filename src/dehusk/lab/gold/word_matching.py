"""Match the words of two texts in order.

First come anchors: runs of four words that both texts have exactly once, the longest increasing sequence of them (as in
a patience diff). They keep repeated phrases apart and cut long texts into short ones. Between anchors a longest common
subsequence is found. Last, runs of words that match equally well next to the following run are moved there, so that a
word of a menu does not match the first word of the content.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import needed

Numbers = NDArray[np.int64]
"""int64, one entry per word."""
Pair = tuple[int, int]
"""Index of a word in the first text, and in the second."""

MOST_CELLS: Final = 1 << 34
"""Word pairs compared at once (131,000 by 131,000 words): two seconds, 30 MB. Larger texts are split."""
_MOST_CELLS_OF_MATRIX: Final = 1 << 28
"""Word pairs for which RapidFuzz may keep a full matrix, one bit each: 32 MB. Beyond it, it halves the texts."""


class WordRun(NamedTuple):
    """Consecutive words of the first text that match consecutive words of the second."""

    first: int
    second: int
    length: int


def edit_distances() -> ModuleType:
    """`rapidfuzz.distance`, needed only to align texts."""
    with needed("rapidfuzz", "to align texts", "crf"):
        from rapidfuzz import distance
    return distance


def number_words(*texts: Sequence[str]) -> tuple[Numbers, ...]:
    """Texts as numbers; equal words have equal numbers."""
    number_of: dict[str, int] = {}
    return tuple(np.array([number_of.setdefault(word, len(number_of)) for word in words], np.int64) for words in texts)


def match_words(first: Numbers, second: Numbers) -> Numbers:
    """int64, for each word of the first text: the index of its match in the second, or -1. Matches never cross."""
    words, others = first.tolist(), second.tolist()
    runs = _join_runs(_runs(_pairs(first, second)), words, others)
    runs = _swap_texts(_join_runs(_swap_texts(runs), others, words))
    found = np.full(len(first), -1, np.int64)
    for run in runs:
        found[run.first : run.first + run.length] = np.arange(run.second, run.second + run.length)
    return found


def _pairs(first: Numbers, second: Numbers) -> Iterator[Pair]:
    """Matching words: anchors, and matches between them."""
    words, others = first.tolist(), second.tolist()
    ends = [(-1, -1), *_anchors(first, second), (len(words), len(others))]
    for (word, other), (next_word, next_other) in pairwise(ends):
        if word >= 0:
            yield word, other
        if word + 1 < next_word and other + 1 < next_other:
            between = _align_between(words[word + 1 : next_word], others[other + 1 : next_other])
            yield from ((word + 1 + i, other + 1 + j) for i, j in between)


def _anchors(first: Numbers, second: Numbers) -> list[Pair]:
    """The starts of runs of four words that both texts have exactly once: the most that are in the same order."""
    keys = _four_word_keys(first, second)
    if keys is None:
        return []
    starts, other_starts = map(_positions_of_unique, keys)
    _, at, other_at = np.intersect1d(starts[0], other_starts[0], assume_unique=True, return_indices=True)
    positions, other_positions = starts[1][at], other_starts[1][other_at]
    order = np.argsort(positions)
    return longest_increasing(list(zip(positions[order].tolist(), other_positions[order].tolist(), strict=True)))


def _four_word_keys(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers] | None:
    """A number for each run of four words, equal for equal runs; None if a text is shorter."""
    if min(len(first), len(second)) < 4:
        return None
    numbers = np.concatenate([first, second])
    for step in (1, 2):  # pairs of words, then pairs of pairs
        both = numbers[:-step] * (int(numbers.max()) + 1) + numbers[step:]
        numbers = np.unique(both, return_inverse=True)[1].astype(np.int64)
    # Drop the runs that begin in the first text and end in the second.
    return numbers[: len(first) - 3], numbers[len(first) :]


def _positions_of_unique(keys: Numbers) -> tuple[Numbers, Numbers]:
    """The keys that occur once, and their positions."""
    found, positions, counts = np.unique(keys, return_index=True, return_counts=True)
    return found[counts == 1], positions[counts == 1]


def longest_increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """The longest subsequence of pairs, sorted by their first, whose second increases."""
    ends: list[int] = []
    """By length of an increasing sequence: the smallest second that ends one."""
    last: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [second]
        last[length : length + 1] = [number]
    chosen = []
    number = last[-1] if last else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]


def _align_between(words: list[int], others: list[int]) -> Iterator[Pair]:
    """Matches between anchors."""
    cells = len(words) * len(others)
    if cells > MOST_CELLS and min(len(words), len(others)) > 1:
        # No anchors in so long a text: each half is compared with the half at the same position.
        middle, other_middle = len(words) // 2, len(others) // 2
        yield from _align_between(words[:middle], others[:other_middle])
        for word, other in _align_between(words[middle:], others[other_middle:]):
            yield middle + word, other_middle + other
        return
    distances = edit_distances()
    # A longest common subsequence needs a matrix; Levenshtein needs little memory, but loses some matches.
    align = distances.LCSseq if cells <= _MOST_CELLS_OF_MATRIX else distances.Levenshtein
    for step in align.opcodes(words, others):
        if step.tag == "equal":
            yield from zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)


def _runs(pairs: Iterable[Pair]) -> list[WordRun]:
    starts: list[tuple[int, int, int]] = []
    """The number of the first pair of each run, and the pair."""
    next_first = next_second = number = -1
    for number, (first, second) in enumerate(pairs):
        if first != next_first or second != next_second:
            starts.append((number, first, second))
        next_first, next_second = first + 1, second + 1
    ends = [start for start, _, _ in starts[1:]] + [number + 1]
    return [WordRun(first, second, end - start) for (start, first, second), end in zip(starts, ends, strict=False)]


def _swap_texts(runs: Iterable[WordRun]) -> list[WordRun]:
    """The same runs with the texts swapped."""
    return [WordRun(run.second, run.first, run.length) for run in runs]


def _join_runs(runs: Iterable[WordRun], words: list[int], others: list[int]) -> list[WordRun]:
    """Join runs that are adjacent in the first text where one of them can move next to the other."""
    kept: list[WordRun] = []
    for run in runs:
        joined = run
        while kept and (both := _join_two(kept[-1], joined, words, others)):
            kept.pop()
            joined = both
        kept.append(joined)
    return kept


def _join_two(before: WordRun, after: WordRun, words: list[int], others: list[int]) -> WordRun | None:
    """Join two runs by moving the shorter one to the longer; None if that is not possible."""
    if before.first + before.length != after.first:
        return None
    length = before.length + after.length
    starts = (before.second, after.second - before.length)
    for start in starts if before.length >= after.length else starts[::-1]:
        moved, at = (after, start + before.length) if start == before.second else (before, start)
        if others[at : at + moved.length] == words[moved.first : moved.first + moved.length]:
            return WordRun(before.first, start, length)
    return None
