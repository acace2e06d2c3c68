"""Score several cleaners, ours and others, on the same pages, in one or several processes.

A task is independent: one page for one cleaner, or a fold of a site for a method that learns. If a cleaner fails, takes
too long or crashes its process, its text counts as empty and the page as failed; the other cleaners' scores stand.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from dehusk.blocks.segmentation import segment
from dehusk.errors import DehuskError, GoldError, UnknownName
from dehusk.lab.evaluation.gold_scoring import (
    Cleaner,
    Fold,
    PageScore,
    cleaner_with,
    fit_fold,
    folds_for,
    judge_text,
    score_page,
)
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, decoded_html, find_tool, installed_tools
from dehusk.lab.gold.corpora import Corpus, GoldPage, fold_of, site_of_labelled, take
from dehusk.lab.gold.word_matching import edit_distances
from dehusk.lab.training.block_targets import label_targets
from dehusk.methods import DEFAULT_METHOD, METHODS, find_method
from dehusk.methods.base import Method
from dehusk.methods.page_network.hybrid import Hybrid
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded
from dehusk.workers.process_pool import run_step

INSTALLED: Final = "installed"
"""Stands for all other tools that are installed."""
MOST_SECONDS: Final = 60.0
"""Time limit per page and cleaner. The slowest tools need some seconds for the largest pages we know."""
FOLDS: Final = 5
"""Number of folds of sites in training; see `corpora.fold_of`."""
FIRST_PAGE: Final = RawPage(b"<html><body><p>Steep the leaves for three minutes and no longer.</p></body></html>")
"""What a cleaner cleans before its time is taken."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The cleaners to score, and how. The others are compared with the first contender."""

    methods: tuple[str, ...]
    tools: tuple[str, ...] = ()
    levels: bool = False
    limit: int | None = None
    most_seconds: float = MOST_SECONDS
    fold: int | None = None
    """Score only the pages of sites in this fold of `FOLDS`."""
    trained: str = ""
    """A file written by `dehusk train hybrid`, for the methods that use one."""
    judges_gold: bool = True
    """Whether to check that the gold is on its page, which takes longer than cleaning it."""

    @property
    def contenders(self) -> tuple[str, ...]:
        return (*self.methods, *self.tools)


@dataclass(frozen=True, slots=True)
class AboutPage:
    """The description of a page, independent of the cleaner."""

    corpus: str
    number: int
    """Its position among the pages taken from the data set."""
    name: str
    site: str
    language: str
    page_type: str


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one contender on one page."""

    contender: str
    about: AboutPage
    score: PageScore
    usable: bool | None
    """Whether the gold is on the page; None if this task did not check."""


@dataclass(frozen=True, slots=True)
class Task:
    """Pages for one contender."""

    contender: str
    corpus: str
    fold: Fold
    plan: Plan


@dataclass(frozen=True, slots=True)
class Comparison:
    """The scores of all contenders, in the order of the pages."""

    pages: tuple[AboutPage, ...]
    usable: tuple[bool, ...]
    scores: Mapping[str, tuple[PageScore, ...]]

    @property
    def contenders(self) -> tuple[str, ...]:
        return tuple(self.scores)

    @property
    def first(self) -> str:
        """The contender that the others are compared with."""
        return self.contenders[0]


@dataclass(frozen=True, slots=True)
class PagesOfFold:
    """The pages of a data set whose sites are in one fold, as split by `benchmarks/page_network.py`."""

    corpus: Corpus
    fold: int

    def __iter__(self) -> Iterator[GoldPage]:
        for page in self.corpus:
            if fold_of(site_of_labelled(page), FOLDS) == self.fold:
                yield page

    def size(self) -> int:
        """The number of pages; reads all of them."""
        return sum(1 for _ in self)


def choose_contenders(methods: Sequence[str], tools: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Check methods and tools by name before any work is done. Tools may be comma-separated, or `installed`.

    If no methods are given: all of ours, or only the default method if tools are given.
    """
    edit_distances()  # fail before any page is cleaned if it is not installed
    return check_contenders(tuple(methods or ((DEFAULT_METHOD,) if tools else METHODS)), tools)


def check_contenders(methods: Sequence[str], tools: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Methods and tools without duplicates; raises if one is unknown or not installed."""
    ours = tuple(dict.fromkeys(methods))
    for name in ours:
        find_method(name)
    others = tuple(dict.fromkeys(_tool_names(tools)))
    for name in others:
        find_tool(name)
    return ours, others


def check_names(corpora: Sequence[Corpus]) -> None:
    """Refuse two data sets of the same name: their scores could not be distinguished."""
    for name, files in Counter(corpus.name for corpus in corpora).items():
        if files > 1:
            raise GoldError(name, f"{files} files have this name", "rename one, or score them one after the other")


def pages_of(plan: Plan, corpus: Corpus) -> Iterator[GoldPage]:
    """The pages of a data set to score."""
    return take(corpus if plan.fold is None else PagesOfFold(corpus, plan.fold), plan.limit)


def run_plan(plan: Plan, corpus: Corpus, jobs: int) -> Iterator[Scored]:
    """Score every page of a data set for every contender."""
    for results in run_step(run_task, tasks_of(plan, corpus), jobs, _lost):
        yield from results


def tasks_of(plan: Plan, corpus: Corpus) -> Iterator[Task]:
    """First the contenders that take single pages, page by page, then those that learn."""
    learning = [name for name in plan.methods if METHODS[name].learns]
    single = [name for name in plan.contenders if name not in learning]
    for number, page in enumerate(pages_of(plan, corpus) if single else ()):
        yield from (Task(name, corpus.name, Fold(((number, page),)), plan) for name in single)
    for name in learning:
        folds = folds_for(method_of(name, plan.trained), pages_of(plan, corpus))
        yield from (Task(name, corpus.name, fold, plan) for fold in folds)


def run_task(task: Task) -> list[Scored]:
    """Score the pages of a task."""
    with warnings.catch_warnings():
        # Several of the other tools warn on ordinary pages; failures they raise.
        warnings.simplefilter("ignore")
        return _run(task)


def _run(task: Task) -> list[Scored]:
    checks_gold = task.plan.judges_gold and task.contender == task.plan.contenders[0]
    model = _model(task) if task.fold.others else None
    found = []
    for number, page in task.fold.held_out:
        cleaner = model or _ready_cleaner(task.contender, page.language, task.plan.trained)
        score = score_page(cleaner, page, task.plan.levels, task.plan.most_seconds)
        usable = gold_is_on(page) if checks_gold else None
        found.append(Scored(task.contender, _about(task, number, page), score, usable))
    return found


def gold_is_on(page: GoldPage) -> bool:
    """Whether most of the gold's words are on the page; if not, no cleaner can find them."""
    judged = guarded(lambda raw: label_targets(segment(read_page(raw)), page.gold).usable, page.raw, page.raw.label)
    return judged is True


def gather(contenders: Sequence[str], results: Iterable[Scored]) -> Comparison:
    """Collect the scores of all contenders, pages in the order of their data sets."""
    pages: dict[AboutPage, bool] = {}
    scores: dict[str, dict[AboutPage, PageScore]] = {name: {} for name in contenders}
    order: dict[str, int] = {}
    for one in results:
        order.setdefault(one.about.corpus, len(order))
        scores[one.contender][one.about] = one.score
        pages[one.about] = pages.get(one.about, True) and one.usable is not False
    if not pages:
        raise GoldError(", ".join(contenders), "no pages to score", "give files with labelled pages")
    about = sorted(pages, key=lambda page: (order[page.corpus], page.number))
    return Comparison(
        tuple(about),
        tuple(pages[page] for page in about),
        {name: tuple(of_pages[page] for page in about) for name, of_pages in scores.items()},
    )


def _tool_names(given: Sequence[str]) -> Iterator[str]:
    for name in (part.strip() for one in given for part in one.split(",")):
        if name == INSTALLED:
            yield from installed_tools()
        elif name in OTHER_TOOLS:
            yield name
        elif name:
            raise UnknownName(name, "no such tool", f"choose from {', '.join((*OTHER_TOOLS, INSTALLED))}")


def _model(task: Task) -> Cleaner:
    """The cleaner for a fold; if learning fails, one that fails on each page."""
    fitted = guarded(
        lambda fold: fit_fold(method_of(task.contender, task.plan.trained), fold), task.fold, task.contender
    )
    if not isinstance(fitted, DehuskError):
        return cleaner_with(fitted)
    error = fitted

    def fail(raw: RawPage) -> str:
        raise error

    return fail


@lru_cache(maxsize=64)
def _ready_cleaner(contender: str, language: str, trained: str) -> Cleaner:
    """A cleaner that has run once, so that no page's time includes imports and model loading."""
    cleaner = _cleaner(contender, language, trained)
    guarded(cleaner, FIRST_PAGE, contender, MOST_SECONDS)
    return cleaner


def _cleaner(contender: str, language: str, trained: str) -> Cleaner:
    if contender in OTHER_TOOLS:
        tool = find_tool(contender)
        return lambda raw: tool(decoded_html(raw.body), language)
    return cleaner_with(method_of(contender, trained).fit())


def method_of(name: str, trained: str) -> Method:
    """A method by name, with the given training file if it uses one."""
    method = find_method(name)
    return replace(method, trained=trained) if trained and isinstance(method, Hybrid | PageEvidence) else method


def _about(task: Task, number: int, page: GoldPage) -> AboutPage:
    return AboutPage(task.corpus, number, page.raw.name, page.site, page.language, page.page_type)


def _lost(task: Task) -> list[Scored]:
    """Empty texts for a task whose process died: out of memory, or the cleaner did not return."""
    failure = f"{task.contender}: its process died; it may need too much memory or time"
    seconds = task.plan.most_seconds
    return [
        Scored(task.contender, _about(task, number, page), judge_text("", page, False, seconds, failure), None)
        for number, page in task.fold.held_out
    ]
