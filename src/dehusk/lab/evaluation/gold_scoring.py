"""Run a cleaner on labelled pages, score each page, and average the scores over data sets."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Final, TypeVar

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.text_scores import Level, WordScore, count_words, level_of, score_text
from dehusk.lab.gold.corpora import GoldPage
from dehusk.learning import MOST_PAGES, sample
from dehusk.methods.base import Method, Model
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded

Cleaned = TypeVar("Cleaned")
Cleaner = Callable[[RawPage], str]
"""A page -> its main text. It never sees the gold."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """The scores of one page. A page that fails counts as empty text."""

    page: str
    words: WordScore
    lcs: WordScore
    four_grams: WordScore
    level: Level | None
    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """Mean scores over the pages of one data set or another group."""

    corpus: str
    pages: int
    precision: float
    recall: float
    f1: float
    seconds: float
    failures: int
    levels: tuple[int, int, int] | None = None
    """Pages at level A, B and C, if requested."""
    lcs_f1: float = 0.0
    four_gram_f1: float = 0.0
    usable: int | None = None
    """Pages whose gold is in their html; None if that was not checked."""
    f1_usable: float | None = None
    """F1 over the usable pages only."""

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Fold:
    """Held-out pages, with their numbers in the data set, and the pages to learn from."""

    held_out: tuple[tuple[int, GoldPage], ...]
    others: tuple[GoldPage, ...] = ()


def score_page(cleaner: Cleaner, page: GoldPage, levels: bool = False, most_seconds: float | None = None) -> PageScore:
    """Clean one page and compare with its gold; with `levels`, also find its level."""
    text, seconds, failure = timed(cleaner, page.raw, "", most_seconds)
    return judge_text(text, page, levels, seconds, failure)


def timed(
    cleaner: Callable[[RawPage], Cleaned], raw: RawPage, nothing: Cleaned, most_seconds: float | None = None
) -> tuple[Cleaned, float, str]:
    """What a cleaner returns, its seconds, and why it failed; a cleaner that fails returned `nothing`."""
    begun = time.perf_counter()
    outcome = guarded(cleaner, raw, raw.label, most_seconds)
    seconds = time.perf_counter() - begun
    return (nothing, seconds, str(outcome)) if isinstance(outcome, DehuskError) else (outcome, seconds, "")


def judge_text(text: str, page: GoldPage, levels: bool, seconds: float, failure: str = "") -> PageScore:
    """Compare a cleaned text with the gold of its page."""
    level = level_of(count_words(text), count_words(page.gold), count_words(_all_text(page.raw))) if levels else None
    found = score_text(text, page.gold)
    return PageScore(page.raw.name, found.words, found.lcs, found.four_grams, level, seconds, failure)


def score_method(method: Method, pages: Iterable[GoldPage], levels: bool = False) -> Iterator[PageScore]:
    """Score a method on labelled pages. A method that learns does so per site, never from the page it is scored on."""
    for fold in folds_for(method, pages):
        cleaner = cleaner_with(fit_fold(method, fold))
        yield from (score_page(cleaner, page, levels) for _, page in fold.held_out)


def folds_for(method: Method, pages: Iterable[GoldPage]) -> Iterator[Fold]:
    """The pages that share a model: halves of sites for a method that learns, else single pages."""
    if not method.learns:
        yield from (Fold(((number, page),)) for number, page in enumerate(pages))
        return
    listed = list(pages)
    # By identity: nothing else distinguishes two pages of a file without identifiers.
    number_of = {id(page): number for number, page in enumerate(listed)}
    for held_out, others in site_folds(listed):
        yield Fold(tuple((number_of[id(page)], page) for page in held_out), tuple(sample(others, MOST_PAGES)))


def fit_fold(method: Method, fold: Fold) -> Model:
    """The model for the held-out pages."""
    if not method.learns:
        return method.fit()
    read = [guarded(read_page, page.raw, page.raw.label) for page in fold.others]
    pages_of_site = [page for page in read if not isinstance(page, DehuskError)]
    return method.fit([pages_of_site[number] for number in distinct_pages(pages_of_site).kept])


def cleaner_with(model: Model) -> Cleaner:
    """A cleaner that uses one of our models."""
    return lambda raw: clean(raw, model).text


def site_folds(pages: Sequence[GoldPage], folds: int = 2) -> Iterator[tuple[list[GoldPage], list[GoldPage]]]:
    """(pages to score, other pages of the same site); every page is scored once."""
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
    """All text of a page; empty if it cannot be read."""
    blocks = guarded(lambda page: segment(read_page(page)), raw, raw.label)
    return "" if isinstance(blocks, DehuskError) else "\n".join(blocks.texts)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


HEADINGS: Final = ("pages", "prec.", "recall", "F1", "LCS", "4-gram", "p/s", "failed")
"""Column headings after the name of the data set."""


def macro_mean(scores: Sequence[CorpusScore]) -> CorpusScore:
    """The mean over data sets with equal weights; pages, seconds and failures are sums."""
    levels = [score.levels for score in scores if score.levels]
    return CorpusScore(
        "macro mean",
        sum(score.pages for score in scores),
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(score.f1 for score in scores),
        sum(score.seconds for score in scores),
        sum(score.failures for score in scores),
        (sum(a for a, _, _ in levels), sum(b for _, b, _ in levels), sum(c for _, _, c in levels)) if levels else None,
        fmean(score.lcs_f1 for score in scores),
        fmean(score.four_gram_f1 for score in scores),
        sum(score.usable or 0 for score in scores) if any(score.usable is not None for score in scores) else None,
        _mean_of_known([score.f1_usable for score in scores]),
    )


def _mean_of_known(values: Sequence[float | None]) -> float | None:
    """The mean over the data sets that have a value."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def scores_to_json(scores: Mapping[str, Sequence[CorpusScore]]) -> str:
    """JSON: method -> scores of data sets and their macro mean."""
    document = {
        method: {"data_sets": [asdict(score) for score in of_method], "macro_mean": asdict(macro_mean(of_method))}
        for method, of_method in scores.items()
    }
    return json.dumps(document, indent=1) + "\n"


def cells_of(score: CorpusScore) -> list[str]:
    """A table row with `HEADINGS`; the levels at its end, if known."""
    levels = [f"{count / max(score.pages, 1):.0%}" for count in score.levels] if score.levels else []
    return [
        score.corpus,
        f"{score.pages:,}",
        f"{score.precision:.3f}",
        f"{score.recall:.3f}",
        f"{score.f1:.3f}",
        f"{score.lcs_f1:.3f}",
        f"{score.four_gram_f1:.3f}",
        f"{score.pages_per_second:,.0f}",
        str(score.failures),
        *levels,
    ]
