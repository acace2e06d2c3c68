"""Run a cleaner over labelled pages and score it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.subtree_levels import Level, level_of
from dehusk.lab.evaluation.text_scores import score_text
from dehusk.lab.evaluation.word_f1 import WordScore, count_words
from dehusk.lab.gold.corpora import GoldPage
from dehusk.learning import MOST_PAGES, sample
from dehusk.methods.base import Method, Model
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded

Cleaner = Callable[[RawPage], str]
"""Anything that makes text of a page. It never sees the gold."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """How one page went. A page that fails counts as empty text."""

    page: str
    words: WordScore
    lcs: WordScore
    four_grams: WordScore
    level: Level | None
    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """Means over the pages of one data set, or of another group of pages."""

    corpus: str
    pages: int
    precision: float
    recall: float
    f1: float
    seconds: float
    failures: int
    levels: tuple[int, int, int] | None = None
    """Pages at level A, B and C, where asked for."""
    lcs_f1: float = 0.0
    four_gram_f1: float = 0.0
    usable: int | None = None
    """Pages whose gold is on them, where somebody looked."""
    f1_usable: float | None = None
    """F1 over those alone."""

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Fold:
    """Pages to score with what is learnt from others. Each has its number in the data set."""

    held_out: tuple[tuple[int, GoldPage], ...]
    others: tuple[GoldPage, ...] = ()


def score_page(cleaner: Cleaner, page: GoldPage, levels: bool = False, most_seconds: float | None = None) -> PageScore:
    """Clean one page and compare with its gold; on demand the level is found, too."""
    begun = time.perf_counter()
    outcome = guarded(cleaner, page.raw, page.raw.label, most_seconds)
    seconds = time.perf_counter() - begun
    if isinstance(outcome, DehuskError):
        return judge_text("", page, levels, seconds, str(outcome))
    return judge_text(outcome, page, levels, seconds)


def judge_text(text: str, page: GoldPage, levels: bool, seconds: float, failure: str = "") -> PageScore:
    """Compare the text that somebody found on a page with its gold."""
    level = level_of(count_words(text), count_words(page.gold), count_words(_all_text(page.raw))) if levels else None
    found = score_text(text, page.gold)
    return PageScore(page.raw.name, found.words, found.lcs, found.four_grams, level, seconds, failure)


def score_method(method: Method, pages: Iterable[GoldPage], levels: bool = False) -> Iterator[PageScore]:
    """Score a method on labelled pages. One that learns does so per site, and never from the page it is scored on."""
    for fold in folds_for(method, pages):
        cleaner = cleaner_with(fit_fold(method, fold))
        yield from (score_page(cleaner, page, levels) for _, page in fold.held_out)


def folds_for(method: Method, pages: Iterable[GoldPage]) -> Iterator[Fold]:
    """What can be cleaned with one model: halves of sites for a method that learns, else any single page."""
    if not method.learns:
        yield from (Fold(((number, page),)) for number, page in enumerate(pages))
        return
    listed = list(pages)
    # By identity: nothing else tells apart two pages of a file without identifiers.
    number_of = {id(page): number for number, page in enumerate(listed)}
    for held_out, others in site_folds(listed):
        yield Fold(tuple((number_of[id(page)], page) for page in held_out), tuple(sample(others, MOST_PAGES)))


def fit_fold(method: Method, fold: Fold) -> Model:
    """The model for the pages that are held out."""
    if not method.learns:
        return method.fit()
    read = [guarded(read_page, page.raw, page.raw.label) for page in fold.others]
    pages_of_site = [page for page in read if not isinstance(page, DehuskError)]
    return method.fit([pages_of_site[number] for number in distinct_pages(pages_of_site).kept])


def cleaner_with(model: Model) -> Cleaner:
    """What makes text of a page with a model of ours."""
    return lambda raw: clean(raw, model).text


def site_folds(pages: Sequence[GoldPage], folds: int = 2) -> Iterator[tuple[list[GoldPage], list[GoldPage]]]:
    """(pages to score, other pages of the same site): every page is scored once."""
    sites: dict[str, list[GoldPage]] = {}
    for page in pages:
        sites.setdefault(page.site, []).append(page)
    for members in sites.values():
        for fold in range(min(folds, len(members))):
            held_out = members[fold::folds]
            yield held_out, [page for number, page in enumerate(members) if number % folds != fold]


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
        _mean(page.lcs.f1 for page in pages),
        _mean(page.four_grams.f1 for page in pages),
    )


def _all_text(raw: RawPage) -> str:
    """Everything on a page; nothing if it cannot be read."""
    blocks = guarded(lambda page: segment(read_page(page)), raw, raw.label)
    return "" if isinstance(blocks, DehuskError) else "\n".join(blocks.texts)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
