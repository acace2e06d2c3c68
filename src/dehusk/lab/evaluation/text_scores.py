"""Scores of a cleaned text against gold: words, word order, runs of four words, and the levels of Qi & Sun.

A word is a lower-cased run of `\\w`; in scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer,
Burmese) every character is one. The scores differ only in what they count as shared:

* **words**: the bags of words, each counted as often as it occurs. Blind to order.
* **lcs**: the longest common subsequence of words. Texts in a different order share less.
* **four_grams**: the bags of runs of four words, as in the article extraction benchmark of Lopukhin and others
  (github.com/scrapinghub/article-extraction-benchmark). Common words that happen to be in both texts count for nothing.

Each has precision (shared / kept), recall (shared / gold) and F1, their harmonic mean. If only one of the texts has
words, all three are 0; if neither has, 1. Scores of a data set are means over its pages; the macro mean is the mean
over data sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dehusk.lab.gold.word_matching import edit_distances, number_words
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
    """Compare two bags of words."""
    if not gold or not kept:
        both_empty = float(not gold and not kept)
        return WordScore(both_empty, both_empty, both_empty)
    shared = (kept & gold).total()
    precision, recall = shared / kept.total(), shared / gold.total()
    return WordScore(precision, recall, 2 * precision * recall / (precision + recall) if shared else 0.0)


GRAM: Final = 4
MOST_WORDS: Final = 30_000
"""Words of either text that are compared in order: 0.35 s at worst. Longer texts are truncated: what follows in a novel
hardly distinguishes two cleaners."""


@dataclass(frozen=True, slots=True)
class TextScores:
    """The scores of one text against gold."""

    words: WordScore
    lcs: WordScore
    four_grams: WordScore


def score_text(text: str, gold: str) -> TextScores:
    """All scores of a text."""
    kept_words, gold_words = words_of(text), words_of(gold)
    return TextScores(
        score_words(Counter(kept_words), Counter(gold_words)),
        score_in_order(kept_words, gold_words),
        score_words(count_grams(kept_words), count_grams(gold_words)),
    )


def score_in_order(kept: Sequence[str], gold: Sequence[str]) -> WordScore:
    """Score the longest common subsequence of the words, of at most `MOST_WORDS` per text."""
    numbers, gold_numbers = number_words(kept[:MOST_WORDS], gold[:MOST_WORDS])
    shared = int(edit_distances().LCSseq.similarity(numbers.tolist(), gold_numbers.tolist()))
    return _score_shared(shared, len(numbers), len(gold_numbers))


def count_grams(words: Sequence[str]) -> Counter[str]:
    """The bag of overlapping runs of four words; one to three words are one run."""
    last = max(len(words) - GRAM, 0)
    # Words have no spaces, so joined runs stay distinct.
    return Counter(" ".join(words[start : start + GRAM]) for start in range(last + 1)) if words else Counter()


def _score_shared(shared: int, kept: int, gold: int) -> WordScore:
    if not kept or not gold:
        both_empty = float(kept == gold)
        return WordScore(both_empty, both_empty, both_empty)
    return WordScore(shared / kept, shared / gold, 2 * shared / (kept + gold))


NOTHING_LOST: Final = 0.95
"""Gold differs from what a page shows by a few words (dates, captions) that a person would overlook."""
ALL_NOISE_GONE: Final = 0.95
MOST_NOISE_GONE: Final = 0.5


class Level(StrEnum):
    """How clean a page came out, in the three levels of Qi & Sun (table 1); their text leaves the thresholds open.

    A: nothing lost and all noise gone. B: nothing lost, most noise gone. C: the rest. On words: nothing is lost if at
    least `NOTHING_LOST` of the gold words on the page are kept; noise is what the page has beyond gold.
    """

    A = "A"
    B = "B"
    C = "C"


def level_of(kept: Counter[str], gold: Counter[str], page: Counter[str]) -> Level:
    """The level of one page, from the words kept, the gold words and all words of the page."""
    content = gold & page
    lost = 1 - (kept & content).total() / content.total() if content else float(bool(gold))
    noise = page - gold
    gone = 1 - (kept - gold).total() / noise.total() if noise else 1.0
    if lost > 1 - NOTHING_LOST or gone < MOST_NOISE_GONE:
        return Level.C
    return Level.A if gone >= ALL_NOISE_GONE else Level.B
