"""How the cost of cleaning grows with the size of a page.

    python benchmarks/page_sizes.py [--largest 10000000] [--repeat 5] [--plot docs/speed.svg]

Pages of 1 KB to 10 MB, made of articles with their navigation one below the other, are cleaned to text: processor time,
best of some rounds, beside lexbor's bare parse if selectolax is installed. Cost in step with size is a level line.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Final

from labelled_pages import positive, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import dehusk
from dehusk.lab.evaluation.report_parts import COLOURS, as_svg, new_figure

SIZES: Final = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
"""Bytes: from a notice to the largest pages that crawls keep."""
LEAST_SECONDS: Final = 0.02
"""A round lasts at least so long: small pages are cleaned several times."""
ARTICLE: Final = """<nav class=menu><ul><li><a href=/{0}/a>Home</a><li><a href=/{0}/b>News of the day</a><li><a
href=/{0}/c>About us</a></ul></nav><article class=post><h2>Number {0}: how to make tea</h2><p class=lead>Boil fresh
water, warm the pot, and take one spoon of leaves for each cup, and one for the pot. Nobody knows who said so first, in
{0} or later.</p><p>Pour the water while it <em>still</em> boils, and let it stand for three minutes, <a href=/why/{0}>
not a minute longer</a>. Milk goes in first, or last; there are two schools.</p><ul><li>Black tea: three minutes<li>
Green tea: two</ul></article><aside class=related><a href=/{0}/d>More on kettles</a> <a href=/{0}/e>Kettle {0}</a>
</aside>
"""


def main() -> int:
    arguments = _parse_arguments()
    sizes = list(takewhile(lambda size: size <= arguments.largest, SIZES))
    pages = [page_of(size) for size in sizes]
    lines = {name: [best_seconds(work, page, arguments.repeat) for page in pages] for name, work in works().items()}
    Console(highlight=False).print(size_table(sizes, lines))
    if arguments.plot:
        arguments.plot.write_text(plot(sizes, lines) + "\n", "utf-8")
    return 0


def page_of(size: int) -> bytes:
    """A page of about so many bytes."""
    page = b"<!doctype html><html lang=en><title>How to make tea</title><body><h1>How to make tea</h1>"
    articles = [page]
    number, length = 0, len(page)
    while length < size:
        articles.append(ARTICLE.format(number).encode())
        number, length = number + 1, length + len(articles[-1])
    return b"".join(articles)[:size]


def works() -> dict[str, Callable[[bytes], object]]:
    """Name -> what is timed."""
    found: dict[str, Callable[[bytes], object]] = {"dehusk.clean(bytes).text": lambda page: dehusk.clean(page).text}
    if find_spec("selectolax"):
        found["lexbor, bare parse"] = import_module("selectolax.lexbor").LexborHTMLParser
    return found


def best_seconds(work: Callable[[bytes], object], page: bytes, repeat: int) -> float:
    """Processor seconds of the best round, for one page."""
    work(page)
    return min(_round(work, page) for _ in range(repeat))


def _round(work: Callable[[bytes], object], page: bytes) -> float:
    times, begun = 0, time.process_time()
    while (seconds := time.process_time() - begun) < LEAST_SECONDS or not times:
        work(page)
        times += 1
    return seconds / times


def size_table(sizes: list[int], lines: dict[str, list[float]]) -> Table:
    """One row a size: milliseconds, and nanoseconds a byte."""
    table = Table(box=SIMPLE_HEAD)
    for heading in ("bytes", *(f"{name}\n{unit}" for name in lines for unit in ("ms", "ns/byte"))):
        table.add_column(heading, justify="right")
    for number, size in enumerate(sizes):
        of_lines = [seconds[number] for seconds in lines.values()]
        cells = [cell for seconds in of_lines for cell in (f"{1e3 * seconds:.2f}", f"{1e9 * seconds / size:.0f}")]
        table.add_row(f"{size:,}", *cells)
    return table


def plot(sizes: list[int], lines: dict[str, list[float]]) -> str:
    """The nanoseconds a byte by size, as SVG."""
    figure, axes = new_figure(7, 3.6)
    for colour, (name, seconds) in zip(COLOURS[1:], lines.items(), strict=False):
        costs = [1e9 * one / size for one, size in zip(seconds, sizes, strict=True)]
        axes.plot(sizes, costs, marker="o", color=colour, label=name)
    axes.set(xscale="log", yscale="log", xlabel="bytes of the page", ylabel="processor time, ns a byte")
    axes.legend(frameon=False)
    return as_svg(figure)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How the cost of cleaning grows with the size of a page.")
    parser.add_argument("--largest", type=positive, default=SIZES[-1], help=f"bytes (default: {SIZES[-1]:,})")
    parser.add_argument("--repeat", type=positive, default=5, help="rounds of timing (default: 5)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw it, as SVG")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
