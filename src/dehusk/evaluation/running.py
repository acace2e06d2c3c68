"""Run a cleaner over labelled pages and score it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from dehusk.cleaning import clean
from dehusk.errors import DehuskError
from dehusk.evaluation.gold_f1 import WordScore, count_words, score_words
from dehusk.evaluation.levels import Level, level_of
from dehusk.gold.corpora import GoldPage
from dehusk.learning import MOST_PAGES, sample
from dehusk.methods.base import Method, Model
from dehusk.page.reading import read_page
from dehusk.sites.duplicates import distinct_pages
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


def score_method(method: Method, pages: Iterable[GoldPage], levels: bool = False) -> Iterator[PageScore]:
    """Score a method on labelled pages. One that learns does so per site, and never from the page it is scored on."""
    if not method.learns:
        yield from _score_with(method.fit(), pages, levels)
        return
    for held_out, others in site_folds(list(pages)):
        pages_of_site = [read_page(page.raw) for page in sample(others, MOST_PAGES)]
        distinct = [pages_of_site[number] for number in distinct_pages(pages_of_site).kept]
        yield from _score_with(method.fit(distinct), held_out, levels)


def site_folds(pages: Sequence[GoldPage], folds: int = 2) -> Iterator[tuple[list[GoldPage], list[GoldPage]]]:
    """(pages to score, other pages of the same site): every page is scored once."""
    sites: dict[str, list[GoldPage]] = {}
    for page in pages:
        sites.setdefault(page.site, []).append(page)
    for members in sites.values():
        for fold in range(min(folds, len(members))):
            held_out = members[fold::folds]
            yield held_out, [page for number, page in enumerate(members) if number % folds != fold]


def _score_with(model: Model, pages: Iterable[GoldPage], levels: bool) -> Iterator[PageScore]:
    def cleaner(raw: RawPage) -> str:
        return clean(raw, model).text

    def all_text(raw: RawPage) -> str:
        return "\n".join(clean(raw, model).labelled.blocks.texts)

    yield from (score_page(cleaner, page, all_text if levels else None) for page in pages)


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


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
