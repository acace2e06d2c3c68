"""How the work of each kind grows with markup that repeats, for every output, for metadata and for learning.

    python benchmarks/growth.py [--repetitions 500 | --bytes 2000000] [--only REGEX] [--work NAME] [--all]
    python benchmarks/growth.py --seconds [--bytes 1000000] ...

Work is counted, not timed: blocks of compiled code that run, and lines of Python, at three sizes, each twice the one
before. An exponent of 1 is work in step with the page, 2 is its square. Beside the exponent of all work is that of the
function whose work grows fastest: at a few hundred repetitions it says what would only show at megabytes otherwise.
What is above the limits is marked and listed with that function, and the exit code is 1.

What happens in C code of Python and its libraries is not counted. `--seconds` takes the processor's time instead, with
the ordinary library: the exponent of the growth to four times the size, and the seconds there, the shortest of three.

Markup that nests takes more for every level up to the limit of 512, so count it beyond: 500 repetitions are enough.
The last rows are works beside cleaning: gold aligned, sitemaps read. It needs cargo, and no labelled pages.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import log
from pathlib import Path
from typing import NamedTuple

from growing_works import GROWING_WORKS
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from counted_growth import SIZES, WORKS, Growth, Work, attempt, growth_of_works
from counted_library import use_counted_library
from repeated_markup import REPEATED, Repeated

DEPTH = 512
SMALLEST_WORK = 5_000
"""The smallest size of the works beside cleaning."""
LARGEST_EXPONENT_OF_SECONDS = 1.3
"""Caches and other programs make seconds grow a little faster than work."""
UNCLEAR = 0.05
"""Seconds; below that the clock says more than the code."""
SHOWN = 110
"""Characters of the name of a function."""

Prepare = Callable[[int], Work]
"""Prepares work of a size."""
Measure = Callable[[Prepare, int], Growth]
"""The growth of work, from the smallest size."""


class Row(NamedTuple):
    """Works whose growth is measured."""

    name: str
    size: int
    """The smallest one."""
    works: dict[str, Prepare]
    megabytes: float = 0
    """Of the largest page."""


def main() -> int:
    options = _options()
    measure = _growth_of_seconds if options.seconds else partial(growth_of_works, use_counted_library())
    console = Console(soft_wrap=True)
    measured: dict[str, dict[str, Growth]] = {}
    for row in _rows(options):
        measured[row.name] = {work: measure(prepare, row.size) for work, prepare in row.works.items()}
        _print_row(console, row, measured[row.name], show_all=options.all)
    if options.write:
        options.write.write_text(json.dumps(measured, indent=1))
    return _print_summary(console, measured)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500, help="of the markup on the smallest of the three pages")
    parser.add_argument("--bytes", type=int, help="about the size of the largest page, instead of repetitions")
    parser.add_argument("--only", default="", help="rows whose name has this regular expression in it")
    parser.add_argument("--work", action="append", choices=WORKS, help="only this; may be repeated")
    parser.add_argument("--seconds", action="store_true", help="take the processor's time instead of counting")
    parser.add_argument("--all", action="store_true", help="show every exponent, not only the largest ones")
    parser.add_argument("--write", type=Path, help="write the exponents to a file (JSON)")
    return parser.parse_args()


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    largest = options.bytes or (1_000_000 if options.seconds else 0)
    for name, markup in REPEATED.items():
        if re.search(options.only, name):
            size = markup.repetitions(largest // SIZES[-1]) if largest else options.repetitions
            works: dict[str, Prepare] = {work: partial(_prepared, markup, work) for work in options.work or WORKS}
            yield Row(name, size, works, len(markup.page(SIZES[-1] * size)) / 1e6)
    for name, prepare in GROWING_WORKS.items():
        if re.search(options.only, name) and not options.work:
            yield Row(name, SMALLEST_WORK, {"": prepare})


def _prepared(markup: Repeated, work: str, repetitions: int) -> Work:
    return WORKS[work](markup.site(repetitions), DEPTH)


def _growth_of_seconds(prepare: Prepare, size: int) -> Growth:
    """The growth of processor seconds; it has no parts, but says how many there are."""
    small, large = (min(_seconds(prepare(times * size)) for _ in range(3)) for times in (SIZES[0], SIZES[-1]))
    exponent = log(large / max(small, 1e-9)) / log(SIZES[-1]) if large > UNCLEAR else 1.0
    return Growth(exponent, 1.0, f"{large:.3f} s", LARGEST_EXPONENT_OF_SECONDS)


def _seconds(work: Work) -> float:
    gc.collect()
    gc.disable()  # it takes longer the more is there already
    started = time.process_time()
    attempt(work)
    seconds = time.process_time() - started
    gc.enable()
    return seconds


def _print_row(console: Console, row: Row, growths: dict[str, Growth], *, show_all: bool) -> None:
    largest = max(growth.exponent for growth in growths.values())
    shown = growths if show_all else {work: growth for work, growth in growths.items() if not growth.in_step}
    start = f"{row.name:32}{row.size:>8,} {row.megabytes:6.2f} MB {largest:6.2f}"
    console.print(start, *map(_cell, shown.items()), highlight=False, markup=False)


def _cell(measured: tuple[str, Growth]) -> str:
    work, growth = measured
    where = "" if growth.in_step and growth.part.isdigit() else f"  {growth.part[:SHOWN]}"
    return f"\n    {work:26}{growth.exponent:6.2f}{growth.part_exponent:6.2f}{where}"


def _print_summary(console: Console, measured: dict[str, dict[str, Growth]]) -> int:
    growths = [growth for each in measured.values() for growth in each.values()]
    above = sum(not growth.in_step for growth in growths)
    console.print(f"{len(growths):,} exponents of {len(measured)} rows, {above} above the limits")
    return 1 if above else 0


if __name__ == "__main__":
    raise SystemExit(main())
