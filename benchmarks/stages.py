"""The cost of each stage of cleaning with the default method, relative to reading and segmenting a page.

    python benchmarks/stages.py [PARQUET_OR_FOLDER ...] [--pages 20] [--repeat 5] [--all-sets]

One page goes through all stages before the next one is read, as in `dehusk.clean`.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator, Sequence

import numpy as np
from labelled_pages import gold_corpora, positive, run
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from timing import SCRIPTS_EMPTIED, site_corpora

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import label_blocks
from dehusk.lab.gold.corpora import Corpus, take
from dehusk.methods.page_network.hybrid import Hybrid, HybridModel
from dehusk.methods.page_network.trained_weights import load_trained
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

STAGES = ("read", "segment", "network", "decision", "text", "markdown")
FIRST, JUDGING = ("read", "segment"), ("network", "decision")
"""What others are compared with, and what makes up the judgement of a page."""
WANTED = 2.0
"""What we want of reading, segmenting and judging together."""


def main() -> int:
    arguments = _parse_arguments()
    corpora = [*gold_corpora(arguments.paths), *([] if arguments.paths else site_corpora())]
    chosen = [corpus for corpus in corpora if arguments.all_sets or corpus.name not in SCRIPTS_EMPTIED]
    pages = list(_pages(chosen, arguments.pages))
    seconds = time_stages(pages, arguments.repeat)
    Console(highlight=False).print(stage_table(seconds, len(pages)))
    whole = _ratio(seconds, FIRST + JUDGING)
    print(f"up to the decision: {whole:.2f} (target <= {WANTED:g}) {'met' if whole <= WANTED else 'MISSED'}")
    return 0


def time_stages(pages: Sequence[RawPage], repeat: int) -> dict[str, float]:
    """Stage -> processor seconds over all pages: of each page its median round, against noise of the machine."""
    model = Hybrid().fit()
    for page in pages[:5]:  # tables that are made on first use
        _stage_times(page, model)
    gc.collect()
    gc.freeze()
    rounds = np.array([[_stage_times(page, model) for page in pages] for _ in range(repeat)])
    return dict(zip(STAGES, np.median(rounds, axis=0).sum(axis=0).tolist(), strict=True))


def stage_table(seconds: dict[str, float], pages: int) -> Table:
    """One row a stage, and what they are together."""
    table = Table(title=f"{pages} pages", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("stage")
    for heading in ("ms/page", "x read + segment"):
        table.add_column(heading, justify="right")
    groups = {**{stage: (stage,) for stage in STAGES}, "read + segment": FIRST, "judging": JUDGING, "all": STAGES}
    for name, stages in groups.items():
        milliseconds = 1000 * sum(seconds[stage] for stage in stages) / pages
        table.add_row(name, f"{milliseconds:.2f}", f"{_ratio(seconds, stages):.2f}", end_section=name == STAGES[-1])
    return table


def _ratio(seconds: dict[str, float], stages: Sequence[str]) -> float:
    return sum(seconds[stage] for stage in stages) / sum(seconds[stage] for stage in FIRST)


def _stage_times(raw: RawPage, model: HybridModel) -> NDArray[np.float64]:
    """float64: processor seconds of each stage."""
    times = [time.process_time()]
    page = read_page(raw)
    times.append(time.process_time())
    blocks = segment(page)
    times.append(time.process_time())
    load_trained().network.read_blocks(blocks)
    times.append(time.process_time())
    cleaned = CleanedPage(label_blocks(blocks, model))  # runs the network again
    times.append(time.process_time())
    cleaned.render("text")
    times.append(time.process_time())
    cleaned.render("markdown")
    times.append(time.process_time())
    seconds = np.diff(times)
    seconds[STAGES.index("decision")] -= seconds[STAGES.index("network")]
    return seconds


def _pages(corpora: Sequence[Corpus], limit: int) -> Iterator[RawPage]:
    for corpus in corpora:
        yield from (page.raw for page in take(corpus, limit))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What each stage of cleaning a page costs.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--pages", type=positive, default=20, help="pages of each data set (default: 20)")
    parser.add_argument("--repeat", type=positive, default=5, help="rounds of timing (default: 5)")
    help_all = "also data sets whose scripts were emptied: reading those costs less than reading real pages"
    parser.add_argument("--all-sets", action="store_true", help=help_all)
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
