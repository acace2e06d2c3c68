"""A batch with all filters on both engines: do the counts add up, and does memory stay flat?

    python benchmarks/filtered_batch.py --pages 20000 --jobs 2 [--engines local,ray]

Pages are made up: of every hundred, ten are copies (on another site), five cut by a tenth, five too short, five in
German, two empty, one a PDF. The peaks are those of all processes together, in each fifth of the run; on Ray, Ray's own
processes (its daemons, and workers that wait) are told apart from those that run tasks.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from batch import descendants, memory_of

from dehusk.batch.batch_running import Batch, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.engines import open_engine
from dehusk.filtering.page_filters import Filters

WORDS = (
    "the of and to in is that for it was on are as with his they at be this from have or by one had not but what all "
    "were when we there can an your which their said if do will each about how up out them then she many some so these "
    "would other into has more her two like him see time could no make than first been its who now people my made over "
    "did down only way find use may water long little very after words called just where most know house world kettle"
).split()
GERMAN = (
    "der die das und ist nicht von mit dem den ein eine auf für wird sich auch als nach bei einer aus dass noch über "
    "wie war haben hat werden ich sie wir ihr aber oder wenn nur schon man mehr sehr zum zur durch kein keine jahr zeit"
).split()
FILTERS = Filters(
    languages=["en"], min_words=50, max_words=5000, min_confidence=0.05, require=["title"], drop_duplicates=True
)
_FILES = 8
_SITES = 50


def make_records(pages: int, seed: int) -> Iterator[dict[str, str]]:
    """Records of pages, as lines of JSON hold them."""
    chance = Random(seed)
    earlier = ["tea"]
    for number in range(pages):
        kind = number % 100
        words = chance.choices(GERMAN if 20 <= kind < 25 else WORDS, k=chance.randint(150, 600))
        if kind < 10:
            words = chance.choice(earlier).split()
        elif kind < 15:
            words = (copied := chance.choice(earlier).split())[: len(copied) * 9 // 10]
        elif kind < 20:
            words = words[:20]
        elif kind >= 30:
            earlier = [*earlier[-1000:], " ".join(words)]
        html = "" if kind in {25, 26} else "%PDF-1.4" if kind == 27 else _html(words, number)
        yield {"url": f"https://site-{number * 7 % _SITES}.example/{number}", "html": html}


def _html(words: list[str], number: int) -> str:
    site = number * 7 % _SITES
    menu = "".join(f"<li><a href=/{entry}>Menu {entry} of site {site}</a>" for entry in range(10))
    body = "".join(f"<p>{' '.join(words[start : start + 60])}.</p>" for start in range(0, len(words), 60))
    return f"<title>Page {number}</title><nav><ul>{menu}</ul></nav><article><h1>Page {number}</h1>{body}</article>"


def write_input(folder: Path, pages: int, seed: int) -> None:
    """Spread the pages over some files of JSON lines."""
    folder.mkdir()
    streams = [(folder / f"{number}.jsonl").open("w") for number in range(_FILES)]
    for number, record in enumerate(make_records(pages, seed)):
        streams[number % _FILES].write(json.dumps(record) + "\n")
    for stream in streams:
        stream.close()


def kind_of(process: int) -> str:
    """Whether a process is Ray's own (`ray`), a worker that Ray has run a task in (`tasks`), or ours (`batch`).

    Ray names its workers by the function that they run, and those that wait `ray::IDLE`.
    """
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return "batch"
    if command.startswith(b"ray::"):
        return "ray" if command.startswith(b"ray::IDLE") else "tasks"
    return "ray" if any(name in command for name in _OF_RAY) else "batch"


_OF_RAY = (b"/ray/", b"raylet", b"gcs_server")


class Peaks:
    """Samples the memory of this process and all below it."""

    def __init__(self) -> None:
        self._samples: list[Counter[str]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._stop.wait(0.5):
            sizes: Counter[str] = Counter()
            for process in [os.getpid(), *descendants(os.getpid())]:
                sizes[kind_of(process)] += memory_of(process)
            self._samples.append(sizes)

    def fifths(self) -> dict[str, list[int]]:
        """Kind of process -> megabytes: the peak in each fifth of the time."""
        self._stop.set()
        self._thread.join()
        kinds = sorted({kind for sizes in self._samples for kind in sizes})
        found = {kind: self._peaks([sizes[kind] for sizes in self._samples]) for kind in kinds}
        return {**found, "all": self._peaks([sizes.total() for sizes in self._samples])}

    def _peaks(self, sizes: list[int]) -> list[int]:
        size = max(1, len(sizes) // 5)
        return [max(sizes[start : start + size]) // 10**6 for start in range(0, len(sizes), size)][:5]


def main() -> None:
    """Run, check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engines", default="local,ray")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        write_input(Path(folder) / "pages", options.pages, options.seed)
        for name in options.engines.split(","):
            begun, peaks = time.monotonic(), Peaks()
            out = Path(folder) / name
            with open_engine(name, options.jobs) as engine:
                settings = BatchSettings(buckets=16, filters=FILTERS, task_bytes=4_000_000)
                count = run_batch(Batch((str(Path(folder) / "pages"),), out, settings), engine).total.count
            lines = sum(not json.loads(line)["error"] for file in (out / "pages").iterdir() for line in file.open())
            assert (
                count.pages
                == options.pages
                == count.written + sum(count.dropped.values()) + count.failed + count.skipped
            )
            assert lines == count.written
            parts = (
                f"{count.written:,} written + {count.dropped} dropped + {count.failed} failed + {count.skipped} skipped"
            )
            print(f"{name}: read {count.pages:,} = {parts}, in {time.monotonic() - begun:.0f} s")
            for kind, fifths in peaks.fifths().items():
                print(f"  peaks of memory in MB, {kind}: {fifths}", flush=True)


if __name__ == "__main__":
    main()
