"""Score several cleaners, ours and others, on the same pages, in one process or several.

A task is what can be done alone: one page for one cleaner, or a fold of a site for a method that learns it. Where a
cleaner fails, takes too long, or takes its process down, its text counts as empty and the page as failed; what the
others make of the page stands.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import find_method
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
from dehusk.lab.gold.corpora import Corpus, GoldPage, take
from dehusk.lab.gold.word_matching import edit_distances
from dehusk.lab.training.block_targets import label_targets
from dehusk.lab.training.site_splits import fold_of, site_of_labelled
from dehusk.methods import DEFAULT_METHOD, METHODS
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
"""Time for one page and one cleaner. The slowest tools need some seconds for the largest pages we know."""
FOLDS: Final = 5
"""Into so many folds sites are dealt out where models are trained; see `training.site_splits`."""
_FIRST_PAGE: Final = RawPage(b"<html><body><p>Steep the leaves for three minutes and no longer.</p></body></html>")


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is scored, and how. The first contender is the one that the others are compared with."""

    methods: tuple[str, ...]
    tools: tuple[str, ...] = ()
    levels: bool = False
    limit: int | None = None
    most_seconds: float = MOST_SECONDS
    fold: int | None = None
    """Take only the pages of sites in this one of `FOLDS`."""
    trained: str = ""
    """A file that `dehusk train hybrid` wrote, for the methods that use one."""
    judges_gold: bool = True
    """Whether to look if the gold is on its page, which takes longer than to clean it."""

    @property
    def contenders(self) -> tuple[str, ...]:
        return (*self.methods, *self.tools)


@dataclass(frozen=True, slots=True)
class AboutPage:
    """What is known of a page, whoever cleans it."""

    corpus: str
    number: int
    """Its place among the pages that were taken from the data set."""
    name: str
    site: str
    language: str
    page_type: str


@dataclass(frozen=True, slots=True)
class Scored:
    """How one contender did on one page."""

    contender: str
    about: AboutPage
    score: PageScore
    usable: bool | None
    """Whether the gold is on the page; None if this task was not to look."""


@dataclass(frozen=True, slots=True)
class Task:
    """Pages for one contender."""

    contender: str
    corpus: str
    fold: Fold
    plan: Plan


@dataclass(frozen=True, slots=True)
class Comparison:
    """All scores. Those of a contender are in the order of the pages."""

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
    """The pages of a data set whose sites are in one fold, as `benchmarks/page_network.py` deals them out."""

    corpus: Corpus
    fold: int

    def __iter__(self) -> Iterator[GoldPage]:
        for page in self.corpus:
            if fold_of(site_of_labelled(page), FOLDS) == self.fold:
                yield page

    def size(self) -> int:
        """The number of pages; to know it, all are read."""
        return sum(1 for _ in self)


def choose_contenders(methods: Sequence[str], tools: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Methods and tools by name, checked before any work is done. Tools may be comma-separated, or `installed`.

    Without methods all of ours take part; beside other tools, the default one.
    """
    ours = tuple(dict.fromkeys(methods or ((DEFAULT_METHOD,) if tools else METHODS)))
    for name in ours:
        find_method(name)
    others = tuple(dict.fromkeys(_tool_names(tools)))
    for name in others:
        find_tool(name)
    edit_distances()  # say that it is missing before any page is cleaned
    return ours, others


def check_names(corpora: Sequence[Corpus]) -> None:
    """Refuse two data sets of the same name: their scores could not be told apart."""
    for name, files in Counter(corpus.name for corpus in corpora).items():
        if files > 1:
            raise GoldError(name, f"{files} files have this name", "rename one, or score them one after the other")


def pages_of(plan: Plan, corpus: Corpus) -> Iterator[GoldPage]:
    """The pages of a data set that are scored."""
    return take(corpus if plan.fold is None else PagesOfFold(corpus, plan.fold), plan.limit)


def run_plan(plan: Plan, corpus: Corpus, jobs: int) -> Iterator[Scored]:
    """Every page of a data set for every contender."""
    for results in run_step(run_task, tasks_of(plan, corpus), jobs, _lost):
        yield from results


def tasks_of(plan: Plan, corpus: Corpus) -> Iterator[Task]:
    """Those that take single pages go page by page, then those that learn."""
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
        # Several of the other tools warn on ordinary pages; what makes them fail, they raise.
        warnings.simplefilter("ignore")
        return _run(task)


def _run(task: Task) -> list[Scored]:
    looks = task.plan.judges_gold and task.contender == task.plan.contenders[0]
    model = _model(task) if task.fold.others else None
    found = []
    for number, page in task.fold.held_out:
        cleaner = model or _ready_cleaner(task.contender, page.language, task.plan.trained)
        score = score_page(cleaner, page, task.plan.levels, task.plan.most_seconds)
        usable = gold_is_on(page) if looks else None
        found.append(Scored(task.contender, _about(task, number, page), score, usable))
    return found


def gold_is_on(page: GoldPage) -> bool:
    """Whether most of the gold's words are on the page at all; if not, nobody can find them there."""
    judged = guarded(lambda raw: label_targets(segment(read_page(raw)), page.gold).usable, page.raw, page.raw.label)
    return judged is True


def gather(contenders: Sequence[str], results: Iterable[Scored]) -> Comparison:
    """The scores side by side, pages in the order of their data sets."""
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
    """The cleaner for a fold; if nothing can be learnt, one that fails on each of its pages."""
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
    """A cleaner that was used once, so that no page pays for imports and models."""
    cleaner = _cleaner(contender, language, trained)
    guarded(cleaner, _FIRST_PAGE, contender, MOST_SECONDS)
    return cleaner


def _cleaner(contender: str, language: str, trained: str) -> Cleaner:
    if contender in OTHER_TOOLS:
        tool = find_tool(contender)
        return lambda raw: tool(decoded_html(raw.body), language)
    return cleaner_with(method_of(contender, trained).fit())


def method_of(name: str, trained: str) -> Method:
    """A method by name, with a training of its own if it uses one and there is one."""
    method = find_method(name)
    return replace(method, trained=trained) if trained and isinstance(method, Hybrid | PageEvidence) else method


def _about(task: Task, number: int, page: GoldPage) -> AboutPage:
    return AboutPage(task.corpus, number, page.raw.name, page.site, page.language, page.page_type)


def _lost(task: Task) -> list[Scored]:
    """The process died: of memory, or because the cleaner never came back."""
    failure = f"{task.contender}: its process died; it may need too much memory or time"
    seconds = task.plan.most_seconds
    return [
        Scored(task.contender, _about(task, number, page), judge_text("", page, False, seconds, failure), None)
        for number, page in task.fold.held_out
    ]
