"""A batch from start to end: sort inputs into buckets, learn sites, clean slices. Finished tasks are not repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dehusk.batch import batch_files
from dehusk.batch.batch_counts import BatchCount
from dehusk.batch.batch_inputs import InputFile, cut_into_tasks, find_inputs
from dehusk.batch.batch_report import BatchTotal, write_report
from dehusk.batch.batch_settings import BatchSettings, check_method
from dehusk.batch.batch_storage import Storage, needed_json, open_storage, read_json, write_json
from dehusk.batch.bucket_tables import need_pyarrow
from dehusk.batch.bucketing import BucketInput, InputBucketed, bucket_input, bucketed_before, give_up_input
from dehusk.batch.cleaning_slices import CleanSlice, SliceCleaned, clean_slice, give_up_slice
from dehusk.batch.comparing_pages import (
    compare_band,
    comparing_tasks,
    give_up_comparing,
    write_duplicates,
)
from dehusk.batch.engines import Engine
from dehusk.batch.finishing_buckets import finish_bucket, give_up_bucket
from dehusk.batch.learning_sites import BucketLearnt, LearnBucket, learnt_before, read_learnt_sites
from dehusk.batch.page_steps import CleanPage, Record, clean_page
from dehusk.batch.starting import begin, check_plan, plan_of
from dehusk.batch.writing_slices import WriteSlice, give_up_writing, write_slice
from dehusk.errors import DehuskError, OutputError
from dehusk.filtering.page_filters import Dropped
from dehusk.workers.temporary_folders import remove_leftovers

SliceKey = tuple[int, int]
"""Bucket, and number of the slice in it."""


class Watcher:
    """Receives the progress of a batch; this one ignores it."""

    def bucketing(self, tasks: int) -> None:
        """The first phase starts, with so many tasks left."""

    def bucketed(self, result: InputBucketed) -> None:
        """One of them is done."""

    def learning(self, tasks: int) -> None:
        """The second phase starts, with so many tasks left."""

    def learnt(self, result: BucketLearnt) -> None:
        """One of them is done."""

    def cleaning(self, storage: Storage, slices: Sequence[SliceKey], pages: int, sites: int) -> None:
        """The third phase starts: these slices and so many pages are left; `sites` counts all sites."""

    def cleaned(self, result: SliceCleaned) -> None:
        """One slice is done."""

    def comparing(self, tasks: int) -> None:
        """Pages are compared to find duplicates, in so many tasks."""

    def writing(self, tasks: int) -> None:
        """Slices are written without duplicates."""

    def advanced(self) -> None:
        """One task of comparing or writing is done."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The inputs, output and settings of a batch."""

    inputs: tuple[str, ...]
    out: str | Path
    settings: BatchSettings = BatchSettings()  # noqa: RUF009 - frozen
    clean: Callable[[CleanPage], Record | Dropped] = clean_page
    """How to clean a page: a module-level function."""


@dataclass(frozen=True, slots=True)
class BatchDone:
    """The result of a batch."""

    total: BatchTotal
    failures: tuple[str, ...] = ()
    """Tasks without output. Pages that could not be cleaned are not among them: they are rows of the output."""
    pages_now: int = 0
    """Pages cleaned by this run; earlier runs cleaned the others."""
    was_complete: bool = False
    """Whether an earlier run had already finished."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The result of the first phase."""

    pages: int
    buckets: tuple[int, ...]
    """Buckets with pages."""


def run_batch(batch: Batch, engine: Engine, *, fresh: bool = False, watcher: Watcher | None = None) -> BatchDone:
    """Run a batch, or resume an earlier run of it; `fresh` deletes that first."""
    with _begun(batch, engine, fresh, watcher) as run:
        return run.whole()


def sort_pages(batch: Batch, engine: Engine, *, fresh: bool = False, watcher: Watcher | None = None) -> Sorted:
    """Run only the first phase. `run_batch` can continue from it. For crawls that are too large for one batch, each
    bucket can become a batch of its own."""
    with _begun(batch, engine, fresh, watcher) as run:
        return run.sort()


@contextmanager
def _begun(batch: Batch, engine: Engine, fresh: bool, watcher: Watcher | None) -> Iterator[_Run]:
    need_pyarrow()
    check_method(batch.settings)
    inputs = find_inputs(batch.inputs, batch.settings.follow_links)
    storage = open_storage(batch.out)
    with storage.alone(), _tidied(storage):
        begin(storage, plan_of(batch.settings, inputs), fresh)
        try:
            yield _Run(batch, inputs, storage, engine, watcher or Watcher())
        except DehuskError as error:
            check_plan(storage, error)
            raise


@contextmanager
def _tidied(storage: Storage) -> Iterator[None]:
    """Remove leftovers of killed processes: those of earlier runs now, those of this run at the end."""
    remove_leftovers()
    try:
        yield
    finally:
        for folder in batch_files.SWEPT:
            storage.sweep(folder)
        remove_leftovers()


@dataclass(frozen=True, slots=True)
class _Run:
    batch: Batch
    inputs: Sequence[InputFile]
    storage: Storage
    engine: Engine
    watcher: Watcher

    def whole(self) -> BatchDone:
        finished = read_json(self.storage, batch_files.FINISHED)
        slices = None if finished is None else [(bucket, number) for bucket, number in finished]
        done = BatchDone(BatchTotal(BatchCount()), was_complete=True)
        if slices is None or self._unwritten(slices):
            self.storage.remove(batch_files.FINISHED)
            filled = self.sort()
            learnt, pages_now = self._finish_buckets(filled.buckets)
            failures = [result.failure for result in learnt if result.failure]
            done = self._clean_slices([result for result in learnt if not result.failure], filled.pages)
            done = replace(done, pages_now=done.pages_now + pages_now)
            if failures or done.failures:
                return replace(done, failures=(*failures, *done.failures))
            slices = _slices(learnt)
            if self.batch.settings.filters.drop_duplicates and (failures := self._leave_out_duplicates(slices)):
                return replace(done, failures=tuple(failures))
            self._finish(slices)
        total = write_report(self.storage, self.batch.settings, slices)
        # Markers first: buckets without them are filled again if needed.
        for folder in _NOT_NEEDED:
            self.storage.remove_folder(folder)
        return replace(done, total=total)

    def _finish(self, slices: Sequence[SliceKey]) -> None:
        """Mark the batch as finished, unless output was removed in the meantime."""
        check_plan(self.storage)
        if gone := sorted(self._unwritten(slices)):
            name = batch_files.output(*gone[0], self.batch.settings.format_name)
            cause = "it, or its marker, was removed while the batch was running"
            raise OutputError(f"{self.storage.address}/{name}", cause, "run the same command again")
        write_json(self.storage, batch_files.FINISHED, slices)

    def sort(self) -> Sorted:
        """The first phase."""
        tasks = [
            BucketInput(number, files, self.storage.address, self.batch.settings)
            for number, files in enumerate(cut_into_tasks(self.inputs, self.batch.settings.task_bytes))
        ]
        results = [done for task in tasks if (done := bucketed_before(self.storage, task.number))]
        before = {result.number for result in results}
        left = [task for task in tasks if task.number not in before]
        self.watcher.bucketing(len(left))
        for result in self.engine.run(bucket_input, left, give_up_input):
            results.append(result)
            self.watcher.bucketed(result)
        buckets = sorted({bucket for result in results for bucket in result.buckets})
        return Sorted(sum(result.pages for result in results), tuple(buckets))

    def _finish_buckets(self, buckets: Sequence[int]) -> tuple[list[BucketLearnt], int]:
        """The second phase; returns what was learnt, in order, and how many pages were cleaned on the way."""
        models = set(self.storage.names(batch_files.MODELS))
        results = [found for bucket in buckets if (found := self._learnt_before(bucket, models))]
        before = {result.bucket for result in results}
        left = [bucket for bucket in buckets if bucket not in before]
        tasks = [LearnBucket(bucket, self.storage.address, self.batch.settings, self.batch.clean) for bucket in left]
        self.watcher.learning(len(left))
        pages_now = 0
        for done in self.engine.run(finish_bucket, tasks, give_up_bucket):
            results.append(done.learnt)
            pages_now += done.cleaned.count.pages if done.cleaned else 0
            self.watcher.learnt(done.learnt)
        return sorted(results, key=lambda result: result.bucket), pages_now

    def _learnt_before(self, bucket: int, models: set[str]) -> BucketLearnt | None:
        """The result of an earlier run, if its models still exist."""
        done = learnt_before(self.storage, bucket)
        sites = read_learnt_sites(self.storage, bucket).values() if done else ()
        return done if all(batch_files.model(site.site) in models for site in sites if site.model) else None

    def _clean_slices(self, learnt: Sequence[BucketLearnt], pages: int) -> BatchDone:
        """The third phase."""
        batch, address = self.batch, self.storage.address
        slices = _slices(learnt)
        left = self._uncleaned(slices)
        self.storage.remove_folder(batch_files.PROGRESS)
        if left:
            self.storage.remove(batch_files.COMPARED)  # what is cleaned again is compared again
        done = (needed_json(self.storage, batch_files.cleaned_marker(*key)) for key in slices if key not in left)
        pages -= sum(marker["pages"] for marker in done)
        self.watcher.cleaning(self.storage, sorted(left), pages, sum(result.sites for result in learnt))
        tasks = [
            CleanSlice(result.bucket, number, some, address, batch.settings, batch.clean)
            for result in learnt
            for number, some in enumerate(result.slices)
            if (result.bucket, number) in left
        ]
        tasks.sort(key=lambda task: task.size, reverse=True)  # largest first, so that no process idles at the end
        results = []
        for result in self.engine.run(clean_slice, tasks, give_up_slice):
            self.watcher.cleaned(result)
            results.append(result)
        failures = tuple(result.failure for result in results if result.failure)
        return BatchDone(BatchTotal(BatchCount()), failures, sum(result.count.pages for result in results))

    def _leave_out_duplicates(self, slices: Sequence[SliceKey]) -> list[str]:
        """The phases after cleaning, if pages are compared; returns why some of it failed."""
        if read_json(self.storage, batch_files.COMPARED) != [list(key) for key in slices]:
            if failures := self._compare(slices):
                return failures
            self.storage.remove_folder(batch_files.WRITTEN)
            write_json(self.storage, batch_files.COMPARED, slices)
        left = sorted(self._unwritten(slices))
        tasks = [WriteSlice(*key, self.storage.address, self.batch.settings) for key in left]
        self.watcher.writing(len(tasks))
        failures = []
        for result in self.engine.run(write_slice, tasks, give_up_writing):
            self.watcher.advanced()
            failures += [result.failure] if result.failure else []
        return failures

    def _compare(self, slices: Sequence[SliceKey]) -> list[str]:
        """Find the duplicates among all pages; returns why that failed."""
        with self.storage.task_folder() as folder:
            tasks = comparing_tasks(self.storage, slices, self.batch.settings, folder)
            self.watcher.comparing(len(tasks))
            failures = set()
            for result in self.engine.run(compare_band, tasks, give_up_comparing):
                self.watcher.advanced()
                failures |= {result.failure} if result.failure else set()
            if not failures:
                write_duplicates(self.storage, tasks, slices, folder)
        return sorted(failures)

    def _unwritten(self, slices: Iterable[SliceKey]) -> set[SliceKey]:
        """Slices without their output."""
        if not self.batch.settings.filters.drop_duplicates:
            return self._uncleaned(slices)
        there = self._names(batch_files.WRITTEN, batch_files.PAGES)
        return {key for key in slices if not there >= {*_written(key), self._output(key)}}

    def _uncleaned(self, slices: Iterable[SliceKey]) -> set[SliceKey]:
        """Slices that the third phase has to clean."""
        there = self._names(batch_files.CLEANED, batch_files.PAGES, batch_files.RECORDS)
        return {key for key in slices if not there >= {*_cleaned(key), *self._records(key)}}

    def _records(self, key: SliceKey) -> set[str]:
        """The files that the third phase writes besides counts."""
        if not self.batch.settings.filters.drop_duplicates:
            return {self._output(key)}
        return {batch_files.records(*key, self.batch.settings.format_name), batch_files.signatures(*key)}

    def _output(self, key: SliceKey) -> str:
        return batch_files.output(*key, self.batch.settings.format_name)

    def _names(self, *folders: str) -> set[str]:
        return {name for folder in folders for name in self.storage.names(folder)}


_NOT_NEEDED: Final = (
    batch_files.BUCKETED,
    batch_files.BUCKETS,
    batch_files.PROGRESS,
    batch_files.RECORDS,
    batch_files.PAIRS,
    batch_files.DUPLICATES,
)
"""Folders of a finished batch that are removed, markers first."""


def _cleaned(key: SliceKey) -> set[str]:
    return {batch_files.cleaned_marker(*key), batch_files.cleaned_sites(*key)}


def _written(key: SliceKey) -> set[str]:
    return {batch_files.written_marker(*key), batch_files.written_sites(*key)}


def _slices(learnt: Iterable[BucketLearnt]) -> list[SliceKey]:
    return [(result.bucket, number) for result in learnt for number in range(len(result.slices))]
