"""Does a batch that is killed again and again end with the output of one that is not? Real pages, random moments.

    python benchmarks/killed_batches.py --engine local --pages 5000 --kills 20 --folder FOLDER
    python benchmarks/killed_batches.py --engine ray --pages 5000 --kills 20 --folder FOLDER

The smallest pages of `$DEHUSK_DATA` (`gold/` and `sites/`) become Parquet files. One batch of them runs undisturbed.
Another is killed (SIGKILL to its whole process group) after a random time, started again, killed again, and in the end
left to finish. Then the two outputs are compared byte by byte. Left out of the comparison, and why:

* `.work/` and `.lock`: they are for a second run, not output, and the markers hold times;
* `seconds` and `slowest` in `report.json`, which are times, and `report.html`, which shows them.

Exit code 1 if anything else differs, if anything is left in the temporary folder (the benchmark has one of its own), or
if the batch ended before it was killed that often.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from labelled_pages import data_folder, positive, run

FILES = 20
"""Of the source, so that there is more than one task to sort."""
TASK_MEGABYTES = 2
"""For the same reason: the usual 64 would be all of it."""
PAGE_SECONDS = 600
"""Pages that run out of time on a busy machine are the one thing that two runs may differ in."""
TIMES = ("seconds", "slowest")
SETTLE_SECONDS = 60.0
"""Processes of a batch that was killed end by themselves, usually within two."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=positive, default=5000, help="the smallest there are (default: 5,000)")
    parser.add_argument("--kills", type=positive, default=20, help="(default: 20)")
    parser.add_argument("--engine", default="local", choices=("local", "ray"))
    parser.add_argument("--jobs", type=positive, default=2, help="(default: 2)")
    parser.add_argument("--method", default="hybrid", help="(default: hybrid)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default: 0)")
    parser.add_argument("--folder", type=Path, required=True, help="where to work; pages that are there are used again")
    arguments = parser.parse_args()
    source = arguments.folder.resolve() / f"pages-{arguments.pages}"
    if not source.exists():
        write_pages(source, arguments.pages)
    outs = {name: source.parent / f"{name}-{arguments.engine}" for name in ("whole", "killed")}
    for out in outs.values():
        shutil.rmtree(out, ignore_errors=True)
    with TemporaryDirectory(prefix="killed-") as temporary:
        batch = KilledBatch(arguments.engine, arguments.jobs, arguments.method, source, temporary)
        whole_seconds = batch.finish(outs["whole"])
        print(f"undisturbed: {whole_seconds:.1f} s, {arguments.pages / whole_seconds:.1f} pages/s", flush=True)
        moments = random.Random(arguments.seed)
        kills = kill_and_resume(batch, outs["killed"], moments, arguments.kills, whole_seconds)
        left = left_in(Path(temporary))
    return show(different_files(outs["whole"], outs["killed"]), left, kills, arguments.kills)


# The pages


def write_pages(folder: Path, number: int) -> None:
    """No more than html and address of each page, so that nobody reads labels; those without address get one."""
    chosen = sorted(sizes_of_pages())[:number]
    chosen.sort(key=lambda page: page[1:])
    folder.mkdir(parents=True)
    rows = [row for name in sorted({page[1] for page in chosen}) for row in rows_of(name, chosen)]
    for part in range(FILES):
        table = pa.Table.from_pylist(rows[part::FILES])
        pq.write_table(table, folder / f"{part:02}.parquet", compression="zstd")
    size = sum(len(row["html"]) for row in rows)
    print(f"{len(rows):,} pages, {size:,} bytes of html, {len({page[1] for page in chosen}):,} data sets", flush=True)


def sizes_of_pages() -> Iterator[tuple[int, str, int]]:
    """Bytes, file and row of each page."""
    for kind in ("gold", "sites"):
        for path in sorted((data_folder() / kind).glob("*.parquet")):
            rows = (html for batch in pq.ParquetFile(path).iter_batches(100, columns=["html"]) for html in batch[0])
            yield from ((len(html.as_py()), str(path), row) for row, html in enumerate(rows))


def rows_of(name: str, chosen: list[tuple[int, str, int]]) -> Iterator[dict[str, Any]]:
    table = pq.read_table(name, columns=["html", "url", "site"])
    for row in sorted(row for _, file, row in chosen if file == name):
        page = {column: table.column(column)[row].as_py() for column in ("html", "url", "site")}
        site = page["site"] or Path(name).stem
        yield {"html": page["html"], "url": page["url"] or f"https://{site}.example/{row}"}


# The batches


@dataclass(frozen=True)
class KilledBatch:
    """`dehusk batch`, in a process group of its own, with temporary files where nobody else has any."""

    engine: str
    jobs: int
    method: str
    source: Path
    temporary: str

    def start(self, out: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dehusk", "batch", str(self.source), "-o", str(out), "--engine", self.engine]
        command += ["--jobs", str(self.jobs), "--method", self.method, "--task-megabytes", str(TASK_MEGABYTES)]
        command += ["--page-seconds", str(PAGE_SECONDS)]
        environment = os.environ | {"TMPDIR": self.temporary}
        return subprocess.Popen(command, env=environment, start_new_session=True)

    def finish(self, out: Path) -> float:
        """Seconds until it ended by itself."""
        begun = time.monotonic()
        code = self.start(out).wait()
        if code not in {0, 1}:
            sys.exit(f"dehusk batch ended with {code}")
        return time.monotonic() - begun


def kill_and_resume(batch: KilledBatch, out: Path, moments: random.Random, kills: int, whole_seconds: float) -> int:
    """Lives are long enough to get somewhere, on average a kill's share of an undisturbed run; how many were killed."""
    done = 0
    while done < kills:
        seconds = moments.uniform(0, 2 * whole_seconds / kills)
        running = batch.start(out)
        try:
            code = running.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            done += 1
            print(f"kill {done} after {seconds:.1f} s: {progress(out)}", flush=True)
        else:
            print(f"ended by itself with {code} before kill {done + 1}", flush=True)
            break
    print(f"left alone, it ended after {batch.finish(out):.1f} s", flush=True)
    return done


def progress(out: Path) -> str:
    counted = {
        "inputs sorted": ".work/bucketed/*.json",
        "buckets learnt": ".work/learnt/*[0-9].json",
        "slices cleaned": ".work/cleaned/*[0-9].json",
    }
    return ", ".join(f"{len(list(out.glob(pattern)))} {name}" for name, pattern in counted.items())


# What it came to


def different_files(whole: Path, killed: Path) -> dict[str, bool]:
    """Every file of either output that is compared, and whether it differs."""
    first, second = compared(whole), compared(killed)
    return {name: first.get(name) != second.get(name) for name in sorted(first | second)}


def compared(out: Path) -> dict[str, bytes]:
    paths = [path for path in out.rglob("*") if path.is_file() and ".work" not in path.relative_to(out).parts]
    found = {str(path.relative_to(out)): path.read_bytes() for path in paths if path.name != ".lock"}
    del found["report.html"]
    report = json.loads(found["report.json"])
    timeless = {name: value for name, value in report.items() if name not in TIMES}
    return found | {"report.json": json.dumps(timeless).encode()}


def left_in(temporary: Path) -> list[str]:
    until = time.monotonic() + SETTLE_SECONDS
    while any(temporary.iterdir()) and time.monotonic() < until:
        time.sleep(1)
    return sorted(path.name for path in temporary.iterdir())


def show(different: dict[str, bool], left: list[str], kills: int, wanted: int) -> int:
    wrong = [name for name, differs in different.items() if differs]
    print(f"{kills} of {wanted} kills; {len(different):,} files compared, {len(wrong):,} differ: {wrong[:10]}")
    print(f"left in the temporary folder: {left or 'nothing'}")
    return 1 if wrong or left or kills < wanted else 0


if __name__ == "__main__":
    run(main)
