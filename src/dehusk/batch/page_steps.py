"""What is done with untrusted pages of a batch. Each step runs in a `Worker`, so it may fail in any way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, TypeAlias, cast

from dehusk.cleaning import clean, find_method
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import ModelError, OutputError
from dehusk.learning import load_model
from dehusk.methods import DEFAULT_METHOD
from dehusk.methods.base import Model, SiteMethod, SiteModel
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.outputs.page_records import RecordOptions, record_of
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sources.raw_page import RawPage
from dehusk.workers.worker_process import Worker, WorkerLimits

Record: TypeAlias = dict[str, object]

_MODELS_HELD: Final = 32
"""Models in memory. Pages of different sites alternate, and reading a model takes about as long as cleaning a page."""
_HELD_BYTES: Final = 32_000_000
"""Of html that is held as pages, which are some ten times as large."""


@dataclass(frozen=True, slots=True)
class CleanPage:
    """Clean this page with the model of its site, or without if there is none."""

    raw: RawPage
    method: str
    model_path: str
    decision: Decision
    content: str


@dataclass(frozen=True, slots=True)
class LearnSite:
    """Learn these pages and write the model to `target`, if there are enough different ones."""

    site: str
    pages: tuple[RawPage, ...]
    method: str
    least_pages: int
    target: str


@dataclass(frozen=True, slots=True)
class SiteLearnt:
    """What became of it."""

    different: int = 0
    """Pages that do not repeat others."""
    has_model: bool = False


def clean_page(task: CleanPage) -> Record:
    """One record, as the format jsonl has it."""
    model = _model(task.method, task.model_path)
    decision = task.decision
    cleaned = clean(task.raw, model, favour=decision.favour, comments=decision.comments, rules=decision.rules)
    return record_of(cleaned.labelled, RecordOptions(task.content))


def clean_nothing(method: str) -> None:
    """Load all that cleaning needs, before the first page comes."""
    clean_page(CleanPage(RawPage(b"<p>"), method, "", DEFAULT_DECISION, "text"))


_workers: dict[tuple[WorkerLimits, str], Worker] = {}


def page_worker(limits: WorkerLimits, method: str) -> Worker:
    """The worker of this process. Its start takes a second, so tasks that follow each other share it."""
    if (limits, method) not in _workers:
        for worker in _workers.values():
            worker.close()
        _workers.clear()
        _workers[limits, method] = Worker(limits, partial(clean_nothing, method))
    return _workers[limits, method]


def learn_site(task: LearnSite) -> SiteLearnt:
    """Large pages are read twice, so that memory holds one at a time."""
    are_held = sum(len(raw.body) for raw in task.pages) <= _HELD_BYTES
    pages = [read_page(raw) for raw in task.pages] if are_held else []
    distinct = distinct_pages(pages or map(read_page, task.pages)).kept
    if len(distinct) < task.least_pages:
        return SiteLearnt(len(distinct))
    method = cast("SiteMethod", find_method(task.method))
    model = method.fit(pages[number] if pages else read_page(task.pages[number]) for number in distinct)
    if model.knows_a_template:
        _save(model, task)
    return SiteLearnt(len(distinct), model.knows_a_template)


def _save(model: SiteModel, task: LearnSite) -> None:
    """A disk that is full is no fault of the site's: it must not count as one that cannot be learnt."""
    try:
        model.save(task.target, site=task.site)
    except ModelError as error:
        raise OutputError(task.target, error.cause, "free some space and run the same command again") from error


def try_site(task: LearnSite) -> None:
    """The same to no effect; with a task of one page it shows whether that page can be learnt at all."""
    distinct_pages(map(read_page, task.pages))
    find_method(task.method).fit(map(read_page, task.pages))


@lru_cache(maxsize=_MODELS_HELD)
def _model(method: str, model_path: str) -> Model:
    """A method that learns sites says nothing without one: then, page evidence does."""
    if model_path:
        return load_model(model_path)
    settings = find_method(method)
    return PageEvidence().fit() if settings.learns and method != DEFAULT_METHOD else settings.fit()
