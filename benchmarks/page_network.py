"""Train the page network and see how good it is on sites it has not seen.

    python benchmarks/page_network.py --keep FOLDER [--train] [--model FILE] [--epochs 7] [--fold 0] [--leave-out SET]

Pages are prepared once and kept in the folder. With `--train` a network is trained on the sites of all folds but one
and written to the model file; without it the file is read. Scores are word F1 on the sites of the fold that was kept
aside (or on the whole set that was left out) at the one threshold that is best for the macro mean, beside satisfiable
sub-trees and what keeping blocks by their labels scores. Pages whose gold is not of the page count in `all` alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from labelled_pages import data_folder, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from dehusk.gold.corpora import open_corpora
from dehusk.network.inference import PageNetwork
from dehusk.training.prepared_pages import PreparedPage, every_page, prepare, some_of_each_site, unusable
from dehusk.training.site_splits import fold_of

FOLDS = 5
PAGES_A_SITE = 12
"""Of the multi-page sets: enough to show what the site looks like, too few to outweigh the rest."""
MAIN_SETS = frozenset(
    "wcxb cleaneval-en dragnet-2012 daniel-waddle xmu-chinese-news l3s-gn1 magic-html fundus-tests".split()
)
"""The sets that decide on the threshold."""
THRESHOLDS = np.arange(-2.0, 1.6, 0.125)


@dataclass(frozen=True, slots=True)
class Scored:
    """Word F1 of one page."""

    page: PreparedPage
    network: list[float]
    """At each of the thresholds."""
    subtree: float
    labels: float


def main() -> int:
    parser = argparse.ArgumentParser(description="Quality of the page network on sites it has not seen.")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="where prepared pages are kept")
    parser.add_argument("--model", type=Path, required=True, metavar="FILE", help="the network, read or written")
    parser.add_argument("--train", action="store_true", help="train it first")
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fold", type=int, default=0, help="the fold of sites that is kept aside; -1: none")
    parser.add_argument("--leave-out", default="", metavar="SET", help="keep a whole data set aside instead")
    arguments = parser.parse_args()
    console = Console(stderr=True)
    pages = prepared_pages(arguments.keep, console)
    training, aside = split(pages, arguments.fold, arguments.leave_out)
    if arguments.train:
        train_network(training, arguments, console)
    scored = score(PageNetwork.load(arguments.model), aside)
    show(scored, Console())
    return 0


def prepared_pages(keep: Path, console: Console) -> list[PreparedPage]:
    """All gold pages and some of each site."""
    with console.status("preparing") as status:

        def progress(corpus: str, done: int, pages: int) -> None:
            status.update(f"preparing {corpus}: {done} of {pages}")

        gold = prepare(open_corpora([str(data_folder() / "gold")]), keep, every_page, progress)
        sites = open_corpora([str(data_folder() / "sites")])
        pages = gold + prepare(sites, keep, some_of_each_site(PAGES_A_SITE), progress)
    for corpus, number in unusable(pages).items():
        console.print(f"{corpus}: the gold of {number} pages is not of the page; left out of training")
    return pages


def split(pages: Sequence[PreparedPage], fold: int, left_out: str) -> tuple[list[PreparedPage], list[PreparedPage]]:
    """Pages to train on and pages kept aside; no site is in both."""
    if left_out:
        sites = {page.site for page in pages if page.corpus == left_out}
        aside = [page for page in pages if page.corpus == left_out]
        return [page for page in pages if page.site not in sites], aside
    aside = [page for page in pages if fold_of(page.site, FOLDS) == fold]
    return [page for page in pages if fold_of(page.site, FOLDS) != fold], aside


def train_network(pages: Sequence[PreparedPage], arguments: argparse.Namespace, console: Console) -> None:
    """Train and write the model file."""
    import torch

    from dehusk.training.page_network import Step, TrainingSettings, train

    torch.set_num_threads(arguments.threads)
    begun = time.perf_counter()

    def watch(step: Step) -> None:
        console.print(f"epoch {step.epoch} of {step.epochs}: loss {step.loss:.4f}, {time.perf_counter() - begun:.0f} s")

    settings = TrainingSettings(epochs=arguments.epochs, width=arguments.width, seed=arguments.seed)
    train(pages, settings, watch).save(arguments.model, pages=sum(page.usable for page in pages))


def score(network: PageNetwork, pages: Sequence[PreparedPage]) -> list[Scored]:
    """Clean every page as a stranger's."""
    scored = []
    for page in pages:
        logits = network.logits_of_inputs(page.inputs) if len(page) else np.zeros(0, dtype=np.float32)
        at_thresholds = [page.word_f1(logits >= threshold) for threshold in THRESHOLDS]
        scored.append(Scored(page, at_thresholds, page.word_f1(page.subtree >= 0.5), page.word_f1(page.target >= 0.5)))
    return scored


def best_threshold(scored: Sequence[Scored]) -> int:
    """Number of the threshold with the best macro mean over the main sets."""
    sets = {one.page.corpus for one in scored}
    deciding = sets & MAIN_SETS or sets
    means = [
        np.mean([one.network for one in scored if one.page.corpus == name and one.page.usable], axis=0)
        for name in sorted(deciding)
    ]
    return int(np.mean(means, axis=0).argmax())


def show(scored: Sequence[Scored], console: Console) -> None:
    """One row a data set, then one a type of page."""
    best = best_threshold(scored)
    title = f"word F1 on sites not trained on, threshold {THRESHOLDS[best]:.3f}"
    table = Table("set", "pages", "usable", "network", "all", "sub-trees", "labels", box=SIMPLE_HEAD, title=title)
    groups = {
        name: [one for one in scored if one.page.corpus == name] for name in sorted({s.page.corpus for s in scored})
    }
    for kind in sorted({one.page.page_type for one in scored if one.page.page_type}):
        groups[f"type {kind}"] = [one for one in scored if one.page.page_type == kind]
    main = {name: some for name, some in groups.items() if name in MAIN_SETS}
    for name, some in groups.items():
        table.add_row(name, *row(some, best))
    if main:
        mean = fmean(fmean(one.network[best] for one in some if one.page.usable) for some in main.values())
        table.add_row("mean of the main sets", "", "", f"{mean:.3f}", "", "", "")
    console.print(table)


def row(scored: Sequence[Scored], best: int) -> list[str]:
    usable = [one for one in scored if one.page.usable] or list(scored)
    return [
        str(len(scored)),
        str(sum(one.page.usable for one in scored)),
        f"{fmean(one.network[best] for one in usable):.3f}",
        f"{fmean(one.network[best] for one in scored):.3f}",
        f"{fmean(one.subtree for one in usable):.3f}",
        f"{fmean(one.labels for one in usable):.3f}",
    ]


if __name__ == "__main__":
    run(main)
