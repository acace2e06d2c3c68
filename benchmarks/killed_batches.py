"""Check that a batch killed repeatedly at random moments ends with the output of an undisturbed one, on real pages.

    python benchmarks/killed_batches.py --engine local --pages 5000 --kills 20 --folder FOLDER
    python benchmarks/killed_batches.py --engine ray --pages 5000 --kills 20 --folder FOLDER

The smallest pages of `$DEHUSK_DATA` (`gold/` and `sites/`) become Parquet files. One batch of them runs undisturbed,
with the engine local; its output is kept, and serves all engines. Another is killed (SIGKILL to its process group),
restarted, killed again, and finally left to finish. Each run ends after a random number of finished tasks and a random
time, so that kills are spread over the work. Then the two outputs are compared byte by byte, except:

* `.work/` and `.lock`, which are state for a second run, not output, and contain times;
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
from contextlib import suppress
from dataclasses import dataclass, replace
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
MARKERS = {
    "inputs sorted": ".work/bucketed/*.json",
    "buckets learnt": ".work/learnt/*[0-9].json",
    "slices cleaned": ".work/cleaned/*[0-9].json",
}
"""What each finished task leaves."""
LOOK_SECONDS = 0.05
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
    parser.add_argument("--folder", type=Path, required=True, help="where to work; what is there is used again")
    arguments = parser.parse_args()
    source = arguments.folder.resolve() / f"pages-{arguments.pages}"
    if not source.exists():
        write_pages(source, arguments.pages)
    whole = source.parent / f"whole-{arguments.pages}-{arguments.method}"
    killed = source.parent / f"killed-{arguments.pages}-{arguments.method}-{arguments.engine}"
    shutil.rmtree(killed, ignore_errors=True)
    with TemporaryDirectory(prefix="killed-") as temporary:
        batch = KilledBatch(arguments.engine, arguments.jobs, arguments.method, source, temporary)
        seconds = replace(batch, engine="local").finish(whole)
        print(f"undisturbed: {seconds:.1f} s, {sum(finished(whole).values())} tasks, and those that sort", flush=True)
        moments = Moments(random.Random(arguments.seed), whole)
        kills = kill_and_resume(batch, killed, moments, arguments.kills)
        left = left_in(Path(temporary))
    return show(different_files(whole, killed), left, kills, arguments.kills)


# The pages


def write_pages(folder: Path, number: int) -> None:
    """Only html and URL of each page, so that no label is read; pages without a URL get one."""
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
    """`dehusk batch`, in a process group of its own, with a temporary folder of its own."""

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


class Moments:
    """When to kill."""

    def __init__(self, chance: random.Random, whole: Path) -> None:
        self._chance = chance
        self._tasks = sum(finished(whole).values())
        self._most_seconds = json.loads((whole / "report.json").read_text())["seconds"] / self._tasks

    def wait(self, running: subprocess.Popen[bytes], out: Path, kills_left: int) -> bool:
        """Whether it still runs after some more tasks, and about the time of another.

        Tasks are up to a kill's share of those that are left, so half of it on average: others are finished meanwhile,
        and the last kill is to come before the end.
        """
        before = sum(finished(out).values())
        wanted = before + int(self._chance.uniform(0, (self._tasks - before) / kills_left))
        seconds = self._chance.uniform(0, self._most_seconds)
        while running.poll() is None and sum(finished(out).values()) < wanted:
            time.sleep(LOOK_SECONDS)
        with suppress(subprocess.TimeoutExpired):
            running.wait(seconds)
        return running.poll() is None


def kill_and_resume(batch: KilledBatch, out: Path, moments: Moments, kills: int) -> int:
    """Start, kill, and in the end let it finish; how often it was killed."""
    done = 0
    for number in range(1, kills + 1):
        begun = time.monotonic()
        running = batch.start(out)
        if not moments.wait(running, out, kills + 1 - number):
            print(f"ended by itself with {running.returncode} before kill {number}", flush=True)
            break
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        done = number
        progress = ", ".join(f"{tasks} {name}" for name, tasks in finished(out).items())
        print(f"kill {number} after {time.monotonic() - begun:.1f} s: {progress}", flush=True)
    print(f"left alone, it ended after {batch.finish(out):.1f} s", flush=True)
    return done


def finished(out: Path) -> dict[str, int]:
    """Tasks of each phase."""
    return {name: len(list(out.glob(pattern))) for name, pattern in MARKERS.items()}


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
