"""Speed and memory of a batch: WARCs made of labelled pages, cleaned in several ways.

    python benchmarks/batch.py [--megabytes 200] [--jobs 1,2] [--ways loop,learning,batch,trafilatura,resiliparse]
    python benchmarks/batch.py --megabytes 5000 --files 1 --jobs 2 --ways batch --curve memory.csv

Pages of `$DEHUSK_DATA` are repeated under other hosts until the WARCs have the given megabytes of html. Ways:

* `loop`: dehusk.clean over the WARCs in one process, page by page, nothing learnt;
* `learning`: the same, with every site learnt from (at most 200 of) its pages, held in memory: everything a batch does
  except sorting, guarding and reporting, so the difference to a batch of one job is their cost;
* `batch`: `dehusk batch`, for each number of jobs;
* `trafilatura` and `resiliparse`: a multiprocessing pool over the WARCs, with as many processes as the most jobs.

Each way writes JSON lines. Times of ways are wall time; run nothing else meanwhile, and set OMP_NUM_THREADS=1. For the
phases of a batch the processor time of all processes is given, too (on Linux): that of a busy machine is hardly more.
With `--curve` the memory of all processes (shared memory counted once) is written every second.

Every process of a batch imports this module, as it would import the command `dehusk`. What that does without is
imported inside functions.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import NAMESPACE_URL, uuid5

import dehusk
from dehusk.batch.batch_files import BUCKETS, MODELS, PAGES
from dehusk.batch.batch_running import Batch, SliceKey, Watcher, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage
from dehusk.batch.bucketing import InputBucketed
from dehusk.batch.engines import open_engine
from dehusk.errors import DehuskError
from dehusk.learning import MOST_PAGES
from dehusk.outputs.block_json import json_text
from dehusk.sites.site_of import host_of
from dehusk.sources.raw_page import RawPage

MEGABYTE = 1_000_000
WAYS = ("loop", "learning", "batch", "trafilatura", "resiliparse")
RUN = 10
"""Pages that follow each other in a file, so that those of a site are in all of them."""
PAGES_A_SITE = 60
"""Of the multi-page sets, in each round; of the others a few of each site come together."""


def main() -> int:
    from labelled_pages import positive

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=positive, default=200, help="html in the WARCs (default: 200)")
    parser.add_argument("--files", type=positive, default=4, help="WARCs (default: 4)")
    parser.add_argument("--jobs", default="1,2", help="of `dehusk batch`, one run each (default: 1,2)")
    parser.add_argument("--ways", default=",".join(WAYS), help="which to measure (default: all)")
    parser.add_argument("--curve", type=Path, metavar="FILE", help="write memory over time here (CSV)")
    parser.add_argument("--folder", type=Path, help="where to work; WARCs that are there are used again")
    arguments = parser.parse_args()
    jobs = [positive(text) for text in arguments.jobs.split(",")]
    with TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        warcs = folder / f"pages-{arguments.megabytes}-{arguments.files}"
        if not warcs.exists():
            write_warcs(warcs, arguments.files, arguments.megabytes * MEGABYTE)
        measure(warcs, folder, jobs, arguments.ways.split(","), arguments.curve)
    return 0


# The WARCs


def write_warcs(folder: Path, number_of_files: int, most_bytes: int) -> None:
    temporary = folder.with_suffix(".part")
    temporary.mkdir(exist_ok=True)
    size = pages = 0
    with ExitStack() as opened:
        names = [temporary / f"{number}.warc.gz" for number in range(number_of_files)]
        files = [opened.enter_context(open(name, "wb")) for name in names]
        for raw in endless_pages():
            files[pages // RUN % len(files)].write(gzip.compress(warc_record(raw), compresslevel=5))
            size, pages = size + len(raw.body), pages + 1
            if size > most_bytes:
                break
    temporary.rename(folder)
    print(f"{pages:,} pages, {size / MEGABYTE:,.0f} MB of html, {size_of(folder) / MEGABYTE:,.0f} MB")


def warc_record(raw: RawPage) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + raw.body
    headers = {
        "WARC-Type": "response",
        "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, raw.url)}>",
        "WARC-Date": "2026-01-01T00:00:00Z",
        "WARC-Target-URI": raw.url,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(http)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + http + b"\r\n\r\n"


def endless_pages() -> Iterator[RawPage]:
    """All labelled pages with an address, again and again, each time as other sites."""
    from labelled_pages import data_folder

    from dehusk.lab.gold.corpora import open_corpora, take

    corpora = open_corpora([str(path) for path in (data_folder() / "sites", data_folder() / "gold") if path.is_dir()])
    for number in count():
        for corpus in corpora:
            for page in take(corpus, PAGES_A_SITE):
                host = host_of(page.raw.url) or page.site or corpus.name
                path = quote(urlsplit(page.raw.url).path or f"/{page.raw.name}")
                yield RawPage(page.raw.body, f"https://round-{number}-{host}{path}")


# Ways


def measure(warcs: Path, folder: Path, jobs: list[int], ways: list[str], curve: Path | None) -> None:
    timed: dict[str, float] = {}
    if "loop" in ways:
        timed["dehusk.clean in a loop"] = seconds_of(lambda: loop(warcs, folder / "loop.jsonl"))
    if "learning" in ways:
        timed["dehusk.learn and clean in a loop"] = seconds_of(lambda: learning(warcs, folder / "learning.jsonl"))
    if "batch" in ways:
        for number in jobs:
            with watched(curve):
                timed[f"dehusk batch --jobs {number}"] = seconds_of(lambda number=number: batch(warcs, folder, number))
    for tool in ("trafilatura", "resiliparse"):
        if tool in ways:
            name = f"{tool}, {max(jobs)} processes"
            timed[name] = seconds_of(lambda tool=tool: pool(warcs, folder / f"{tool}.jsonl", tool, max(jobs)))
    show(timed, sum(1 for _ in dehusk.open_source(warcs)))


def seconds_of(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def loop(warcs: Path, output: Path) -> None:
    write_lines(output, (record(raw, None) for raw in dehusk.open_source(warcs)))


def learning(warcs: Path, output: Path) -> None:
    by_site: dict[str, list[RawPage]] = {}
    for raw in dehusk.open_source(warcs):
        by_site.setdefault(host_of(raw.url), []).append(raw)
    write_lines(output, (one for raws in by_site.values() for one in site_records(raws)))


def site_records(raws: list[RawPage]) -> Iterator[dict[str, object]]:
    model = None
    if len(raws) >= 3:
        try:
            model = dehusk.learn(map(dehusk.read_page, raws[:MOST_PAGES]))
        except DehuskError:
            model = None
    for raw in raws:
        yield record(raw, model)


def record(raw: RawPage, model: object) -> dict[str, object]:
    try:
        return dehusk.clean(raw, model).to_record()  # type: ignore[arg-type]
    except DehuskError as error:
        return {"url": raw.url, "error": str(error)}


def batch(warcs: Path, folder: Path, jobs: int) -> None:
    out = folder / "batch"
    shutil.rmtree(out, ignore_errors=True)
    phases = Phases(out)
    with open_engine("local", jobs) as engine:
        run_batch(Batch((str(warcs),), out, BatchSettings(task_bytes=1)), engine, watcher=phases)
    phases.show(jobs)
    shutil.rmtree(out)


class Phases(Watcher):
    """When each phase began, in wall time and in processor time, and what lay on disk then."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._begun: dict[str, tuple[float, float]] = {}
        self._pages = self._parts = 0

    def bucketing(self, tasks: int) -> None:
        self._begun["sorting"] = moment()

    def bucketed(self, result: InputBucketed) -> None:
        self._pages += result.pages

    def learning(self, tasks: int) -> None:
        self._begun["learning and cleaning"] = moment()
        self._parts = size_of(self._out / BUCKETS)

    def cleaning(self, storage: Storage, slices: Sequence[SliceKey], pages: int, sites: int) -> None:
        self._begun["cleaning larger buckets, and reporting"] = moment()
        print(f"{self._pages:,} pages of {sites:,} sites, {pages:,} of them in {len(slices)} slices of larger buckets")

    def show(self, jobs: int) -> None:
        moments = [*self._begun.values(), moment()]
        for phase, (begin, end) in zip(self._begun, pairwise(moments), strict=True):
            wall, processor = (after - before for before, after in zip(begin, end, strict=True))
            a_page = processor / max(self._pages, 1) * 1000
            print(f"{jobs} jobs: {phase} {wall:,.1f} s, {processor:,.1f} s of processor time, {a_page:.2f} ms a page")
        processor = moments[-1][1] - moments[0][1]
        a_page = processor / max(self._pages, 1) * 1000
        print(f"{jobs} jobs: all {processor:,.1f} s of processor time, {a_page:.2f} ms a page")
        sizes = {"parts": self._parts, "models": size_of(self._out / MODELS), "records": size_of(self._out / PAGES)}
        print(", ".join(f"{name} {size / MEGABYTE:,.1f} MB" for name, size in sizes.items()))


def moment() -> tuple[float, float]:
    """Seconds by the clock, and of processor time of this process and all below it, those that ended included."""
    return time.perf_counter(), sum(map(processor_seconds, [os.getpid(), *descendants(os.getpid())]))


def processor_seconds(process: int) -> float:
    """What a process and those that it waited for have taken so far, as Linux tells; 0 elsewhere."""
    with suppress(OSError):
        # After the name, which may contain anything: utime, stime, cutime and cstime are the 14th to 17th fields.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def pool(warcs: Path, output: Path, tool: str, processes: int) -> None:
    context = multiprocessing.get_context("spawn")
    pages = ((raw, tool) for raw in dehusk.open_source(warcs))
    with context.Pool(processes) as workers:
        write_lines(output, workers.imap(extract, pages, chunksize=16))


def extract(task: tuple[RawPage, str]) -> dict[str, object]:
    from dehusk.lab.evaluation.other_tools import decoded_html, find_tool

    raw, tool = task
    try:
        return {"url": raw.url, "text": find_tool(tool)(decoded_html(raw.body))}
    except DehuskError as error:
        return {"url": raw.url, "error": str(error)}


def write_lines(output: Path, records: Iterable[dict[str, object]]) -> None:
    with open(output, "w", encoding="utf-8", errors="replace") as stream:
        stream.writelines(json_text(one) + "\n" for one in records)


# Memory


@contextmanager
def watched(curve: Path | None) -> Iterator[None]:
    """Write down the memory of all processes below this one, every second."""
    if curve is None:
        yield
        return
    stop = threading.Event()
    with open(curve, "w", newline="") as stream:
        watcher = threading.Thread(target=watch, args=(csv.writer(stream), stop))
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()


def watch(rows: Any, stop: threading.Event) -> None:
    rows.writerow(["seconds", "processes", "megabytes", "largest process"])
    begun, highest = time.monotonic(), 0
    while not stop.wait(1):
        sizes = [memory_of(process) for process in descendants(os.getpid())]
        highest = max(highest, sum(sizes))
        figures = (sum(sizes) // MEGABYTE, max(sizes, default=0) // MEGABYTE)
        rows.writerow([round(time.monotonic() - begun), len(sizes), *figures])
    print(f"most memory of all processes together: {highest // MEGABYTE:,} MB")


def descendants(process: int) -> Iterator[int]:
    """Children, their children, and so on, as Linux tells."""
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from descendants(child)


def memory_of(process: int) -> int:
    """Bytes in memory, of what is shared with others a part (PSS)."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


# What it came to


def show(timed: dict[str, float], pages: int) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table("", "seconds", "pages/s", box=SIMPLE_HEAD)
    for name, seconds in timed.items():
        table.add_row(name, f"{seconds:,.1f}", f"{pages / seconds:,.0f}")
    console = Console(soft_wrap=True)
    console.print(table)
    one, two = timed.get("dehusk batch --jobs 1"), timed.get("dehusk batch --jobs 2")
    if one and two:
        console.print(f"two jobs are {one / two:.2f} times as fast as one")
    bare = timed.get("dehusk.learn and clean in a loop")
    if one and bare:
        console.print(f"sorting, guarding and reporting cost {one / bare - 1:.0%} of learning and cleaning")


if __name__ == "__main__":
    from labelled_pages import run

    run(main)
