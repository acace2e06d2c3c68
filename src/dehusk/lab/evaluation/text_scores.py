"""Three scores of a cleaned text against gold: which words, in which order, beside which others.

Words are those of `gold_f1` everywhere, so scores of one page differ only in what they count as shared:

* **words**: the bags of words (`gold_f1.score_words`). Blind to order.
* **lcs**: the longest common subsequence of words. Texts in another order share less.
* **four_grams**: the bags of runs of four words, as in the article extraction benchmark of Lopukhin and others
  (github.com/scrapinghub/article-extraction-benchmark). Common words that happen to be in both texts count for nothing.

Each has precision (shared / kept), recall (shared / gold) and F1, their harmonic mean. If one of the texts has no words
all three are 0; if neither has any, 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dehusk.lab.evaluation.word_f1 import WordScore, score_words
from dehusk.lab.gold.word_matching import edit_distances, number_words
from dehusk.page.characters import words_of

GRAM: Final = 4
MOST_WORDS: Final = 30_000
"""Words of either text that are compared in order: 0.35 s at worst. Longer texts are cut at the end (a novel is not
long enough to tell two cleaners apart by what follows)."""


@dataclass(frozen=True, slots=True)
class TextScores:
    """How one text compares with gold."""

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
    """Shared is the length of the longest common subsequence of the words, of at most `MOST_WORDS` of each text."""
    numbers, gold_numbers = number_words(kept[:MOST_WORDS], gold[:MOST_WORDS])
    shared = int(edit_distances().LCSseq.similarity(numbers.tolist(), gold_numbers.tolist()))
    return _score_shared(shared, len(numbers), len(gold_numbers))


def count_grams(words: Sequence[str]) -> Counter[str]:
    """The bag of runs of four words, overlapping; fewer than four words are one run, no words none."""
    last = max(len(words) - GRAM, 0)
    # Words have no blanks, so joining keeps runs apart.
    return Counter(" ".join(words[start : start + GRAM]) for start in range(last + 1)) if words else Counter()


def _score_shared(shared: int, kept: int, gold: int) -> WordScore:
    if not kept or not gold:
        both_empty = float(kept == gold)
        return WordScore(both_empty, both_empty, both_empty)
    return WordScore(shared / kept, shared / gold, 2 * shared / (kept + gold))
