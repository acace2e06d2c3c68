"""Memory that cleaning a page takes, as a multiple of its bytes.

    python benchmarks/memory.py [page.html ...]

Each page is cleaned in a process of its own, with its text: the peak is what the process had at most (RSS), less what
it had before the page. Linux only. Without pages given: ordinary ones of `$DEHUSK_DATA`, and the two that take most for
their size.
Small pages are left out, as the weights of the network, which are loaded with the first page, would outweigh them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from labelled_pages import gold_corpora, run

from dehusk.errors import GoldError

ORDINARY_AIM, WORST_AIM = 12, 40
"""Multiples of the page's bytes that are aimed at."""
LEAST_BYTES = 300_000
"""Bytes of an ordinary page that is measured."""
ORDINARY_PAGES = 8
MEGABYTE = 1_000_000

WORST = {
    "table of 270,000 cells": "<table>" + ("<tr>" + "<td>words of cells" * 30) * 9000,
    "200,000 paragraphs": "<p>Some words of a text.\n" * 200_000,
}

_MEASURED = """
import sys
import dehusk

def kilobytes(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name))

html = open(sys.argv[1], "rb").read()
dehusk.clean(b"<p>" + b"Steep the leaves for three minutes. " * 20).text
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")
before = kilobytes("VmRSS")
text = dehusk.clean(html).text
print(1024 * (kilobytes("VmHWM") - before))
"""
"""Linux tells the peak since it was last reset; what `getrusage` tells includes the parent's."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, help="pages to measure instead")
    given = parser.parse_args().pages
    print(f"{'page':<44}{'MB':>8}{'peak MB':>10}{'times':>8}")
    for path in given:
        show(path.name, path)
    if not given:
        measure_all()
    return 0


def measure_all() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        for name, body in ordinary_pages():
            path.write_bytes(body)
            show(name, path, ORDINARY_AIM)
        for name, html in WORST.items():
            path.write_text(html)
            show(name, path, WORST_AIM)


def ordinary_pages() -> Iterator[tuple[str, bytes]]:
    """The first large page of each set that has one."""
    try:
        corpora = gold_corpora([])
    except GoldError as error:
        print(f"no ordinary pages: {error}")
        return
    large = (
        next(((page.identifier, page.raw.body) for page in corpus if len(page.raw.body) >= LEAST_BYTES), None)
        for corpus in corpora
    )
    found = [page for page in large if page is not None]
    yield from found[:ORDINARY_PAGES]


def show(name: str, path: Path, aim: int | None = None) -> None:
    size, peak = path.stat().st_size, peak_of(path)
    verdict = "" if aim is None else f"  (aim {aim}) {'met' if peak <= aim * size else 'MISSED'}"
    print(f"{name[:42]:<44}{size / MEGABYTE:>8.2f}{peak / MEGABYTE:>10.1f}{peak / size:>8.1f}{verdict}", flush=True)


def peak_of(path: Path) -> int:
    """Bytes that a new process takes for the page."""
    command = [sys.executable, "-c", _MEASURED, str(path)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    run(main)
