"""Check that blocks lose no words: of the gold words in a page's text, the share that is in its blocks.

    python benchmarks/coverage.py [PARQUET_OR_FOLDER ...] [--limit N]

Whether two neighbouring text rows make one word or two depends on the tags between them, so a word counts as being on
the page only as often as it occurs under both ways of joining rows: directly, and with a newline between them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from statistics import fmean

from labelled_pages import gold_corpora, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.lab.evaluation.text_scores import count_words
from dehusk.lab.gold.corpora import Corpus, GoldPage, take
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page

ENOUGH = 0.99
"""Pages that cover less are named."""

Share = tuple[float, str]
"""Share of a page's gold words that the blocks contain, and the name of the page."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Share of the gold words of a page that its blocks contain.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--limit", type=int, help="pages of each data set (default: all)")
    arguments = parser.parse_args()
    corpora = gold_corpora(arguments.paths)
    progress = Console(stderr=True)
    found = {
        corpus.name: shares_of_corpus(corpus, arguments.limit)
        for corpus in track(corpora, "coverage", console=progress, transient=True)
    }
    show(found)
    return 0


def shares_of_corpus(corpus: Corpus, limit: int | None) -> list[Share]:
    """The share of each page, with its name."""
    return [(share_in_blocks(page), page.raw.label) for page in take(corpus, limit)]


def share_in_blocks(page: GoldPage) -> float:
    """1 for a page on which no gold word occurs."""
    blocks = segment(read_page(page.raw))
    wanted = count_words(page.gold) & words_on_page(blocks.page)
    return (wanted & words_in_blocks(blocks)).total() / wanted.total() if wanted else 1.0


def words_on_page(page: Page) -> Counter[str]:
    """The words of the text rows, as often as they occur under both ways of joining rows."""
    rows = page.is_text.nonzero()[0]
    spans = zip(page.text_start[rows].tolist(), page.text_end[rows].tolist(), strict=True)
    texts = [page.text[begin:end] for begin, end in spans]
    return count_words("".join(texts)) & count_words("\n".join(texts))


def words_in_blocks(blocks: Blocks) -> Counter[str]:
    return count_words("\n".join(blocks.texts))


def show(found: dict[str, list[Share]]) -> None:
    """A table of the data sets, then the pages that lost words."""
    table = Table(title="Gold words in blocks", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("data set", no_wrap=True)
    for heading in ("pages", "min", f"below {ENOUGH}", "mean"):
        table.add_column(heading, justify="right")
    for corpus, shares in found.items():
        values = [share for share, _ in shares] or [1.0]
        below = sum(value < ENOUGH for value in values)
        table.add_row(corpus, f"{len(shares):,}", f"{min(values):.4f}", str(below), f"{fmean(values):.5f}")
    console = Console(highlight=False)
    console.print(table)
    for share, page in sorted(entry for shares in found.values() for entry in shares if entry[0] < ENOUGH):
        console.print(f"{share:.4f}  {page}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    run(main)
