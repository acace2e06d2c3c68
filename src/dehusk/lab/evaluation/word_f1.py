"""Precision, recall and F1 of a cleaned text against gold, on bags of words.

A word is a lower-cased run of `\\w`; in scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer,
Burmese) every character is one. Words count as often as they occur. A page without gold words scores 1 if nothing is
kept and 0 otherwise. Scores of a data set are means over its pages; the macro mean is the mean over data sets.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from dehusk.page.characters import words_of


@dataclass(frozen=True, slots=True)
class WordScore:
    """Precision, recall and their harmonic mean; each from 0 to 1."""

    precision: float
    recall: float
    f1: float


def count_words(text: str) -> Counter[str]:
    """The bag of words of a text."""
    return Counter(words_of(text))


def score_words(kept: Counter[str], gold: Counter[str]) -> WordScore:
    """Compare two bags."""
    if not gold or not kept:
        both_empty = float(not gold and not kept)
        return WordScore(both_empty, both_empty, both_empty)
    shared = (kept & gold).total()
    precision, recall = shared / kept.total(), shared / gold.total()
    return WordScore(precision, recall, 2 * precision * recall / (precision + recall) if shared else 0.0)
