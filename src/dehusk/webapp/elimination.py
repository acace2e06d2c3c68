"""The *eliminate* job: learn sites that are not learnt yet, then clean their pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, cast

from dehusk.blocks.block_columns import Blocks
from dehusk.cleaning import CleanedPage, find_method
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import DehuskError
from dehusk.learning import sample
from dehusk.methods.base import SiteMethod, SiteModel
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.sites.duplicates import distinct_pages
from dehusk.webapp.api_errors import ApiError
from dehusk.webapp.jobs import Job
from dehusk.webapp.judged_pages import JudgedPages
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import Learnt, PageRecord, Result, SiteRecord
from dehusk.workers.guard import guarded

_WRITE_INTERVAL: Final = 1.0
"""Seconds between two writes of results: each takes some milliseconds."""

Check = Callable[[], None]
"""Called for each page; raises to cancel."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to do with a site: whether to learn its method's model, and whether to learn its style tree."""

    site: SiteRecord
    method: bool
    tree: bool


class Elimination:
    """Learns and cleans the sites of a workspace."""

    def __init__(self, workspace: Workspace, judged_pages: JudgedPages) -> None:
        self._workspace = workspace
        self._judged_pages = judged_pages
        self._learning = threading.Lock()

    def run(self, job: Job, sites: Sequence[str], learn_again: bool) -> dict[str, Any]:
        """Run the whole job. Sites removed in the meantime are skipped."""
        records = [self._workspace.state.sites[site] for site in sites if site in self._workspace.state.sites]
        plan = [_Plan(site, *self._to_learn(site, learn_again)) for site in records]
        job.total = sum(len(self._workspace.pages_of(site.id)) for site in records)
        job.total += sum(len(self._sampled(step.site)) * (step.method + step.tree) for step in plan)
        for step in plan:
            self._unless_removed(partial(self._clean_first, job, step))
        # Results first: the tree is only for the template view, and nothing waits for it.
        for step in plan:
            if step.tree:
                job.begin(f"learning the template of {step.site.name}")
                self._unless_removed(partial(self.learn, step.site, StyleTree.name, job.advance))
        return {"pages": len(job.rows), "failed": sum(row["error"] is not None for row in job.rows)}

    def _to_learn(self, site: SiteRecord, learn_again: bool) -> tuple[bool, bool]:
        """Whether to learn its method's model, and whether to learn a style tree to show."""
        method = site.settings.method
        wanted = {name: not self.is_current(site, name) or learn_again for name in (method, StyleTree.name)}
        return wanted[method] and find_method(method).learns, wanted[StyleTree.name] and method != StyleTree.name

    def _unless_removed(self, work: Callable[[], object]) -> None:
        try:
            work()
        except ApiError:
            return

    def _clean_first(self, job: Job, step: _Plan) -> None:
        if step.method:
            job.begin(f"learning {step.site.name}")
            self.learn(step.site, step.site.settings.method, job.advance)
        job.begin(f"cleaning {step.site.name}")
        self._clean_site(job, self._workspace.site(step.site.id))

    def is_current(self, site: SiteRecord, method: str) -> bool:
        """Whether there is nothing to learn: the method does not learn, or has learnt from exactly these pages."""
        learnt = site.model_of(method)
        if not find_method(method).learns:
            return True
        return learnt is not None and learnt.made_from == self._workspace.pages_digest(site.id)

    def learn(self, site: SiteRecord, method: str, advance: Check = lambda: None) -> SiteModel:
        """Learn a site from a sample of at most 200 pages, without duplicates and unreadable pages."""
        settings = cast("SiteMethod", find_method(method))
        # One at a time: two jobs would write the same file.
        with self._learning:
            made_from = self._workspace.pages_digest(site.id)
            read = (guarded(self._judged_pages.blocks, page, page.name) for page in self._sampled(site))
            pages = [blocks for blocks in read if not isinstance(blocks, DehuskError)]
            distinct = distinct_pages(blocks.page for blocks in pages).kept
            model = settings.fit_blocks(_counted(pages, distinct, advance))
            model.save(self._workspace.model_path(site.id, method), site=site.name)
            self._judged_pages.remember((site.id, method, made_from), model)
            self._workspace.set_learnt(site.id, Learnt(method, model.pages, model.knows_a_template, made_from))
        return model

    def _sampled(self, site: SiteRecord) -> list[PageRecord]:
        return sample(self._workspace.pages_of(site.id))

    def _clean_site(self, job: Job, site: SiteRecord) -> None:
        now = self._workspace.now(site)
        results: dict[str, Result] = {}
        written = time.monotonic()
        try:
            for page in self._workspace.pages_of(site.id):
                result = results[page.id] = replace(self.result(page, site), made_with=now)
                job.rows.append(result.as_row(page.id, now))
                job.advance()
                if time.monotonic() - written > _WRITE_INTERVAL:
                    self._workspace.set_results(results)
                    results, written = {}, time.monotonic()
        finally:
            self._workspace.set_results(results)

    def result(self, page: PageRecord, site: SiteRecord) -> Result:
        """Clean a page; if that fails, the result has the error."""
        begun = time.perf_counter()

        def cleaned(page: PageRecord) -> Result:
            labelled = self._judged_pages.labelled(page, site, site.settings)
            return result_of(labelled, page.size, CleanedPage(labelled).text)

        outcome = guarded(cleaned, page, page.name)
        milliseconds = round(1000 * (time.perf_counter() - begun), 2)
        if isinstance(outcome, DehuskError):
            error = f"{outcome.cause}; {outcome.remedy}" if outcome.remedy else outcome.cause
            return Result(bytes_before=page.size, ms=milliseconds, error=error)
        self._judged_pages.block_keys(page)  # needed later, and cheap while the page is in memory
        return replace(outcome, ms=milliseconds)


def result_of(labelled: LabelledBlocks, size: int, text: str) -> Result:
    """Sizes and counts of a cleaned page."""
    characters, characters_kept = sizes_of(labelled)
    return Result(
        bytes_before=size,
        bytes_after=len(text.encode("utf-8", "replace")),
        confidence=None if labelled.confidence is None else round(labelled.confidence, 4),
        page_type=labelled.page_type,
        blocks=len(labelled.blocks),
        blocks_kept=int(labelled.keep.sum()),
        characters=characters,
        characters_kept=characters_kept,
    )


def sizes_of(labelled: LabelledBlocks) -> tuple[int, int]:
    """Visible characters, and characters kept."""
    blocks = labelled.blocks
    return int(blocks.length[~blocks.hidden].sum()), int(blocks.length[labelled.keep].sum())


def _counted(pages: Sequence[Blocks], chosen: Sequence[int], advance: Check) -> Iterator[Blocks]:
    distinct = set(chosen)
    for number, page in enumerate(pages):
        if number in distinct:
            yield page
        advance()
