"""The steps that handle untrusted pages. Each runs in a `Worker`, so it may fail in any way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, TypeAlias, cast

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean_blocks, find_method, prepared
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import ModelError, OutputError
from dehusk.filtering.page_filters import NO_FILTERS, Dropped, Filters, kept_text, reason_to_drop
from dehusk.filtering.text_signatures import signature_of
from dehusk.inspection.learnt_sites import MOST_COMPARED, LearntSite, describe_learning
from dehusk.learning import load_model
from dehusk.methods import DEFAULT_METHOD
from dehusk.methods.base import Model, SiteMethod, SiteModel
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.outputs.chunks import ChunkOptions, chunk_records
from dehusk.outputs.page_records import RecordOptions, record_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sources.raw_page import RawPage
from dehusk.workers.worker_process import Worker, WorkerLimits

Record: TypeAlias = dict[str, object]

SIGNATURE: Final = "signature"
"""Field of a record that is not written: the signature of the text, as bytes."""

CHUNKS: Final = "chunks"
"""Field of a record with the parts of the page, each of which is written as a record of its own."""

DEFAULT_RECORD: Final = RecordOptions()
_MODELS_HELD: Final = 32
"""Models cached in memory: pages of different sites alternate, and loading a model takes as long as cleaning a page."""
_HELD_BYTES: Final = 32_000_000
"""Most bytes of HTML held as parsed pages, which are about ten times as large."""


@dataclass(frozen=True, slots=True)
class CleanPage:
    """Task: clean this page, with the model of its site if there is one."""

    raw: RawPage
    method: str
    model_path: str
    decision: Decision
    record: RecordOptions = DEFAULT_RECORD
    filters: Filters = NO_FILTERS
    chunks: ChunkOptions | None = None
    """How to cut it, if its record has chunks instead of the whole text."""


@dataclass(frozen=True, slots=True)
class LearnSite:
    """Task: learn a site from these pages, if enough are different, and write the model to `target`."""

    site: str
    pages: tuple[RawPage, ...]
    method: str
    least_pages: int
    target: str
    decision: Decision = DEFAULT_DECISION
    """Says which elements are taken out of pages."""


@dataclass(frozen=True, slots=True)
class SiteLearnt:
    """Result of a `LearnSite`."""

    different: int = 0
    """Pages that are not duplicates."""
    has_model: bool = False
    learnt: LearntSite | None = None
    """What the model does, if there is one."""


def clean_page(task: CleanPage) -> Record | Dropped:
    """The record of a page, as in the jsonl format, or why filters leave it out.

    If pages are compared, the record has one more field, `SIGNATURE`; if they are cut, `CHUNKS`.
    """
    model = _model(task.method, task.model_path)
    decision = task.decision
    cleaned = clean_blocks(segment(prepared(read_page(task.raw), decision)), model, decision)
    if reason := reason_to_drop(cleaned.labelled, task.filters):
        return Dropped(reason)
    record = record_of(cleaned.labelled, task.record)
    if task.chunks is not None:
        record[CHUNKS] = list(chunk_records(cleaned.labelled, task.chunks))
    if task.filters.drop_duplicates:
        record[SIGNATURE] = signature_of(kept_text(cleaned.labelled))
    return record


def clean_nothing(method: str) -> None:
    """Load everything that cleaning needs, before the first page."""
    clean_page(CleanPage(RawPage(b"<p>"), method, "", DEFAULT_DECISION))


_workers: dict[tuple[WorkerLimits, str], Worker] = {}


def page_worker(limits: WorkerLimits, method: str) -> Worker:
    """The worker of this process. It takes a second to start, so tasks share it."""
    if (limits, method) not in _workers:
        for worker in _workers.values():
            worker.close()
        _workers.clear()
        _workers[limits, method] = Worker(limits, partial(clean_nothing, method))
    return _workers[limits, method]


def learn_site(task: LearnSite) -> SiteLearnt:
    """Learn a site. Large samples are read twice, so that memory holds one page at a time."""
    are_held = sum(len(raw.body) for raw in task.pages) <= _HELD_BYTES
    held = [_read(raw, task) for raw in task.pages] if are_held else []
    distinct = distinct_pages(held or (_read(raw, task) for raw in task.pages)).kept
    if len(distinct) < task.least_pages:
        return SiteLearnt(len(distinct))
    # Blocks that are held are compared below, too: the network reads a page once as long as its blocks are in memory.
    blocks = [segment(held[number]) for number in distinct] if are_held else []
    read_again = (segment(_read(task.pages[number], task)) for number in distinct)
    model = cast("SiteMethod", find_method(task.method)).fit_blocks(blocks or read_again)
    if not model.knows_a_template:
        return SiteLearnt(len(distinct))
    _save(model, task)
    compared = blocks[:MOST_COMPARED] or [segment(_read(task.pages[n], task)) for n in distinct[:MOST_COMPARED]]
    return SiteLearnt(len(distinct), True, describe_learning(model, compared))


def _read(raw: RawPage, task: LearnSite) -> Page:
    return prepared(read_page(raw), task.decision)


def _save(model: SiteModel, task: LearnSite) -> None:
    """Save a model. A full disk must not count as a site that cannot be learnt."""
    try:
        model.save(task.target, site=task.site)
    except ModelError as error:
        raise OutputError(task.target, error.cause, "free some space and run the same command again") from error


def try_site(task: LearnSite) -> None:
    """The same without saving; with a task of one page, it shows whether that page can be learnt from."""
    distinct_pages(_read(raw, task) for raw in task.pages)
    find_method(task.method).fit(_read(raw, task) for raw in task.pages)


@lru_cache(maxsize=_MODELS_HELD)
def _model(method: str, model_path: str) -> Model:
    """The model to clean with. A method that learns sites needs one; page evidence replaces it."""
    if model_path:
        return load_model(model_path)
    settings = find_method(method)
    return PageEvidence().fit() if settings.learns and method != DEFAULT_METHOD else settings.fit()
