"""Mining scores for people and programs: tables for the terminal, JSON, and one html page with plots.

Classes and sites are named by whoever labelled the pages: in the page they are text and nothing else, see
`html_reports`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from dehusk.lab.evaluation.html_reports import escaped, html_figure, html_page, html_table
from dehusk.lab.evaluation.text_tables import TextTable
from dehusk.lab.mining.classification import SETTINGS, PairScore
from dehusk.lab.mining.clustering import ClusteringScore
from dehusk.lab.mining.mining_plots import classification_plot, distribution_plot, run_plot
from dehusk.lab.mining.mining_tables import (
    MEASURES,
    bins_table,
    by_weighting,
    classification_table,
    clustering_table,
    page_table,
    pair_table,
)
from dehusk.lab.mining.site_configurations import EXPLAINED as CONFIGURATIONS

PUBLISHED: Final = (
    "In brackets, where the table is the same in kind: what the papers report of their own pages (five kinds of "
    "products on five sites of 2003). Those pages are not these: compare what cleaning changes, not the figures."
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """What was done, to stand above the scores."""

    title: str
    facts: tuple[tuple[str, str], ...]
    counts: Mapping[str, Mapping[str, int]]
    """Class -> site -> pages."""
    seconds: Mapping[str, float]
    """Column -> time to clean all pages, learning included."""


def clustering_tables(scores: Sequence[ClusteringScore]) -> list[TextTable]:
    """What the terminal shows of a clustering."""
    return [table for part in by_weighting(scores) for table in (clustering_table(part), bins_table(part))]


def classification_tables(scores: Sequence[PairScore], pairs: bool) -> list[TextTable]:
    """What the terminal shows of a classification; with `pairs` also a row for each two classes."""
    tables: list[TextTable] = []
    for part in by_weighting(scores):
        tables += [classification_table(part, measure) for measure in MEASURES]
        tables += _pair_tables(part) if pairs else []
    return tables


def clustering_json(experiment: Experiment, scores: Sequence[ClusteringScore]) -> str:
    """Everything there is to know, the F of each run included."""
    found = [{**asdict(score), "mean": score.mean, "bins": score.bins()} for score in scores]
    return json.dumps({**asdict(experiment), "scores": found}, indent=1) + "\n"


def classification_json(experiment: Experiment, scores: Sequence[PairScore]) -> str:
    """The means over the experiments on each two classes."""
    return json.dumps({**asdict(experiment), "scores": [asdict(score) for score in scores]}, indent=1) + "\n"


def clustering_report(experiment: Experiment, scores: Sequence[ClusteringScore]) -> str:
    """The page."""

    def body() -> Iterator[str]:
        for part in by_weighting(scores):
            yield html_table(clustering_table(part))
            yield html_figure(distribution_plot(part), "How many runs have an F in each tenth.")
            yield html_figure(run_plot(part), "F of each run; the line is the mean.")
            yield html_table(bins_table(part))

    return _page(experiment, body())


def classification_report(experiment: Experiment, scores: Sequence[PairScore]) -> str:
    """The page."""

    def body() -> Iterator[str]:
        explained = "".join(
            f"<dt>configuration {number}</dt><dd>{what}</dd>" for number, what in CONFIGURATIONS.items()
        )
        yield f"<dl>{explained}</dl>"
        for part in by_weighting(scores):
            for measure in MEASURES:
                yield html_table(classification_table(part, measure))
                yield html_figure(classification_plot(part, measure), f"Mean {measure} over all two classes.")
            yield from map(html_table, _pair_tables(part))

    return _page(experiment, body())


def _pair_tables(scores: Sequence[PairScore]) -> list[TextTable]:
    tables = (pair_table(scores, setting, measure) for setting in SETTINGS for measure in MEASURES)
    return [table for table in tables if table]


def _page(experiment: Experiment, body: Iterator[str]) -> str:
    times = tuple((name, f"{seconds:.1f}") for name, seconds in experiment.seconds.items())
    return html_page(
        experiment.title,
        experiment.facts,
        [
            f"<p>{escaped(PUBLISHED)}</p>",
            *body,
            html_table(page_table(experiment.counts)),
            html_table(TextTable("Time to clean all pages, learning included", ("cleaned by", "seconds"), times)),
        ],
    )
