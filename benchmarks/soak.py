"""Check that memory stays level: clean many pages in one process and watch its resident memory.

    python benchmarks/soak.py [--pages 10000]

Exit code 1 if memory grows by more than 5 MB or 5 % after the first fifth of the pages.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

from labelled_pages import gold_corpora, run

import dehusk
from dehusk.errors import GoldError, MissingExtra
from dehusk.lab.gold.corpora import take
from dehusk.sources.raw_page import RawPage

STEP = 1_000
PAGES_A_SET = 20
"""Gold pages of each data set in the cycle."""
MOST_BYTES = 5_000_000
MOST_SHARE = 0.05

_STATM = Path("/proc/self/statm")


def main() -> int:
    parser = argparse.ArgumentParser(description="Watch resident memory while cleaning many pages.")
    parser.add_argument("--pages", type=int, default=10_000, help="how many pages (default: 10,000)")
    pages = max(parser.parse_args().pages, 10)
    # Another process reads the Parquet files: what it leaves behind in its heap could swallow a leak of ours.
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as reader:
        pool = sample_pages() + reader.submit(gold_pages).result()
    # The largest page sets the level: all must have been seen, twice, before growth counts.
    pool = pool[: pages // 10]
    print(f"cycling over {len(pool)} pages")
    sizes = soak(pool, pages)
    return judge(sizes, pages // 5, pages)


def sample_pages() -> list[RawPage]:
    """The sample site that comes with dehusk."""
    folder = Path(dehusk.__file__).parent / "sample_site"
    return [RawPage(file.read_bytes(), name=file.name) for file in sorted(folder.rglob("*.html"))]


def gold_pages() -> list[RawPage]:
    """Some labelled pages, where there are any."""
    try:
        return [page.raw for corpus in gold_corpora([]) for page in take(corpus, PAGES_A_SET)]
    except (GoldError, MissingExtra):
        return []


def soak(pool: list[RawPage], pages: int) -> dict[int, int]:
    """Clean so many pages; number of pages -> resident bytes, every `STEP` pages, after a fifth and at the end."""
    sizes: dict[int, int] = {}
    for number, page in enumerate(islice(cycle(pool), pages), start=1):
        len(dehusk.clean(page).text)
        if number % STEP == 0 or number in (pages // 5, pages):
            sizes[number] = resident_bytes()
            print(f"{number:>8,} pages  {sizes[number] / 1e6:8.1f} MB", flush=True)
    return sizes


def resident_bytes() -> int:
    """Memory this process has in RAM; where the system does not tell, the most it ever had."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def judge(sizes: dict[int, int], begin: int, end: int) -> int:
    """Exit code: 1 if memory grew too much between two points."""
    growth = sizes[end] - sizes[begin]
    share = growth / sizes[begin]
    print(f"growth between page {begin:,} and page {end:,}: {growth / 1e6:+.1f} MB ({share:+.1%})")
    return int(growth > MOST_BYTES or share > MOST_SHARE)


if __name__ == "__main__":
    run(main)
