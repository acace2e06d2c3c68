"""The steps that handle untrusted pages. Each runs in a `Worker`, so it may fail in any way."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, TypeAlias, cast

from dehusk.batch.bucket_tables import PageInBucket, need_pyarrow
from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.blocks.segmentation import segment
from dehusk.cleaning import CleanedPage, Cleaning, prepared
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import DehuskError, ModelError, OutputError
from dehusk.filtering.page_filters import NO_FILTERS, Dropped, Filters, kept_text, reason_to_drop
from dehusk.filtering.text_signatures import signature_of
from dehusk.inspection.learnt_sites import NOT_CLEANED, LearntSite, describe_learning
from dehusk.learning import load_model
from dehusk.limits import DEFAULT_LIMITS
from dehusk.methods import DEFAULT_METHOD, find_method
from dehusk.methods.base import Model, SiteMethod, SiteModel
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.native.calls import as_given
from dehusk.outputs.chunks import ChunkOptions, chunk_records
from dehusk.outputs.page_records import RecordOptions, record_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded
from dehusk.workers.worker_process import Worker, WorkerLimits

Record: TypeAlias = dict[str, object]

SIGNATURE: Final = "signature"
"""Field of a record that is not written: the signature of the text, as bytes."""

CHUNKS: Final = "chunks"
"""Field of a record with the parts of the page, each of which is written as a record of its own."""

DEFAULT_RECORD: Final = RecordOptions()
_MODELS_HELD: Final = 32
"""Models cached in memory: pages of different sites alternate, and loading a model takes as long as cleaning a page."""
_COMPARED: Final = 5
"""Pages of each site that are also cleaned without it: reports add these up over all sites, and twenty of each would
take a third of the time of deciding."""
_HELD_BYTES: Final = 32_000_000
"""Most bytes of HTML held as parsed pages, which are about ten times as large."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is made of every page."""

    decision: Decision = DEFAULT_DECISION
    record: RecordOptions = DEFAULT_RECORD
    filters: Filters = NO_FILTERS
    chunks: ChunkOptions | None = None
    """How to cut it, if its record has chunks instead of the whole text."""


NO_WISHES: Final = Wishes()


@dataclass(frozen=True, slots=True)
class CleanPage:
    """Task: clean this page, with the model of its site if there is one."""

    page: RawPage | PageInBucket
    method: str
    model_path: str
    wishes: Wishes = NO_WISHES

    @property
    def raw(self) -> RawPage:
        """The page itself."""
        return _raw(self.page)


@dataclass(frozen=True, slots=True)
class PageMade:
    """What came of a page."""

    result: Record | Dropped | DehuskError
    seconds: float


@dataclass(frozen=True, slots=True)
class LearnSite:
    """Task: learn a site from these pages, if enough are different, and write the model to `target`."""

    site: str
    pages: tuple[RawPage | PageInBucket, ...]
    method: str
    least_pages: int
    target: str
    wishes: Wishes = NO_WISHES
    """Also say which elements are taken out of pages before."""
    cleans: bool = False
    """Whether to clean the pages, too, as they are read and judged already."""


@dataclass(frozen=True, slots=True)
class SiteLearnt:
    """Result of a `LearnSite`."""

    different: int = 0
    """Pages that are not duplicates."""
    has_model: bool = False
    learnt: LearntSite | None = None
    """What the model does, if there is one."""
    made: tuple[PageMade | None, ...] = ()
    """The pages, cleaned, if that was asked for: None for those that failed, which are to be cleaned alone."""


def clean_page(task: CleanPage) -> Record | Dropped:
    """The record of a page, as in the jsonl format, or why filters leave it out.

    If pages are compared, the record has one more field, `SIGNATURE`; if they are cut, `CHUNKS`.
    """
    return _made_of(_cleaning(task.method, task.model_path, task.wishes.decision).clean(task.raw), task.wishes)


def _made_of(cleaned: CleanedPage, wishes: Wishes) -> Record | Dropped:
    if not wishes.filters.are_any and wishes.chunks is None:
        # A record alone needs no blocks in Python.
        return record_of(as_given(cleaned, "labelled"), wishes.record)
    labelled = cleaned.labelled
    if reason := reason_to_drop(labelled, wishes.filters):
        return Dropped(reason)
    record = record_of(labelled, wishes.record)
    if wishes.chunks is not None:
        record[CHUNKS] = list(chunk_records(labelled, wishes.chunks))
    if wishes.filters.drop_duplicates:
        record[SIGNATURE] = signature_of(kept_text(labelled))
    return record


def load_for_pages(method: str) -> None:
    """Load everything that reading files and cleaning pages need, before the first page."""
    need_pyarrow()
    clean_page(CleanPage(RawPage(b"<p>"), method, ""))


_workers: dict[tuple[WorkerLimits, str], Worker] = {}


def page_worker(limits: WorkerLimits, method: str) -> Worker:
    """The worker of this process. It takes a second to start, so tasks share it."""
    if (limits, method) not in _workers:
        for worker in _workers.values():
            worker.close()
        _workers.clear()
        _workers[limits, method] = Worker(limits, partial(load_for_pages, method))
    return _workers[limits, method]


def learn_site(task: LearnSite) -> SiteLearnt:
    """Learn a site. Large samples are read twice, so that memory holds one page at a time."""
    if sum(len(_raw(page).body) for page in task.pages) > _HELD_BYTES:
        return _learn_streamed(task)
    held = [segment(_read(page, task.wishes)) for page in task.pages]
    distinct = distinct_pages(blocks.page for blocks in held).kept
    # The network reads a page once as long as its blocks are in memory, whatever is then asked about it.
    model = _fitted(task, distinct, (held[number] for number in distinct))
    compared = [held[number] for number in distinct[:_COMPARED]]
    kept: dict[Blocks, BlockMask] = {}
    made = tuple(_clean_held(held, model, task, compared, kept)) if task.cleans else ()
    if model is None:
        return SiteLearnt(len(distinct), made=made)
    described = describe_learning(model, compared, kept if task.wishes.decision == DEFAULT_DECISION else NOT_CLEANED)
    return SiteLearnt(len(distinct), True, described, made)


def _learn_streamed(task: LearnSite) -> SiteLearnt:
    distinct = distinct_pages(_read(page, task.wishes) for page in task.pages).kept
    model = _fitted(task, distinct, (segment(_read(task.pages[number], task.wishes)) for number in distinct))
    if model is None:
        return SiteLearnt(len(distinct))
    compared = [segment(_read(task.pages[number], task.wishes)) for number in distinct[:_COMPARED]]
    return SiteLearnt(len(distinct), True, describe_learning(model, compared))


def _fitted(task: LearnSite, distinct: Sequence[int], pages: Iterable[Blocks]) -> SiteModel | None:
    """The model of a site, saved; None if there are too few pages, or all are alike."""
    if len(distinct) < task.least_pages:
        return None
    model = cast("SiteMethod", find_method(task.method)).fit_blocks(pages)
    if not model.knows_a_template:
        return None
    _save(model, task)
    return model


def _clean_held(
    pages: Iterable[Blocks],
    model: SiteModel | None,
    task: LearnSite,
    compared: Collection[Blocks],
    kept: dict[Blocks, BlockMask],
) -> Iterator[PageMade | None]:
    """Clean pages; `kept` receives what was decided of those that are compared."""
    cleaning = Cleaning(model or _model(task.method, ""), task.wishes.decision, DEFAULT_LIMITS)

    def clean(blocks: Blocks) -> Record | Dropped:
        cleaned = cleaning.clean_blocks(blocks)
        if blocks in compared:
            kept[blocks] = cleaned.labelled.keep
        return _made_of(cleaned, task.wishes)

    for blocks in pages:
        begun = time.monotonic()
        made = guarded(clean, blocks, blocks.page.label)
        yield None if isinstance(made, DehuskError) else PageMade(made, time.monotonic() - begun)


def _read(page: RawPage | PageInBucket, wishes: Wishes) -> Page:
    return prepared(read_page(_raw(page)), wishes.decision)


def _raw(page: RawPage | PageInBucket) -> RawPage:
    return page.read() if isinstance(page, PageInBucket) else page


def _save(model: SiteModel, task: LearnSite) -> None:
    """Save a model. A full disk must not count as a site that cannot be learnt."""
    try:
        model.save(task.target, site=task.site)
    except ModelError as error:
        raise OutputError(task.target, error.cause, "free some space and run the same command again") from error


def try_site(task: LearnSite) -> None:
    """The same without saving; with a task of one page, it shows whether that page can be learnt from."""
    distinct_pages(_read(page, task.wishes) for page in task.pages)
    find_method(task.method).fit(_read(page, task.wishes) for page in task.pages)


@lru_cache(maxsize=_MODELS_HELD)
def _cleaning(method: str, model_path: str, decision: Decision) -> Cleaning:
    """How to clean pages with a model."""
    return Cleaning(_model(method, model_path), decision, DEFAULT_LIMITS)


@lru_cache(maxsize=_MODELS_HELD)
def _model(method: str, model_path: str) -> Model:
    """The model to clean with. A method that learns sites needs one; page evidence replaces it."""
    if model_path:
        return load_model(model_path)
    settings = find_method(method)
    return PageEvidence().fit() if settings.learns and method != DEFAULT_METHOD else settings.fit()
