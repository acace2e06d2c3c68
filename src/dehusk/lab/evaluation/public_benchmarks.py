"""Score dehusk and other tools on a public benchmark with the benchmark's own metric.

A page is cleaned alone, unless methods may learn its site (`learns_sites`): then they learn from the other half of the
site's pages. Folders of models (`--models`) hold a network per fold of sites, as `dehusk train hybrid --keep` writes
them; each page is then cleaned with the one that was not trained on its site.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.cleaning import clean
from dehusk.errors import DehuskError, GoldError
from dehusk.lab.evaluation.cleaneval_evaluation import plain_segments
from dehusk.lab.evaluation.gold_scoring import Fold, fit_fold, folds_for, timed
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, decoded_html, find_tool
from dehusk.lab.evaluation.public_metrics import PUBLIC_METRICS, Answer, Counts, PublicMetric
from dehusk.lab.evaluation.report_parts import TextTable
from dehusk.lab.evaluation.tool_comparison import FIRST_PAGE, FOLDS, MOST_SECONDS, method_of
from dehusk.lab.gold.corpora import GoldPage, file_without_fold, fold_of, site_of_labelled
from dehusk.lab.gold.gold_alignment import read_marked
from dehusk.lab.gold.public_sets import BenchmarkPage, PublicSet
from dehusk.methods import METHODS
from dehusk.methods.base import Model
from dehusk.sources.raw_page import RawPage
from dehusk.version import __version__
from dehusk.workers.guard import guarded
from dehusk.workers.process_pool import run_step

NO_OTHERS: Final = "none"
"""Stands for no other tools."""


BenchmarkCleaner = Callable[[RawPage], Answer]
"""A page -> its content. It never sees the gold."""


@dataclass(frozen=True, slots=True)
class BenchmarkPlan:
    """Who is scored on a benchmark, and how."""

    public_set: PublicSet
    methods: tuple[str, ...]
    tools: tuple[str, ...] = ()
    models: str = ""
    """A folder with `without-fold-0.dehusk` and so on; empty for the shipped network."""
    learns_sites: bool = False
    most_seconds: float = MOST_SECONDS

    @property
    def metric(self) -> PublicMetric:
        return PUBLIC_METRICS[self.public_set.name]

    @property
    def contenders(self) -> tuple[str, ...]:
        return (*self.methods, *self.tools)


@dataclass(frozen=True, slots=True)
class BenchmarkTask:
    """Pages that share a model, for one contender."""

    contender: str
    numbered: tuple[tuple[int, BenchmarkPage], ...]
    others: tuple[BenchmarkPage, ...]
    plan: BenchmarkPlan


@dataclass(frozen=True, slots=True)
class PageCounts:
    """What one contender reached on one page."""

    contender: str
    number: int
    page_type: str
    counts: Counts
    seconds: float
    empty: bool
    failure: str = ""


@dataclass(frozen=True, slots=True)
class ContenderScore:
    """The scores of one contender on a benchmark."""

    cleaned_by: str
    version: str
    pages: int
    scores: Mapping[str, float]
    by_type: Mapping[str, float]
    """Page type -> the main score of its pages; empty unless there are several types."""
    empty: int
    failed: int
    seconds: float


def run_benchmark(plan: BenchmarkPlan, pages: Sequence[BenchmarkPage], jobs: int = 1) -> Iterator[PageCounts]:
    """Score every page for every contender."""
    if not pages:
        raise GoldError(plan.public_set.name, "no page can be read", "get the benchmark again")
    for results in run_step(run_benchmark_task, benchmark_tasks(plan, pages), jobs, _lost):
        yield from results


def benchmark_tasks(plan: BenchmarkPlan, pages: Sequence[BenchmarkPage]) -> Iterator[BenchmarkTask]:
    """A task per page and contender; for methods that learn sites, one per half of a site."""
    for name in plan.contenders:
        if plan.learns_sites and name in METHODS and METHODS[name].learns:
            place = {id(page.page): number for number, page in enumerate(pages)}
            for fold in folds_for(method_of(name, ""), (page.page for page in pages)):
                numbered = tuple((number, pages[number]) for number, _ in fold.held_out)
                yield BenchmarkTask(name, numbered, tuple(pages[place[id(page)]] for page in fold.others), plan)
        else:
            yield from (BenchmarkTask(name, ((number, page),), (), plan) for number, page in enumerate(pages))


def run_benchmark_task(task: BenchmarkTask) -> list[PageCounts]:
    """Clean the pages of a task, and count."""
    with warnings.catch_warnings():
        # Several of the other tools warn on ordinary pages; failures they raise.
        warnings.simplefilter("ignore")
        cleaner = _cleaner_for(task)
        return [_count_page(task, cleaner, number, page) for number, page in task.numbered]


def _cleaner_for(task: BenchmarkTask) -> BenchmarkCleaner:
    """The cleaner for the pages of a task, which are of one site, or a single one."""
    marked, page = task.plan.public_set.marked, task.numbered[0][1].page
    if task.contender in OTHER_TOOLS:
        _run_once(task.contender, page.language)
        return lambda raw: _by_tool(task.contender, raw, page.language, marked)
    trained = _trained_for(page, task.plan.models)
    model = _site_model(task, trained) if task.others else _ready_model(task.contender, trained)
    return lambda raw: _by_model(model, raw, marked)


def _count_page(task: BenchmarkTask, cleaner: BenchmarkCleaner, number: int, page: BenchmarkPage) -> PageCounts:
    answer, seconds, failure = timed(cleaner, page.page.raw, Answer(), task.plan.most_seconds)
    counts, empty = task.plan.metric.count(answer, page), not answer.text.strip()
    return PageCounts(task.contender, number, page.page.page_type, counts, seconds, empty, failure)


def _by_tool(tool: str, raw: RawPage, language: str, marked: bool) -> Answer:
    text = find_tool(tool)(decoded_html(raw.body), language)
    return Answer(text, plain_segments(text) if marked else ())


def _by_model(model: Model | DehuskError, raw: RawPage, marked: bool) -> Answer:
    if isinstance(model, DehuskError):
        raise model
    page = clean(raw, model)
    return Answer(page.text, read_marked(page.render("cleaneval")) if marked else ())


def _trained_for(page: GoldPage, models: str) -> str:
    """The file of the network that was not trained on the site of a page; empty for the shipped network."""
    fold = fold_of(site_of_labelled(page), FOLDS)
    return str(file_without_fold(Path(models), fold)) if models else ""


@lru_cache(maxsize=64)
def _run_once(tool: str, language: str) -> None:
    """Have a tool clean a page, so that no page's time includes its import."""
    guarded(lambda raw: _by_tool(tool, raw, language, False), FIRST_PAGE, tool, MOST_SECONDS)


@lru_cache(maxsize=16)
def _ready_model(name: str, trained: str) -> Model | DehuskError:
    """A model that has cleaned a page, or why there is none."""
    model = guarded(lambda method: method_of(method, trained).fit(), name, name)
    guarded(lambda raw: _by_model(model, raw, False), FIRST_PAGE, name, MOST_SECONDS)
    return model


def _site_model(task: BenchmarkTask, trained: str) -> Model | DehuskError:
    """A model of the other pages of a site, or why there is none."""
    fold = Fold((), tuple(page.page for page in task.others))
    return guarded(lambda one: fit_fold(method_of(task.contender, trained), one), fold, task.contender)


def sum_up_benchmark(plan: BenchmarkPlan, results: Iterable[PageCounts]) -> list[ContenderScore]:
    """The scores of every contender, by the benchmark's metric."""
    of_contender: dict[str, list[PageCounts]] = {name: [] for name in plan.contenders}
    for one in results:
        of_contender[one.contender].append(one)
    return [_sum_up(plan.metric, name, counted) for name, counted in of_contender.items()]


def _sum_up(metric: PublicMetric, name: str, counted: Sequence[PageCounts]) -> ContenderScore:
    types = sorted({one.page_type for one in counted})
    by_type = {
        page_type: metric.sum_up(_table([one for one in counted if one.page_type == page_type]))[metric.main]
        for page_type in (types if len(types) > 1 else ())
    }
    return ContenderScore(
        name,
        _version_of(name),
        len(counted),
        metric.sum_up(_table(counted)),
        by_type,
        sum(one.empty for one in counted),
        sum(bool(one.failure) for one in counted),
        sum(one.seconds for one in counted),
    )


def _table(counted: Sequence[PageCounts]) -> Any:
    return np.array([one.counts for one in counted], np.float64)


def _version_of(name: str) -> str:
    try:
        return version(OTHER_TOOLS[name].distribution) if name in OTHER_TOOLS else __version__
    except PackageNotFoundError:
        return ""


def benchmark_tables(plan: BenchmarkPlan, scores: Sequence[ContenderScore]) -> list[TextTable]:
    """The benchmark's table, one row per contender; and one by page type, if it has several."""
    headings = ("cleaned by", "version", *plan.metric.columns, "empty", "failed", "p/s")
    rows = tuple(_row(plan.metric, score) for score in scores)
    tables = [TextTable(f"{plan.public_set.about} ({scores[0].pages:,} pages)", headings, rows)]
    if types := list(scores[0].by_type):
        of_types = tuple((name, *(f"{score.by_type[name]:.3f}" for score in scores)) for name in types)
        tables.append(TextTable(f"{plan.metric.main} by page type", ("type", *plan.contenders), of_types))
    return tables


def _row(metric: PublicMetric, score: ContenderScore) -> tuple[str, ...]:
    def cell(column: str) -> str:
        width = score.scores.get(f"{column} ±")
        return f"{score.scores[column]:.3f}" + (f" ± {width:.3f}" if width is not None else "")

    name = f"dehusk {score.cleaned_by}" if score.cleaned_by in METHODS else score.cleaned_by
    speed = f"{score.pages / score.seconds:,.0f}" if score.seconds else "–"
    return (name, score.version, *map(cell, metric.columns), str(score.empty), str(score.failed), speed)


def benchmark_document(plan: BenchmarkPlan, scores: Sequence[ContenderScore]) -> dict[str, Any]:
    """The scores, and how they were measured, for JSON."""
    return {
        "benchmark": plan.public_set.name,
        "held_out": bool(plan.models),
        "learns_sites": plan.learns_sites,
        "scores": [asdict(score) for score in scores],
    }


def failures_of(results: Iterable[PageCounts]) -> list[str]:
    """The first failure of each contender that failed, with how many it had."""
    first: dict[str, list[str]] = {}
    for one in results:
        if one.failure:
            first.setdefault(one.contender, []).append(one.failure)
    return [f"{name} failed on {len(causes):,} pages; the first: {causes[0]}" for name, causes in first.items()]


def _lost(task: BenchmarkTask) -> list[PageCounts]:
    """Empty texts for a task whose process died."""
    failure = f"{task.contender}: its process died; it may need too much memory or time"
    count = task.plan.metric.count
    return [
        PageCounts(
            task.contender, number, page.page.page_type, count(Answer(), page), task.plan.most_seconds, True, failure
        )
        for number, page in task.numbered
    ]
