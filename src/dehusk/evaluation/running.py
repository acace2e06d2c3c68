"""Run a cleaner over labelled pages and score it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from dehusk.errors import DehuskError
from dehusk.evaluation.gold_f1 import WordScore, count_words, score_words
from dehusk.evaluation.levels import Level, level_of
from dehusk.gold.corpora import Corpus, GoldPage
from dehusk.sources.raw_page import RawPage

Cleaner = Callable[[RawPage], str]
"""Anything that makes text of a page. It never sees the gold."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """How one page went. A page that fails counts as empty text."""

    page: str
    words: WordScore
    level: Level | None
    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """Means over the pages of one data set."""

    corpus: str
    pages: int
    precision: float
    recall: float
    f1: float
    seconds: float
    failures: int
    levels: tuple[int, int, int] | None = None
    """Pages at level A, B and C, where asked for."""

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0


def score_page(cleaner: Cleaner, page: GoldPage, all_text: Cleaner | None = None) -> PageScore:
    """Clean one page and compare with its gold; with `all_text` (everything on the page) the level is found, too."""
    begun = time.perf_counter()
    failure = ""
    try:
        text = cleaner(page.raw)
    except DehuskError as error:
        text, failure = "", str(error)
    seconds = time.perf_counter() - begun
    kept, gold = count_words(text), count_words(page.gold)
    level = level_of(kept, gold, count_words(all_text(page.raw))) if all_text else None
    return PageScore(page.raw.name, score_words(kept, gold), level, seconds, failure)


def summarise(corpus: str, scores: Iterable[PageScore]) -> CorpusScore:
    """Means over pages; an empty data set scores 0."""
    pages = list(scores)
    levels = [page.level for page in pages if page.level]
    return CorpusScore(
        corpus,
        len(pages),
        _mean(page.words.precision for page in pages),
        _mean(page.words.recall for page in pages),
        _mean(page.words.f1 for page in pages),
        sum(page.seconds for page in pages),
        sum(bool(page.failure) for page in pages),
        (levels.count(Level.A), levels.count(Level.B), levels.count(Level.C)) if levels else None,
    )


def take(corpus: Corpus, limit: int | None) -> Iterator[GoldPage]:
    """The pages of a corpus, or `limit` of them evenly spread over it (files are often sorted by site)."""
    if limit is None:
        yield from corpus
        return
    size = corpus.size()
    step = max(size / limit, 1.0)
    wanted = {int(number * step) for number in range(min(limit, size))}
    yield from (page for number, page in enumerate(corpus) if number in wanted)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
