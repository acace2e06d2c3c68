"""`dehusk batch`."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from types import FrameType
from typing import TYPE_CHECKING, Annotated, NoReturn, Protocol, TypeVar

import typer

from dehusk.cli.clean_command import Content, FavourName
from dehusk.cli.exit_codes import INTERRUPTED, SOME_FAILED, TERMINATED, USAGE
from dehusk.cli.shared_options import FollowLinks

if TYPE_CHECKING:
    from dehusk.batch.batch_running import Batch, BatchDone, Sorted, Watcher
    from dehusk.batch.engines import Engine

Done = TypeVar("Done", covariant=True)


class Work(Protocol[Done]):
    """A batch, or its first phase."""

    def __call__(self, batch: Batch, engine: Engine, *, fresh: bool, watcher: Watcher | None) -> Done:
        """Do it."""


class BatchFormat(StrEnum):
    """The formats, spelled out so that `--help` needs no import; a test keeps them equal to FORMATS."""

    JSONL = "jsonl"
    PARQUET = "parquet"


class EngineName(StrEnum):
    """The same for engines."""

    LOCAL = "local"
    RAY = "ray"


def batch_command(
    paths: Annotated[list[str], typer.Argument(help="Pages: files, folders with all below them, or s3://...")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="The folder to write to, or s3://...")],
    engine: Annotated[EngineName, typer.Option("--engine", help="What runs the tasks.")] = EngineName.LOCAL,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Tasks at a time; the output is the same. 1, or the processors of the cluster."
        ),
    ] = None,
    ray_address: Annotated[
        str,
        typer.Option(
            "--ray-address",
            metavar="ADDRESS",
            help="A running Ray cluster: HOST:PORT or auto. All nodes must reach the pages and OUT by the same path."
            " Without it, --engine ray starts a Ray on this machine for the time of the batch.",
        ),
    ] = "",
    format_name: Annotated[
        BatchFormat, typer.Option("--format", "-f", help="How to write the records.")
    ] = BatchFormat.JSONL,
    content: Annotated[Content, typer.Option("--content", help="What the field `text` holds.")] = Content.TEXT,
    buckets: Annotated[
        int, typer.Option("--buckets", min=1, max=512, help="Parts the sites are spread over: tasks, and files.")
    ] = 64,
    sample: Annotated[int, typer.Option("--sample", min=1, help="Pages to learn a site from, at most.")] = 200,
    page_seconds: Annotated[
        float, typer.Option("--page-seconds", min=0.1, help="Time for a page; longer, and it is given up.")
    ] = 30.0,
    page_memory: Annotated[
        int, typer.Option("--page-memory", min=100, metavar="MB", help="Memory for a page, likewise.")
    ] = 2000,
    favour: Annotated[
        FavourName, typer.Option("--favour", help="Drop what is doubtful (precision) or keep it (recall).")
    ] = FavourName.BALANCED,
    comments: Annotated[bool, typer.Option("--comments", help="Keep readers' comments, too.")] = False,
    method: Annotated[str, typer.Option("--method", "-m", help="How to tell content from noise.")] = "hybrid",
    seed: Annotated[
        int, typer.Option("--seed", help="Of the choice of pages to learn from, and the order of sites in buckets.")
    ] = 0,
    task_megabytes: Annotated[
        int, typer.Option("--task-megabytes", min=1, help="Input files that one task sorts; a larger one by itself.")
    ] = 64,
    follow_links: FollowLinks = False,
    sort_only: Annotated[
        bool,
        typer.Option(
            "--sort-only",
            help="Stop when pages are sorted. The same command without it goes on; or make each folder below"
            " OUT/.work/buckets the input of a batch of its own, with another --seed.",
        ),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Throw away what an earlier run wrote to OUT, and start anew.")
    ] = False,
) -> None:
    """Clean any number of pages of any number of sites, and learn each site on the way.

    Pages are first sorted by site into buckets; then each bucket's sites are learnt and its pages cleaned. OUT gets
    records of all pages (pages/), the models (models/), counts by site (sites.jsonl), report.json and report.html.

    The same command goes on where it was interrupted or killed, and ends with the same output. A page that hangs,
    crashes or needs too much memory becomes a record with an error.

    What is empty or not html (a PDF, an image) is skipped: a record with its reason, and no failure.

    Exit codes: 0 all cleaned, 1 some pages failed, 2 wrong usage, or OUT cannot be written (full, read-only, removed).

    Examples:

      dehusk batch crawl/ -o cleaned --jobs 8

      dehusk batch crawl/ -o cleaned --format parquet --content markdown --buckets 256

      dehusk batch /shared/crawl -o /shared/cleaned --engine ray --ray-address auto
    """
    # Processes do the work of threads. Set before numpy is loaded, here and in them.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from dehusk.batch.batch_running import Batch, run_batch, sort_pages
    from dehusk.batch.batch_settings import BatchSettings
    from dehusk.batch.engines import open_engine
    from dehusk.cli.reporting import fail
    from dehusk.deciding.decisions import Decision
    from dehusk.errors import DehuskError
    from dehusk.workers.worker_process import WorkerLimits

    begun = time.monotonic()
    try:
        settings = BatchSettings(
            method=method,
            decision=Decision(favour.value, comments),
            format_name=format_name.value,
            content=content.value,
            buckets=buckets,
            sample=sample,
            task_bytes=task_megabytes * 1_000_000,
            seed=seed,
            follow_links=follow_links,
            limits=WorkerLimits(page_seconds, page_memory),
        )
        opened = open_engine(engine.value, jobs, ray_address)
        batch = Batch(tuple(paths), output, settings)
        if sort_only:
            _tell_sorted(_run(sort_pages, batch, opened, fresh), output)
            return
        done = _run(run_batch, batch, opened, fresh)
    except DehuskError as error:
        fail(str(error), USAGE)
    _tell(done, output, time.monotonic() - begun)


def _run(work: Work[Done], batch: Batch, opened: AbstractContextManager[Engine], fresh: bool) -> Done:
    from dehusk.cli.batch_progress import ProgressWatcher
    from dehusk.cli.reporting import warn

    try:
        # Ray sets a handler of its own when it is opened.
        with opened as engine, _tidy_when_terminated(), ProgressWatcher() as watcher:
            return work(batch, engine, fresh=fresh, watcher=watcher)
    except KeyboardInterrupt as interrupt:
        warn("interrupted; the same command goes on from here")
        # Threads of engines would still be waited for.
        os._exit(TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED)


class Terminated(KeyboardInterrupt):
    """SIGTERM: somebody wants the batch to end, as with Ctrl+C, and leave nothing behind."""


@contextmanager
def _tidy_when_terminated() -> Iterator[None]:
    """SIGTERM raises `Terminated`, once; by default it would end the process on the spot."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not interrupt the tidying up
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    yield
    signal.signal(signal.SIGTERM, before)


def _tell_sorted(done: Sorted, output: str) -> None:
    typer.echo(f"{done.pages:,} pages in {len(done.buckets):,} buckets below {output}/.work/buckets", err=True)


def _tell(done: BatchDone, output: str, seconds: float) -> None:
    """The closing table, and what became of whole buckets."""
    from dehusk.cli.reporting import Summary, fail, warn

    if done.failures:
        fail("\n".join(done.failures), USAGE)
    count = done.total.count
    cleaned = count.pages - count.failed - count.skipped
    summary = Summary(pages=cleaned, size_before=count.size_before, size_after=count.size_after)
    summary.nothing_there.count = count.skipped
    summary.skipped = count.pages - done.pages_now
    if done.was_complete:
        typer.echo(f"this batch is already complete: {count.pages:,} pages in {output}; nothing to do", err=True)
    summary.show(None if done.was_complete else seconds, failed=count.failed, pages_now=done.pages_now)
    if count.causes:
        causes = ", ".join(f"{cause} {pages:,}" for cause, pages in sorted(count.causes.items()))
        warn(f"{count.pages - cleaned:,} pages not cleaned or skipped ({causes}); see {output}/report.html")
    if not cleaned:
        raise typer.Exit(USAGE)
    if count.failed:
        raise typer.Exit(SOME_FAILED)
