"""The gain from other pages of a site, on unseen sites: the hybrid compared with the style tree.

    python benchmarks/site_gain.py --keep work [--learn 20] [--judge 6] [PARQUET_OR_FOLDER ...]

The folder is that of `dehusk train hybrid --keep work`: each site is read with the training that has not seen it. Some
of its pages are learnt, others are cleaned as by a user: with page evidence alone, with the hybrid, and with the style
tree. Mean word F1 over sites; pages whose gold does not fit are left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from labelled_pages import data_folder, positive, run
from models_by_fold import OPTION_HELP, files_by_fold
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import label_blocks
from dehusk.lab.gold.corpora import Corpus, fold_of, open_corpora
from dehusk.lab.training.prepared_pages import PreparedPage, prepare_page
from dehusk.methods.base import Model
from dehusk.methods.page_network.hybrid import Hybrid
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.page.page_reading import read_page

METHODS = ("page evidence", "hybrid", "style tree")
MUCH = 0.05
"""Word F1 that a page must not lose by its site."""
AS_GOOD = (0.0, 0.002, 0.01)
"""By how much a site may be worse and still count as no worse."""


@dataclass(frozen=True, slots=True)
class SiteGain:
    """Word F1 of the pages of a site, by method."""

    site: str
    by_page: dict[str, list[float]]

    def mean(self, method: str) -> float:
        return fmean(self.by_page[method])

    def as_good_as(self, others: Sequence[str], bound: float) -> bool:
        return self.mean("hybrid") >= max(map(self.mean, others)) - bound

    @property
    def harmed(self) -> int:
        pairs = zip(self.by_page["page evidence"], self.by_page["hybrid"], strict=True)
        return sum(after < before - MUCH for before, after in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(description="What other pages of a site are worth.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="default: gold/ and sites/ of the data")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help=OPTION_HELP)
    parser.add_argument("--learn", type=positive, default=20, help="pages learnt of each site (default: 20)")
    parser.add_argument("--judge", type=positive, default=6, help="pages judged of each site (default: 6)")
    arguments = parser.parse_args()
    trained = [str(path) for path in files_by_fold(arguments.keep)]
    console, gains = Console(stderr=True), []
    with console.status("reading sites") as status:
        for corpus in open_corpora(arguments.paths or [str(data_folder() / part) for part in ("gold", "sites")]):
            for gain in gains_of(corpus, trained, arguments.learn, arguments.judge):
                gains.append(gain)
                status.update(f"{len(gains)} sites: {gain.site}")
    for table in (site_table(gains), summary_table(gains)):
        Console().print(table)
    return 0


def gains_of(corpus: Corpus, trained: Sequence[str], learn: int, judge: int) -> Iterator[SiteGain]:
    """Every site of a corpus that has pages enough."""
    for site, numbers in corpus.numbers_by_site().items():
        if site and len(numbers) >= learn + judge:
            chosen = frozenset(random.Random(site).sample(numbers, learn + judge))
            pages = [(page, segment(read_page(page.raw))) for page in corpus.pick(chosen)]
            random.Random(site).shuffle(pages)
            judged = [(prepare_page(corpus.name, page, blocks), blocks) for page, blocks in pages[:judge]]
            usable = [(page, blocks) for page, blocks in judged if page.usable and len(blocks)]
            if usable:
                file = trained[fold_of(usable[0][0].site, len(trained))]
                yield SiteGain(site, scores(usable, [blocks for _, blocks in pages[judge:]], file))


def scores(
    judged: Sequence[tuple[PreparedPage, Blocks]], learnt: Sequence[Blocks], file: str
) -> dict[str, list[float]]:
    """Word F1 of every page, by method."""
    pages = [blocks.page for blocks in learnt]
    models: tuple[Model, ...] = (
        PageEvidence(trained=file).fit(),
        Hybrid(trained=file).fit(pages),
        StyleTree().fit(pages),
    )
    return {
        name: [page.word_f1(label_blocks(blocks, model).keep) for page, blocks in judged]
        for name, model in zip(METHODS, models, strict=True)
    }


def site_table(gains: Sequence[SiteGain]) -> Table:
    table = Table("site", "pages", *METHODS, "harmed", box=SIMPLE_HEAD)
    for gain in gains:
        means = (f"{gain.mean(method):.3f}" for method in METHODS)
        table.add_row(gain.site, str(len(gain.by_page["hybrid"])), *means, str(gain.harmed))
    return table


def summary_table(gains: Sequence[SiteGain]) -> Table:
    table = Table("over sites", *METHODS, box=SIMPLE_HEAD)
    for name, middle in (("mean", fmean), ("median", median)):
        table.add_row(name, *(f"{middle([gain.mean(method) for gain in gains]):.3f}" for method in METHODS))
    for others in (METHODS[:1], METHODS[2:], (METHODS[0], METHODS[2])):
        for bound in AS_GOOD:
            number = sum(gain.as_good_as(others, bound) for gain in gains)
            within = f" within {bound:g}" if bound else ""
            table.add_row(f"at least as good as {' and '.join(others)}{within}", "", f"{number} of {len(gains)}", "")
    harmed = f"{sum(gain.harmed for gain in gains)} of {sum(len(gain.by_page['hybrid']) for gain in gains)}"
    table.add_row(f"pages that lose more than {MUCH:g}", "", harmed, "")
    return table


if __name__ == "__main__":
    run(main)
