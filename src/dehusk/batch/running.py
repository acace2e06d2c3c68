"""A batch from beginning to end: inputs into buckets, buckets into output. What is done already is not done again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.batch.bucketing import BucketInput, InputBucketed, bucket_input, bucketed_before, give_up_input
from dehusk.batch.cleaning_sites import BucketCleaned, CleanBucket, clean_bucket, give_up_bucket
from dehusk.batch.counting import BatchCount
from dehusk.batch.engines import Engine
from dehusk.batch.folders import Folders, cannot_write, read_json, write_json
from dehusk.batch.inputs import InputFile, cut_into_tasks, find_inputs
from dehusk.batch.page_steps import CleanPage, Record, clean_page
from dehusk.batch.report import write_report
from dehusk.batch.settings import BatchSettings, check_method
from dehusk.batch.tables import need_pyarrow
from dehusk.errors import OutputError
from dehusk.version import __version__

_TEMPORARY: Final = ".dehusk-*"
"""Files that `written_whole` has not given their names yet."""


class Watcher:
    """Is told how far a batch is. This one does not care."""

    def bucketing(self, tasks: int) -> None:
        """The first phase begins, with so many tasks left."""

    def bucketed(self, result: InputBucketed) -> None:
        """One of them is done."""

    def cleaning(self, folders: Folders, buckets: Sequence[int], pages: int) -> None:
        """The second phase begins: these buckets are left, with so many pages."""

    def cleaned(self, result: BucketCleaned) -> None:
        """One bucket is done."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What to do."""

    inputs: tuple[str, ...]
    out: Path
    settings: BatchSettings = BatchSettings()  # noqa: RUF009 - frozen
    clean: Callable[[CleanPage], Record] = clean_page
    """How each page is cleaned: a function of a module."""


@dataclass(frozen=True, slots=True)
class BatchDone:
    """What it came to."""

    count: BatchCount
    failures: tuple[str, ...] = ()
    """Buckets without output. Pages that were not cleaned are counted, and are rows of the output."""


def run_batch(batch: Batch, engine: Engine, *, fresh: bool = False, watcher: Watcher | None = None) -> BatchDone:
    """Go on where an earlier run of the same batch stopped, or start; `fresh` throws away what there is."""
    need_pyarrow()
    check_method(batch.settings)
    inputs = find_inputs(batch.inputs)
    folders, watcher = Folders(batch.out), watcher or Watcher()
    try:
        folders.work.mkdir(parents=True, exist_ok=True)
        with _alone(folders):
            _begin(folders, _plan(batch.settings, inputs), fresh)
            return _run(batch, inputs, folders, engine, watcher)
    except OSError as error:
        raise cannot_write(batch.out, error) from error


def _run(batch: Batch, inputs: Sequence[InputFile], folders: Folders, engine: Engine, watcher: Watcher) -> BatchDone:
    settings = batch.settings
    buckets = read_json(folders.finished)
    if buckets is None or any(not _is_cleaned(folders, settings, bucket) for bucket in buckets):
        folders.finished.unlink(missing_ok=True)
        pages = _fill_buckets(settings, inputs, folders, engine, watcher)
        buckets = folders.filled_buckets()
        failures = _clean_buckets(batch, folders, buckets, pages, engine, watcher)
        if failures:
            return BatchDone(BatchCount(), tuple(failures))
        write_json(folders.finished, buckets)
    count = write_report(folders, settings, buckets)
    # Markers first: buckets without them are filled again, should there ever be need.
    for folder in (folders.bucketed, folders.buckets, folders.progress):
        shutil.rmtree(folder, ignore_errors=True)
    _sweep(folders)
    return BatchDone(count)


def _fill_buckets(
    settings: BatchSettings, inputs: Sequence[InputFile], folders: Folders, engine: Engine, watcher: Watcher
) -> int:
    """The first phase; returns the number of pages."""
    out, limits = str(folders.out), settings.limits
    tasks = [
        BucketInput(number, files, out, settings.buckets, limits) for number, files in enumerate(cut_into_tasks(inputs))
    ]
    before = [bucketed_before(folders, task.number) for task in tasks]
    pages = sum(done.pages for done in before if done)
    left = [task for task, done in zip(tasks, before, strict=True) if done is None]
    watcher.bucketing(len(left))
    for result in engine.run(bucket_input, left, give_up_input):
        pages += result.pages
        watcher.bucketed(result)
    return pages


def _clean_buckets(
    batch: Batch, folders: Folders, buckets: Sequence[int], pages: int, engine: Engine, watcher: Watcher
) -> list[str]:
    """The second phase; returns what went wrong with whole buckets."""
    left = [bucket for bucket in buckets if not _is_cleaned(folders, batch.settings, bucket)]
    shutil.rmtree(folders.progress, ignore_errors=True)
    done = (read_json(folders.cleaned_marker(bucket)) for bucket in buckets if bucket not in set(left))
    watcher.cleaning(folders, left, pages - sum(marker["pages"] for marker in done))
    tasks = [CleanBucket(bucket, str(batch.out), batch.settings, batch.clean) for bucket in left]
    failures = []
    for result in engine.run(clean_bucket, tasks, give_up_bucket):
        watcher.cleaned(result)
        if result.failure:
            failures.append(result.failure)
    return failures


def _is_cleaned(folders: Folders, settings: BatchSettings, bucket: int) -> bool:
    needed = (
        folders.cleaned_marker(bucket),
        folders.cleaned_sites(bucket),
        folders.output(bucket, settings.format_name),
    )
    return all(path.exists() for path in needed)


# What there is already


def _plan(settings: BatchSettings, inputs: Sequence[InputFile]) -> dict[str, Any]:
    """All that the output depends on, as JSON gives it back."""
    files = [[found.file.path, found.file.relative, found.size, found.modified] for found in inputs]
    return {"dehusk": __version__, "settings": asdict(settings), "files": files}


def _begin(folders: Folders, plan: dict[str, Any], fresh: bool) -> None:
    """Make sure that whatever is in the folder belongs to this batch."""
    before = read_json(folders.plan)
    if before is None and (folders.pages.exists() or folders.models.exists()):
        raise OutputError(str(folders.out), "has files that no batch wrote", "choose another folder")
    if before is not None and fresh:
        _throw_away(folders)
        before = None
    if before is None:
        write_json(folders.plan, plan)
    elif before != plan:
        changed = ", ".join(sorted(name for name in plan if before.get(name) != plan[name]))
        cause = f"holds a batch that differs in {changed}"
        raise OutputError(str(folders.out), cause, "choose another folder, or start anew with --fresh")
    _sweep(folders)


def _throw_away(folders: Folders) -> None:
    """All that a batch writes, and nothing else. The plan goes last: by it, the rest is known to be ours."""
    for file in (folders.finished, folders.sites, folders.report, folders.readable_report):
        file.unlink(missing_ok=True)
    for folder in (folders.cleaned, folders.bucketed, folders.buckets, folders.progress, folders.pages, folders.models):
        shutil.rmtree(folder, ignore_errors=True)
    folders.plan.unlink()


def _sweep(folders: Folders) -> None:
    """Remove what processes that were killed left half written."""
    kept = (folders.out, folders.pages, folders.models, folders.work, folders.cleaned, folders.bucketed)
    for folder in (*kept, *folders.buckets.glob("[0-9]*")):
        for leftover in folder.glob(_TEMPORARY):
            leftover.unlink(missing_ok=True)


@contextmanager
def _alone(folders: Folders) -> Iterator[None]:
    """Nobody else runs a batch into this folder, where the system can tell. A process that dies lets go of it."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(folders.work / "lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise OutputError(str(folders.out), "another run is writing there", "wait for it") from error
        yield
