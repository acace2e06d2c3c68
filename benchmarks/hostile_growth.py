"""How the time of each kind of work grows when hostile input grows four times: 4 is linear, 16 quadratic.

    python benchmarks/hostile_growth.py [--repeat 3] [--only WORDS]

The tests count lines of Python on the same pages; this also sees what happens inside C code: the parser, regular
expressions, numpy, rapidfuzz. Ratios far above 4 are marked. It needs no labelled pages.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import dehusk
from dehusk.lab.evaluation.cleaneval_score import score_segments
from dehusk.lab.gold.gold_alignment import Segment, align_text
from dehusk.methods.sequence_labels.text_runs import RunLabel
from dehusk.sites.robots import Rules, parse
from dehusk.sites.sitemaps import locations
from dehusk.workers.worker_process import Worker, WorkerLimits

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from growing_pages import GROWING, GROWING_DOCUMENTS
from keep_visible import clean_visible

FORMATS = ("text", "markdown", "html", "json")
DOCUMENT_FORMATS = ("markdown", "html", "tei")
TIMES = 4
SUSPICIOUS = 8.0
"""A ratio halfway between linear and quadratic."""
UNCLEAR = 0.02
"""Seconds; below that the clock says more than the code."""

Work = Callable[[], object]
MakeWork = Callable[[int], Work]


def main() -> int:
    arguments = _parse_arguments()
    table = Table("work", "size", "ms", f"ms at {TIMES} times the size", "ratio", box=SIMPLE_HEAD)
    gc.disable()  # it takes longer the more is there already
    for name, make_work, size in _works():
        if arguments.only in name:
            table.add_row(name, f"{size:,}", *_row(make_work, size, arguments.repeat))
    Console().print(table)
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="the shortest of so many times counts")
    parser.add_argument("--only", default="", help="work whose name has this in it")
    return parser.parse_args()


def _row(make_work: MakeWork, size: int, repeat: int) -> tuple[str, str, str]:
    small, large = (min(_seconds(make_work(each)) for _ in range(repeat)) for each in (size, TIMES * size))
    ratio = large / max(small, 1e-9)
    mark = " <" if ratio > SUSPICIOUS and large > UNCLEAR else ""
    return f"{1000 * small:.1f}", f"{1000 * large:.1f}", f"{ratio:.1f}{mark}"


def _seconds(work: Work) -> float:
    started = time.process_time()
    with contextlib.suppress(dehusk.DehuskError):
        work()
    return time.process_time() - started


def _works() -> Iterator[tuple[str, MakeWork, int]]:
    for name, growing in GROWING.items():
        yield f"clean: {name}", partial(_cleaning, name), growing.cleaned
        if growing.rendered:
            for format_name in FORMATS:
                yield f"{format_name}: {name}", partial(_rendering, name, format_name), growing.rendered
    for name, (_, size) in GROWING_DOCUMENTS.items():
        for format_name in DOCUMENT_FORMATS:
            yield f"{format_name}: {name}", partial(_rendering_document, name, format_name), size // TIMES
    for name, make_work in OTHERS.items():
        yield name, make_work, 20_000


def _cleaning(name: str, size: int) -> Work:
    source = GROWING[name].generate(size)
    return lambda: dehusk.clean(source)


def _rendering(name: str, format_name: str, size: int) -> Work:
    cleaned = dehusk.clean(GROWING[name].generate(size), url="https://a.example/")
    return lambda: cleaned.render(format_name)


def _rendering_document(name: str, format_name: str, size: int) -> Work:
    cleaned = clean_visible(GROWING_DOCUMENTS[name][0](size))
    cleaned.metadata  # noqa: B018 - found before the clock runs
    return lambda: cleaned.render(format_name)


def _aligning(first: Callable[[int], list[str]], second: Callable[[int], list[str]], size: int) -> Work:
    runs, gold = first(size), " ".join(second(size))
    return lambda: align_text(runs, gold)


def _scoring(size: int) -> Work:
    chance = random.Random(0)
    texts = [
        [Segment(RunLabel.PARAGRAPH, " ".join(chance.choices("abcde", k=10))) for _ in range(size // 16)] for _ in "12"
    ]
    return lambda: score_segments(*texts)


def _reading_sitemap(text: str, size: int) -> Work:
    whole = text * size
    return lambda: locations(whole)


def _reading_robots(size: int) -> Work:
    text = "User-agent: *\n" + "Disallow: /a*a*a*a*a*b$\n" * (size // 8)
    return lambda: Rules(parse(text)).allow("https://a.example/" + "a" * 1000)


def _sending(size: int) -> Work:
    def work() -> None:
        with Worker(WorkerLimits(seconds=60)) as worker:
            for _ in range(size // 200):
                worker.run(len, b"x" * 100_000, "page")

    return work


OTHERS: dict[str, MakeWork] = {
    "align: one word": partial(_aligning, lambda size: ["a"] * size, lambda size: ["a"] * size),
    "align: periods": partial(_aligning, lambda size: ["a", "b"] * (size // 2), lambda size: list("abc") * (size // 3)),
    "align: turned round": partial(
        _aligning,
        lambda size: [f"u{number}" for number in range(size)],
        lambda size: [f"u{number}" for number in reversed(range(size))],
    ),
    "CleanEval score": _scoring,
    "sitemap: <loc>": partial(_reading_sitemap, "<loc>"),
    "sitemap: blanks": partial(_reading_sitemap, "<loc>" + " " * 100),
    "sitemap: CDATA": partial(_reading_sitemap, "<loc><![CDATA["),
    "sitemap: names": partial(_reading_sitemap, "<a:"),
    "robots.txt: stars": _reading_robots,
    "pages sent to a worker": _sending,
}


if __name__ == "__main__":
    raise SystemExit(main())
