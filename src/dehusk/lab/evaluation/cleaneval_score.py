"""CleanEval's scores: the similarity of two marked texts.

Marek, Pecina & Spousta (2007) report the measures of CleanEval 2007 (Baroni, Chantree, Kilgarriff & Sharoff 2008,
"Cleaneval: a competition for cleaning web pages"). Its scorer is described there, and on its web page, as (1) "edit
distance and the extent to which the markup tags indicate blocks of text starting and ending in the same places", (2)
"alignment of text alone, ignoring the markup tags", and the mean of both. (1) is the scorer's "text and markup" and the
paper's "markup-only". What exactly it counts is not described. This is our reading, so the competition's figures are
only roughly comparable with ours:

* A **word** is the same everywhere in dehusk: a lower-cased run of letters and digits, or one letter of a script
  without spaces. Punctuation, bullets and tags are not words. A **segment** is the text from one tag to the next;
  segments without words do not count.
* **Text only** = 1 - d / max(n, m), where d is the Levenshtein distance (insertions, deletions and replacements of
  words, each 1) between the n words of the cleaned text and the m words of gold.
* **Markup only** = a / (s + g). The words of both texts are matched in order (`word_matching`). Each of the s cleaned
  and g gold segments has a start, its first word, and an end, its last word. a is the number of matched words that are
  the start of a segment with the same label in both texts, plus the same for ends. So a perfect text scores 1, and a
  segment with the right label and start that ends too late counts half.
* **Total** = the mean of both.

Two texts without words score 1; one with and one without, 0. Beyond 2^34 pairs of words (131,000 by 131,000) d is the
cost of the matching used for markup: an upper bound of the distance, found in bounded time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.gold.gold_alignment import Segment
from dehusk.lab.gold.word_matching import MOST_CELLS, Numbers, edit_distances, match_words, number_words
from dehusk.page.characters import words_of_each


@dataclass(frozen=True, slots=True)
class CleanEvalScore:
    """Text and markup scores, each from 0 to 1; 1 is best."""

    text_only: float
    markup_only: float

    @property
    def total(self) -> float:
        return (self.text_only + self.markup_only) / 2


def score_segments(cleaned: Sequence[Segment], gold: Sequence[Segment]) -> CleanEvalScore:
    """Compare a cleaned page with its gold."""
    text, gold_text = _Marked(cleaned), _Marked(gold)
    if not text.words or not gold_text.words:
        both_empty = float(not text.words and not gold_text.words)
        return CleanEvalScore(both_empty, both_empty)
    numbers, gold_numbers = number_words(text.words, gold_text.words)
    match = match_words(numbers, gold_numbers)
    longer = max(len(numbers), len(gold_numbers))
    distance = _distance(numbers, gold_numbers, match)
    return CleanEvalScore(1 - distance / longer, _shared_ends(text, gold_text, match))


class _Marked:
    """The words of segments, and the segment starts and ends among them."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.words, lengths = words_of_each([segment.text for segment in segments])
        length = np.array(lengths, np.int64)
        last = np.cumsum(length)[length > 0] - 1
        self.segments = len(last)
        labels = np.array([segment.label for segment in segments], np.int64)[length > 0]
        self.starting: NDArray[np.int64] = np.full(len(self.words), -1, np.int64)
        """int64, one entry per word: the label of the segment that starts with it; -1 for none."""
        self.starting[last - length[length > 0] + 1] = labels
        self.ending: NDArray[np.int64] = np.full(len(self.words), -1, np.int64)
        """The same for the segment that ends with it."""
        self.ending[last] = labels


def _distance(first: Numbers, second: Numbers, match: Numbers) -> int:
    """The Levenshtein distance; for texts too long for it, the cost of the matching."""
    if len(first) * len(second) <= MOST_CELLS:
        return int(edit_distances().Levenshtein.distance(first.tolist(), second.tolist()))
    matched = np.flatnonzero(match >= 0)
    between = np.diff(matched, prepend=-1, append=len(first)) - 1
    other_between = np.diff(match[matched], prepend=-1, append=len(second)) - 1
    return int(np.maximum(between, other_between).sum())


def _shared_ends(text: _Marked, gold: _Marked, match: Numbers) -> float:
    """The share of segment starts and ends, of both texts, at the same words with the same label."""
    matched = np.flatnonzero(match >= 0)
    shared = 0
    for labels, gold_labels in ((text.starting, gold.starting), (text.ending, gold.ending)):
        here, there = labels[matched], gold_labels[match[matched]]
        shared += int(((here == there) & (here >= 0)).sum())
    return shared / (text.segments + gold.segments)
