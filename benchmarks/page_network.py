"""Train the page network and score it on unseen sites.

    python benchmarks/page_network.py --keep FOLDER --model FILE [--train] [--epochs 8] [--fold 0] [--leave-out SET]
                                      [--checkpoint FILE] [--readings FILE]

Pages are prepared once and kept in the folder. With `--train` a network is trained on the sites of all folds but one
and written to the model file; without it the file is read. Scores are word F1 on the sites of the held-out fold (or on
the whole set that was left out), with the best threshold of each page, compared with the one threshold that is best for
the macro mean, with satisfiable sub-trees, and with keeping blocks by their labels. Pages whose gold does not fit count
in `all` only.
Then come the known page types, and the words of readers' comments where they are annotated. With `--readings` all
outputs of the network on the held-out pages are written to a file (arrays by name, NumPy's npz).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from labelled_pages import data_folder, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from dehusk.lab.gold.corpora import fold_of, open_corpora
from dehusk.lab.gold.gold_alignment import LEAST_CONTENT_SHARE
from dehusk.lab.training.prepared_pages import (
    UNKNOWN,
    WITH_COMMENTS,
    PreparedPage,
    every_page,
    known_type,
    prepare,
    some_of_each_site,
    unusable,
)
from dehusk.methods.page_network.calibration import Calibration, best_cut
from dehusk.methods.page_network.inference import NetworkReading, PageNetwork
from dehusk.methods.page_network.page_types import PAGE_TYPES

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
    network: float
    """At the page's own cut."""
    at_thresholds: list[float]
    subtree: float
    labels: float
    reading: NetworkReading


def main() -> int:
    parser = argparse.ArgumentParser(description="Quality of the page network on sites it has not seen.")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="where prepared pages are kept")
    parser.add_argument("--model", type=Path, required=True, metavar="FILE", help="the network, read or written")
    parser.add_argument("--train", action="store_true", help="train it first")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fold", type=int, default=0, help="the fold of sites that is kept aside; -1: none")
    parser.add_argument("--leave-out", default="", metavar="SET", help="keep a whole data set aside instead")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="written after every epoch, and picked up")
    parser.add_argument("--readings", type=Path, metavar="FILE", help="write what the network says here")
    arguments = parser.parse_args()
    console = Console(stderr=True)
    pages = prepared_pages(arguments.keep, console)
    training, aside = split(pages, arguments.fold, arguments.leave_out)
    if arguments.train:
        train_network(training, arguments, console)
    scored = score(PageNetwork.load(arguments.model), aside)
    for table in (score_table(scored), type_table(scored), comment_table(scored)):
        Console().print(table)
    if arguments.readings:
        write_readings(arguments.readings, scored)
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

    from dehusk.lab.training.network_training import Step, TrainingSettings, train

    torch.set_num_threads(arguments.threads)
    begun = time.perf_counter()

    def watch(step: Step) -> None:
        console.print(f"epoch {step.epoch} of {step.epochs}: loss {step.loss:.4f}, {time.perf_counter() - begun:.0f} s")

    settings = TrainingSettings(epochs=arguments.epochs, width=arguments.width, seed=arguments.seed)
    network = train(pages, settings, watch, arguments.checkpoint)
    network.save(arguments.model, pages=sum(page.usable for page in pages))


def score(network: PageNetwork, pages: Sequence[PreparedPage]) -> list[Scored]:
    """Clean every page under the default annotation policy."""
    scored = []
    for page in pages:
        reading = network.read(page.inputs)
        likely = Calibration().probabilities(reading.content)
        own_cut = best_cut(likely, np.diff(page.word_start), reading.article)
        at_thresholds = [page.word_f1(reading.content >= threshold) for threshold in THRESHOLDS]
        others = (page.word_f1(page.subtree >= 0.5), page.word_f1(page.target >= 0.5))
        scored.append(Scored(page, page.word_f1(likely >= own_cut), at_thresholds, *others, reading))
    return scored


def best_threshold(scored: Sequence[Scored]) -> int:
    """Number of the threshold with the best macro mean over the main sets."""
    sets = {one.page.corpus for one in scored}
    deciding = sets & MAIN_SETS or sets
    means = [
        np.mean([one.at_thresholds for one in scored if one.page.corpus == name and one.page.usable], axis=0)
        for name in sorted(deciding)
    ]
    return int(np.mean(means, axis=0).argmax())


def score_table(scored: Sequence[Scored]) -> Table:
    """One row a data set, then one a type of page."""
    best = best_threshold(scored)
    columns = ("network", "all", f"at {THRESHOLDS[best]:.3f}", "sub-trees", "labels")
    table = Table("set", "pages", "usable", *columns, box=SIMPLE_HEAD, title="word F1 on sites not trained on")
    groups = {
        name: [one for one in scored if one.page.corpus == name] for name in sorted({s.page.corpus for s in scored})
    }
    for kind in sorted({one.page.page_type for one in scored if one.page.page_type}):
        groups[f"type {kind}"] = [one for one in scored if one.page.page_type == kind]
    main = {name: some for name, some in groups.items() if name in MAIN_SETS}
    for name, some in groups.items():
        table.add_row(name, *row(some, best))
    if main:
        rows = [[float(cell) for cell in row(some, best)[2:]] for some in main.values()]
        table.add_row("mean of the main sets", "", "", *(f"{mean:.3f}" for mean in np.mean(rows, axis=0)))
    return table


def type_table(scored: Sequence[Scored]) -> Table:
    """How often the most likely type is the known one, and what it is taken for otherwise."""
    table = Table("type", "pages", "right", "otherwise", box=SIMPLE_HEAD, title="types of pages")
    known = [(one, known_type(one.page.corpus, one.page.page_type)) for one in scored if one.page.usable]
    for number, name in enumerate(PAGE_TYPES):
        told = Counter(taken_for(one) for one, of_page in known if of_page == number)
        if told:
            wrong = ", ".join(f"{other} {count}" for other, count in told.most_common() if other != name)
            table.add_row(name, str(told.total()), f"{told[name] / told.total():.3f}", wrong)
    with_type = [taken_for(one) == PAGE_TYPES[number] for one, number in known if number != UNKNOWN]
    if with_type:
        table.add_row("all", str(len(with_type)), f"{fmean(with_type):.3f}", "")
    return table


def taken_for(scored: Scored) -> str:
    """The type that the network takes a page for, without what the page says of itself."""
    return PAGE_TYPES[int(scored.reading.page_type.argmax())]


def comment_table(scored: Sequence[Scored]) -> Table:
    """Words of blocks that are more likely comments than not, against those that readers wrote."""
    table = Table("set", "words", "precision", "recall", box=SIMPLE_HEAD, title="readers' comments")
    for name in sorted(WITH_COMMENTS):
        of_set = [one for one in scored if one.page.corpus == name and one.page.usable]
        words = np.concatenate([np.zeros(0), *(np.diff(one.page.word_start) for one in of_set)])
        wanted = np.concatenate([np.zeros(0), *(one.page.comment for one in of_set)]) >= LEAST_CONTENT_SHARE
        told = np.concatenate([np.full(0, -1.0), *(one.reading.comment for one in of_set)]) >= 0
        both = float(words[wanted & told].sum())
        shares = (both / max(float(words[mask].sum()), 1) for mask in (told, wanted))
        table.add_row(name, str(int(words[wanted].sum())), *(f"{share:.3f}" for share in shares))
    return table


def write_readings(path: Path, scored: Sequence[Scored]) -> None:
    """Names of the pages, blocks of each, and what the network says of all blocks one page after the other."""
    readings = [one.reading for one in scored]
    np.savez(
        path,
        allow_pickle=False,
        names=np.array([one.page.name for one in scored]),
        blocks=np.array([len(one.page) for one in scored]),
        content=np.concatenate([reading.content for reading in readings]),
        comment=np.concatenate([reading.comment for reading in readings]),
        page_type=np.array([reading.page_type for reading in readings]),
    )


def row(scored: Sequence[Scored], best: int) -> list[str]:
    usable = [one for one in scored if one.page.usable] or list(scored)
    return [
        str(len(scored)),
        str(sum(one.page.usable for one in scored)),
        f"{fmean(one.network for one in usable):.3f}",
        f"{fmean(one.network for one in scored):.3f}",
        f"{fmean(one.at_thresholds[best] for one in usable):.3f}",
        f"{fmean(one.subtree for one in usable):.3f}",
        f"{fmean(one.labels for one in usable):.3f}",
    ]


if __name__ == "__main__":
    run(main)
