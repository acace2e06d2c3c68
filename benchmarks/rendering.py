"""The cost of writing each format.

    python benchmarks/rendering.py [PARQUET_OR_FOLDER ...] [--pages 12]

Processor time of each format, of the metadata that some of them include, and of all options of Markdown, as ratios to
reading the same pages: the best of three rounds of each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from labelled_pages import gold_corpora, positive, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import dehusk
from dehusk.lab.gold.corpora import take

_ROUNDS = 3
_EVERYTHING = dehusk.OutputOptions(links=True, images=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="What writing each format costs, with reading the page as 1.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--pages", type=positive, default=12, help="pages of each set (default: 12)")
    arguments = parser.parse_args()
    raws = [page.raw for corpus in gold_corpora(arguments.paths) for page in take(corpus, arguments.pages)]
    cleaned = [dehusk.clean(raw) for raw in raws]
    reading = processor_time(lambda: [dehusk.read_page(raw) for raw in raws])
    work: dict[str, Callable[[], object]] = {
        name: lambda name=name: [page.render(name) for page in cleaned]  # type: ignore[misc]
        for name in dehusk.OUTPUTS
    }
    work["markdown with links and images"] = lambda: [page.render("markdown", _EVERYTHING) for page in cleaned]
    work["metadata alone"] = lambda: [dehusk.find_metadata(page.page) for page in cleaned]
    table = Table(box=SIMPLE_HEAD, title=f"{len(raws)} pages, {reading / len(raws) * 1000:.1f} ms each to read")
    table.add_column("format")
    table.add_column("writing / reading", justify="right")
    for name, do in work.items():
        table.add_row(name, f"{processor_time(do) / reading:.2f}")
    Console().print(table)
    return 0


def processor_time(do: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        do()
        times.append(time.process_time() - begun)
    return min(times)


if __name__ == "__main__":
    run(main)
