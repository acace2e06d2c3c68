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

from dehusk.cli import shared_options as options
from dehusk.cli.reporting import INTERRUPTED, SOME_FAILED, TERMINATED, USAGE, Summary, counted, fail, warn

if TYPE_CHECKING:
    from dehusk.batch.batch_running import Batch, BatchDone, Sorted, Watcher
    from dehusk.batch.engines import Engine

Done = TypeVar("Done", covariant=True)


class Work(Protocol[Done]):
    """A function that runs a batch, or its first phase."""

    def __call__(self, batch: Batch, engine: Engine, *, fresh: bool, watcher: Watcher | None) -> Done:
        """Run it."""


class BatchFormat(StrEnum):
    """The names in FORMATS, repeated so that `--help` loads fast; a test keeps the two equal."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    CHUNKS = "chunks"


class EngineName(StrEnum):
    """The names of the engines, likewise."""

    LOCAL = "local"
    RAY = "ray"


def batch_command(
    *,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Pages: files, folders (searched recursively), or s3://...")
    ],
    output: Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="Output folder, or s3://...")],
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Run tasks on local processes or on Ray.")
    ] = EngineName.LOCAL,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Number of parallel tasks; does not change the output. Default: 1, with Ray all processors.",
        ),
    ] = None,
    ray_address: Annotated[
        str,
        typer.Option(
            "--ray-address",
            metavar="ADDRESS",
            help="A running Ray cluster: HOST:PORT or auto. All nodes must see the pages and OUT under the same path."
            " Default: start Ray on this machine while the batch runs.",
        ),
    ] = "",
    format_name: Annotated[
        BatchFormat,
        typer.Option(
            "--format", "-f", help="Format of the records; chunks are lines of JSON, one for each part of a page."
        ),
    ] = BatchFormat.JSONL,
    content: options.ContentOption = options.Content.TEXT,
    shown: options.ShownOptions,
    chunks: options.ChunkSizes,
    filters: options.FilterOptions,
    fields: options.FieldOptions,
    buckets: Annotated[
        int, typer.Option("--buckets", min=1, max=512, help="Number of buckets the sites are spread over.")
    ] = 64,
    sample: Annotated[int, typer.Option("--sample", min=1, help="Learn a site from at most this many pages.")] = 200,
    page_seconds: Annotated[float, typer.Option("--page-seconds", min=0.1, help="Time limit per page.")] = 30.0,
    page_memory: Annotated[
        int, typer.Option("--page-memory", min=100, metavar="MB", help="Memory limit per page.")
    ] = 2000,
    deciding: options.DecidingOptions,
    method: options.MethodOption = "hybrid",
    seed: Annotated[
        int, typer.Option("--seed", help="Random seed: which pages are learnt from, the order of sites in buckets.")
    ] = 0,
    task_megabytes: Annotated[
        int, typer.Option("--task-megabytes", min=1, help="Input per sorting task; larger files get their own task.")
    ] = 64,
    follow_links: options.FollowLinks = False,
    sort_only: Annotated[
        bool,
        typer.Option(
            "--sort-only",
            help="Stop once pages are sorted. The same command without this option continues; or run a separate batch"
            " on each folder in OUT/.work/buckets, with another --seed.",
        ),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Delete what an earlier run wrote to OUT, and start over.")
    ] = False,
) -> None:
    """Clean large collections of pages from many sites, learning each site's template.

    Pages are first sorted into buckets by site; then the sites of each bucket are learnt and their pages cleaned. OUT
    gets a record per page (pages/), the models (models/), counts per site (sites.jsonl), report.json and report.html.

    Run the same command again to continue after an interruption; the output is the same. A page that hangs, crashes
    or exceeds its memory limit becomes a record with an error.

    Input that is empty or not HTML (a PDF, an image) is skipped: its record has the reason, and it is not a
    failure.

    Exit codes: 0 all cleaned, 1 some pages failed, 2 wrong usage, or OUT cannot be written (full, read-only, removed).

    Examples:

      dehusk batch crawl/ -o cleaned --jobs 8

      dehusk batch crawl/ -o cleaned -f chunks --chunk-words 200

      dehusk batch crawl/ -o cleaned -f parquet --language en --drop-duplicates

      dehusk batch /shared/crawl -o /shared/out --engine ray --ray-address auto
    """
    # Parallelism comes from processes, not threads. Must be set before numpy is loaded, here and in the workers.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from dehusk.batch.batch_running import Batch, run_batch, sort_pages
    from dehusk.batch.batch_settings import BatchSettings
    from dehusk.batch.engines import open_engine
    from dehusk.cli.output_names import chunk_options, shown_with
    from dehusk.filtering.page_filters import NO_FILTERS
    from dehusk.workers.worker_process import WorkerLimits

    begun = time.monotonic()
    changed = shown.changed()
    with_chunks = format_name is BatchFormat.CHUNKS
    settings = BatchSettings(
        method=method,
        decision=deciding.decision(method),
        format_name=format_name.value,
        content=content.value,
        document=shown_with(content.value, changed) if changed and not with_chunks else None,
        chunks=chunk_options(chunks.chunk_words, chunks.chunk_overlap, changed) if with_chunks else None,
        filters=filters.filters() or NO_FILTERS,
        source=fields.source(),
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
        _report_sorted(_run(sort_pages, batch, opened, fresh), output)
        return
    done = _run(run_batch, batch, opened, fresh)
    _report(done, output, time.monotonic() - begun)


def _run(work: Work[Done], batch: Batch, opened: AbstractContextManager[Engine], fresh: bool) -> Done:
    from dehusk.cli.batch_progress import ProgressWatcher

    try:
        # In this order: Ray installs its own signal handler when it is opened.
        with opened as engine, _sigterm_raises(), ProgressWatcher() as watcher:
            return work(batch, engine, fresh=fresh, watcher=watcher)
    except KeyboardInterrupt as interrupt:
        from multiprocessing.util import _run_finalizers  # type: ignore[attr-defined]

        warn("interrupted; run the same command again to continue")
        # A normal exit would wait for the engine's threads. Python complains of semaphores that are not given back.
        _run_finalizers(0)
        os._exit(TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED)


class Terminated(KeyboardInterrupt):
    """SIGTERM, handled like Ctrl+C: clean up, then exit."""


@contextmanager
def _sigterm_raises() -> Iterator[None]:
    """Make SIGTERM raise `Terminated`, once; by default it would kill the process at once."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not interrupt the cleaning up
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    yield
    signal.signal(signal.SIGTERM, before)


def _report_sorted(done: Sorted, output: str) -> None:

    pages, buckets = counted(done.pages, "page"), counted(len(done.buckets), "bucket")
    typer.echo(f"{pages} in {buckets}, in {output}/.work/buckets", err=True)


def _report(done: BatchDone, output: str, seconds: float) -> None:
    """Print the summary table and the causes of failures; set the exit code."""

    if done.failures:
        fail("\n".join(done.failures))
    count = done.total.count
    summary = Summary(pages=count.written, size_before=count.size_before, size_after=count.size_after)
    summary.dropped.update(count.dropped)
    summary.nothing_there.count = count.skipped
    summary.skipped = count.pages - done.pages_now
    if done.was_complete:
        pages = counted(count.pages, "page")
        typer.echo(f"this batch is already complete: {pages} in {output}; nothing to do", err=True)
    summary.show(None if done.was_complete else seconds, failed=count.failed, pages_now=done.pages_now)
    if count.causes:
        causes = ", ".join(f"{cause} {pages:,}" for cause, pages in sorted(count.causes.items()))
        warn(f"{counted(count.failed + count.skipped, 'page')} failed or skipped ({causes}); see {output}/report.html")
    if not count.written and not count.dropped:
        raise typer.Exit(USAGE)
    if count.failed:
        raise typer.Exit(SOME_FAILED)
