"""The *eliminate* job: learn sites that are not learnt yet, then clean their pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar, cast

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import DehuskError
from dehusk.inspection.learnt_sites import distrust_of
from dehusk.learning import sample
from dehusk.methods import find_method
from dehusk.methods.base import SiteMethod, SiteModel
from dehusk.methods.corrections import Corrections
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.sites.duplicates import distinct_pages
from dehusk.webapp.api_errors import ApiError
from dehusk.webapp.jobs import Job
from dehusk.webapp.judged_pages import JudgedPages
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import Learnt, PageRecord, Result, SiteRecord, digest_of
from dehusk.workers.guard import guarded

_WRITE_INTERVAL: Final = 1.0
"""Seconds between two writes of results: each takes some milliseconds."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to eliminate."""

    sites: tuple[str, ...]
    pages: frozenset[str] | None = None
    """Only these pages; None for all of the sites."""
    learn_again: bool = False


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to do with a site: whether to learn its method's model, and whether to learn its style tree."""

    site: SiteRecord
    pages: tuple[PageRecord, ...]
    method: bool
    tree: bool
    name: str
    """The site as progress names it."""


class Elimination:
    """Learns and cleans the sites of a workspace."""

    def __init__(self, workspace: Workspace, judged_pages: JudgedPages) -> None:
        self._workspace = workspace
        self._judged_pages = judged_pages
        self._learning = threading.Lock()

    def run(self, job: Job, wanted: Wanted) -> dict[str, Any]:
        """Run the whole job. Sites removed in the meantime are skipped."""
        plan = self._plan(wanted)
        job.total = sum(len(step.pages) for step in plan)
        job.total += sum(len(self.sampled(step.site)) * (step.method + step.tree) for step in plan)
        for step in plan:
            self._unless_removed(partial(self._clean_first, job, step, wanted.learn_again))
        # Results first: the tree is only for the template view, and nothing waits for it.
        for step in plan:
            if step.tree:
                job.begin(f"reading the template of {step.name}", len(self.sampled(step.site)))
                self._unless_removed(partial(self.learn, step.site, StyleTree.name, job))
        return {"pages": len(job.rows), "failed": sum(row["error"] is not None for row in job.rows)}

    def _plan(self, wanted: Wanted) -> list[_Plan]:
        records = [self._workspace.state.sites[site] for site in wanted.sites if site in self._workspace.state.sites]
        plan = []
        for number, site in enumerate(records, 1):
            pages = self._workspace.pages_of(site.id)
            chosen = tuple(page for page in pages if wanted.pages is None or page.id in wanted.pages)
            name = site.name if len(records) == 1 else f"{site.name} (site {number} of {len(records)})"
            plan.append(_Plan(site, chosen, *self._to_learn(site, wanted.learn_again), name))
        return plan

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

    def _clean_first(self, job: Job, step: _Plan, is_again: bool) -> None:
        begun = time.monotonic()
        if step.method:
            job.begin(f"learning {step.name}", len(self.sampled(step.site)))
            self.learn(step.site, step.site.settings.method, job)
        job.begin(f"cleaning {step.name}", len(step.pages))
        self._clean_pages(job, self._workspace.site(step.site.id), step.pages, is_again)
        self._workspace.set_seconds(step.site.id, round(time.monotonic() - begun, 2))

    def is_current(self, site: SiteRecord, method: str) -> bool:
        """Whether there is nothing to learn: the method does not learn, or has learnt from exactly these pages."""
        learnt = site.model_of(method)
        if not find_method(method).learns:
            return True
        return learnt is not None and learnt.made_from == self._workspace.learnt_digest(site)

    def learn(self, site: SiteRecord, method: str, job: Job | None = None) -> SiteModel:
        """Learn a site from a sample of its pages, without duplicates and unreadable ones."""
        job = job or Job("learn")
        settings = cast("SiteMethod", find_method(method))
        # One at a time: two jobs would write the same file.
        with self._learning:
            made_from, chosen = self._workspace.learnt_digest(site), self.sampled(site)
            read = (guarded(self._judged_pages.blocks, page, page.name) for page in _until_cancelled(chosen, job))
            pages = [blocks for blocks in read if not isinstance(blocks, DehuskError)]
            distinct = distinct_pages(blocks.page for blocks in _until_cancelled(pages, job)).kept
            model = settings.fit_blocks(_counted(pages, distinct, job))
            model.save(self._workspace.model_path(site.id, method), site=site.name)
            self._judged_pages.remember((site.id, method, made_from), model)
            ids = tuple(page.id for page in chosen)
            learnt = Learnt(method, model.pages, model.knows_a_template, made_from, ids, distrust_of(model))
            self._workspace.set_learnt(site.id, learnt)
        return model

    def sampled(self, site: SiteRecord) -> list[PageRecord]:
        """The pages that a site is learnt from."""
        return sample(self._workspace.pages_of(site.id), site.settings.learn_from)

    def _clean_pages(self, job: Job, site: SiteRecord, pages: Sequence[PageRecord], is_again: bool) -> None:
        now, base, taught = self._workspace.now(site), self._workspace.base(site), site.taught
        cleaned: dict[str, Cleaned] = {}
        written = time.monotonic()
        try:
            for page in pages:
                verdicts = self._verdicts_digest(page, taught)
                known = None if is_again else _known(page.result, base, verdicts)
                one = Cleaned(known) if known else self.result(page, site)
                result = replace(one.result, made_with=now, decided_with=base, verdicts=verdicts)
                cleaned[page.id] = replace(one, result=result)
                job.rows.append(result.as_row(page.id, now))
                job.advance()
                if time.monotonic() - written > _WRITE_INTERVAL:
                    self._store(base, cleaned)
                    cleaned, written = {}, time.monotonic()
        finally:
            self._store(base, cleaned)

    def _store(self, base: str, cleaned: Mapping[str, Cleaned]) -> None:
        self._workspace.database.store_decisions(
            {page: (base, one.keep) for page, one in cleaned.items() if one.keep is not None}
        )
        self._workspace.set_results({page: one.result for page, one in cleaned.items()})

    def _verdicts_digest(self, page: PageRecord, taught: Corrections) -> str:
        """A digest of the corrections of a page's blocks; empty without corrections or for an unreadable page."""
        found = guarded(lambda page: self._judged_pages.verdicts(page, taught), page, page.name)
        if found is None or isinstance(found, DehuskError) or not found.any():
            return ""
        return digest_of([str(found.tolist())])

    def result(self, page: PageRecord, site: SiteRecord) -> Cleaned:
        """Clean a page; if that fails, the result has the error."""
        begun = time.perf_counter()

        def cleaned(page: PageRecord) -> Cleaned:
            labelled = self._judged_pages.labelled(page, site, site.settings)
            keep = self._judged_pages.decided(page, site).keep
            return Cleaned(result_of(labelled, page.size, CleanedPage(labelled).text), keep)

        outcome = guarded(cleaned, page, page.name)
        milliseconds = round(1000 * (time.perf_counter() - begun), 2)
        if isinstance(outcome, DehuskError):
            error = f"{outcome.cause}; {outcome.remedy}" if outcome.remedy else outcome.cause
            return Cleaned(Result(bytes_before=page.size, ms=milliseconds, error=error))
        self._judged_pages.block_keys(page)  # needed later, and cheap while the page is in memory
        changed = self._changed_by_site(page, site)
        return replace(outcome, result=replace(outcome.result, ms=milliseconds, changed_by_site=changed))

    def _changed_by_site(self, page: PageRecord, site: SiteRecord) -> int | None:
        compare = partial(self._judged_pages.changed_by_site, site=site, settings=site.settings)
        found = guarded(compare, page, page.name)
        return None if found is None or isinstance(found, DehuskError) else int(found.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Cleaned:
    """The result of a page, and what was kept before corrections; None if that is unchanged or unknown."""

    result: Result
    keep: BlockMask | None = None


def _known(result: Result | None, base: str, verdicts: str) -> Result | None:
    """The result of a page, if cleaning it again would give the same."""
    return result if result and (result.decided_with, result.verdicts) == (base, verdicts) else None


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


def _until_cancelled(pages: Iterable[Item], job: Job) -> Iterator[Item]:
    """Reading and comparing pages takes as long as learning from them: *Cancel* must not wait for it."""
    for page in pages:
        job.check()
        yield page


def _counted(pages: Sequence[Blocks], chosen: Sequence[int], job: Job) -> Iterator[Blocks]:
    distinct = set(chosen)
    for number, page in enumerate(pages):
        if number in distinct:
            yield page
        job.advance()
