"""Quality of sequence labels on data sets that they were not trained on, and their speed.

    python benchmarks/sequence_labels.py [PARQUET_OR_FOLDER ...] [--pages 60] [--scored 100] [--only NAME]

For each data set a model is trained on `--pages` pages of each of the others, and scored (word F1) on pages of the one
left out, compared with other extractors on the same pages. Then the time to label a page with dehusk's own model, as a
ratio to reading it.

    python benchmarks/sequence_labels.py PARQUET --training

trains on five sixths of the sites, by our own search and by crfsuite: the objective and the processor time of each.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from labelled_pages import gold_corpora, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.lab.evaluation.gold_scoring import Cleaner, score_page, summarise
from dehusk.lab.evaluation.other_tools import decoded_html, find_tool
from dehusk.lab.evaluation.sequence_label_experiments import FOLDS
from dehusk.lab.gold.corpora import Corpus, GoldPage, take
from dehusk.lab.training.chain_training import TrainingSettings, fit_chains, join_pages, objective
from dehusk.lab.training.sequence_label_training import (
    LabelledPage,
    Unusable,
    folds_by_site,
    label_page,
    observe,
    train,
)
from dehusk.methods.sequence_labels.feature_templates import AttributeTable
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels, SequenceLabelsModel
from dehusk.page.page_reading import read_page

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

_TIMED = 8
"""Pages of each set that are timed."""

TOOLS = ("trafilatura", "justext")


def main() -> int:
    parser = argparse.ArgumentParser(description="Sequence labels on data sets that were left out of training.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--pages", type=int, default=60, help="pages of each set to train on (default: 60)")
    parser.add_argument("--scored", type=int, default=100, help="pages of each set to score (default: 100)")
    parser.add_argument("--time-only", action="store_true", help="train nothing, print the times alone")
    parser.add_argument("--training", action="store_true", help="compare training with crfsuite's, and nothing else")
    parser.add_argument("--only", action="append", metavar="NAME", help="leave out and score this set only (repeat)")
    arguments = parser.parse_args()
    corpora = gold_corpora(arguments.paths)
    if arguments.training:
        compare_training(corpora)
        return 0
    if not arguments.time_only:
        show(scores(corpora, arguments))
    print(f"labelling / reading, pages of all sets: {time_ratio(corpora, _TIMED):.2f}")
    print(f"of {corpora[0].name} alone: {time_ratio(corpora[:1], _TIMED * len(corpora)):.2f}")
    return 0


def scores(corpora: Sequence[Corpus], arguments: argparse.Namespace) -> list[tuple[str, int, dict[str, float]]]:
    """A row for each set that is left out."""
    progress = Console(stderr=True)
    labelled = {
        corpus.name: usable_pages(corpus, arguments.pages)
        for corpus in track(corpora, "reading", console=progress, transient=True)
    }
    chosen = [corpus for corpus in corpora if not arguments.only or corpus.name in arguments.only]
    return [
        score_left_out(corpus, labelled, arguments.scored)
        for corpus in track(chosen, "training", console=progress, transient=True)
    ]


def usable_pages(corpus: Corpus, limit: int) -> list[LabelledPage]:
    """Those whose gold is on them."""
    return [page for page in map(label_page, take(corpus, limit)) if not isinstance(page, Unusable)]


def score_left_out(
    corpus: Corpus, labelled: dict[str, list[LabelledPage]], scored: int
) -> tuple[str, int, dict[str, float]]:
    """(name, pages, F1 of each cleaner) for the set that is left out."""
    model = train([page for name, pages in labelled.items() if name != corpus.name for page in pages])
    pages = list(take(corpus, scored))
    means = {SequenceLabels.name: mean_f1(cleaner_of(model), pages)}
    means |= {name: summarise("", (score_page(tool_for(name, page), page) for page in pages)).f1 for name in TOOLS}
    return corpus.name, len(pages), means


def tool_for(name: str, page: GoldPage) -> Cleaner:
    """Another extractor, given the language of the page."""
    tool = find_tool(name)
    return lambda raw: tool(decoded_html(raw.body), page.language)


def cleaner_of(model: SequenceLabelsModel) -> Cleaner:
    return lambda raw: clean(raw, model).text


def mean_f1(cleaner: Cleaner, pages: Sequence[GoldPage]) -> float:
    return summarise("", (score_page(cleaner, page) for page in pages)).f1


def time_ratio(corpora: Sequence[Corpus], pages_of_each: int) -> float:
    """Segmenting, labelling and scoring, by reading; the best of five rounds of each."""
    raws = [page.raw for corpus in corpora for page in take(corpus, pages_of_each)]
    model = SequenceLabels().fit()
    pages = [read_page(raw) for raw in raws]
    reading = best_of(lambda: [read_page(raw) for raw in raws])
    return best_of(lambda: [model.score_blocks(segment(page)) for page in pages]) / reading


def best_of(work: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def compare_training(corpora: Sequence[Corpus]) -> None:
    """Objective and processor time of both trainings, on the pages that are for training in the first fold."""
    from crfsuite_training import fit_by_crfsuite

    found = [page for corpus in corpora for page in map(label_page, corpus) if not isinstance(page, Unusable)]
    is_test = next(folds_by_site([page.site for page in found], FOLDS, seed=0))
    table, settings = AttributeTable(), TrainingSettings()
    pages = [(observe(page, table), page.labels) for page, test in zip(found, is_test, strict=True) if not test]
    chains = join_pages(pages, len(table))
    searches = {
        "ours": lambda: fit_chains(join_pages(pages, len(table)), settings),
        "crfsuite": lambda: fit_by_crfsuite(pages, len(table), settings),
    }
    for name, search in searches.items():
        begun = time.process_time()
        weights = search()
        seconds = time.process_time() - begun
        print(f"{name}: objective {objective(chains, weights, settings.square_penalty):,.1f} in {seconds:.0f} s")


def show(rows: Sequence[tuple[str, int, dict[str, float]]]) -> None:
    names = (SequenceLabels.name, *TOOLS)
    table = Table(title="word F1 on sets left out of training", box=SIMPLE_HEAD)
    for heading in ("data set", "pages", *names):
        table.add_column(heading, justify="left" if heading == "data set" else "right")
    for corpus, pages, means in rows:
        table.add_row(corpus, f"{pages:,}", *(f"{means[name]:.3f}" for name in names))
    mean = {name: sum(means[name] for _, _, means in rows) / len(rows) for name in names}
    table.add_row("mean", "", *(f"{mean[name]:.3f}" for name in names))
    Console().print(table)


if __name__ == "__main__":
    run(main)
