"""Words of a page, arranged so that many decisions about its blocks are scored quickly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.lab.evaluation.text_scores import WordScore, count_words
from dehusk.page.characters import words_of


@dataclass(frozen=True, eq=False, slots=True)
class PageWords:
    """The words of the blocks of a page, and how often each is in gold.

    The plain text of a cleaned page has just the words of the kept blocks, so nothing need be rendered to score it.
    """

    word: NDArray[np.intp]
    """One entry a word: its number."""
    block: NDArray[np.intp]
    """One entry a word: the block it is in."""
    gold: NDArray[np.int64]
    """How often the word of each number is in gold."""

    @classmethod
    def of(cls, blocks: Blocks, gold: str) -> PageWords:
        """Words that are only in gold have numbers, too: they count against recall."""
        in_gold = count_words(gold)
        numbers = {word: number for number, word in enumerate(in_gold)}
        words = [words_of(text) for text in blocks.texts]
        word = np.array([numbers.setdefault(one, len(numbers)) for of_block in words for one in of_block], np.intp)
        counts = np.zeros(len(numbers), np.int64)
        counts[: len(in_gold)] = list(in_gold.values())
        return cls(word, np.repeat(np.arange(len(words)), [len(of_block) for of_block in words]), counts)

    def score(self, keep: BlockMask) -> WordScore:
        """As `score_words` of the kept text against gold."""
        kept = np.bincount(self.word[keep[self.block]], minlength=len(self.gold))
        kept_words, gold_words = int(kept.sum()), int(self.gold.sum())
        if not kept_words or not gold_words:
            both_empty = float(kept_words == gold_words)
            return WordScore(both_empty, both_empty, both_empty)
        shared = int(np.minimum(kept, self.gold).sum())
        f1 = 2 * shared / (kept_words + gold_words)
        return WordScore(shared / kept_words, shared / gold_words, f1)


def mean_score(scores: Iterable[WordScore]) -> WordScore:
    """Means over pages, or over sites that count alike."""
    listed = list(scores)
    return WordScore(
        fmean(score.precision for score in listed),
        fmean(score.recall for score in listed),
        fmean(score.f1 for score in listed),
    )
