"""Mining scores as tables for the terminal, as JSON, and as one html page with plots.

Whoever labelled the pages named the classes and sites: the page shows these names as escaped text (`report_parts`).
Plots show names of cleaners and numbers only, never page content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from dehusk.inspection.html_report import escaped
from dehusk.lab.evaluation.report_parts import (
    COLOURS,
    TextTable,
    as_svg,
    html_figure,
    html_page,
    html_table,
    new_figure,
)
from dehusk.lab.mining.classification import CONFIGURATIONS, SETTINGS, PairScore
from dehusk.lab.mining.clustering import BINS, ClusteringScore
from dehusk.lab.mining.mining_tables import (
    MEASURES,
    bins_table,
    by_weighting,
    classification_table,
    clustering_table,
    mean_of,
    page_table,
    pair_table,
)

PUBLISHED: Final = (
    "In brackets, for tables of the same kind: the papers' figures for their own pages (five kinds of products on five "
    "sites of 2003). Those are other pages: compare what cleaning changes, not the figures."
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """Description of an experiment, shown above its scores."""

    title: str
    facts: tuple[tuple[str, str], ...]
    counts: Mapping[str, Mapping[str, int]]
    """Class -> site -> pages."""
    seconds: Mapping[str, float]
    """Column -> time to clean all pages, learning included."""


def clustering_tables(scores: Sequence[ClusteringScore]) -> list[TextTable]:
    """The tables of a clustering for the terminal."""
    return [table for part in by_weighting(scores) for table in (clustering_table(part), bins_table(part))]


def classification_tables(scores: Sequence[PairScore], pairs: bool) -> list[TextTable]:
    """The tables of a classification for the terminal; with `pairs` also a row for each two classes."""
    tables: list[TextTable] = []
    for part in by_weighting(scores):
        tables += [classification_table(part, measure) for measure in MEASURES]
        tables += _pair_tables(part) if pairs else []
    return tables


def clustering_json(experiment: Experiment, scores: Sequence[ClusteringScore]) -> str:
    """All scores, with the F of each run."""
    found = [{**asdict(score), "mean": score.mean, "bins": score.bins()} for score in scores]
    return json.dumps({**asdict(experiment), "scores": found}, indent=1) + "\n"


def classification_json(experiment: Experiment, scores: Sequence[PairScore]) -> str:
    """The means over the experiments on each two classes."""
    return json.dumps({**asdict(experiment), "scores": [asdict(score) for score in scores]}, indent=1) + "\n"


def clustering_report(experiment: Experiment, scores: Sequence[ClusteringScore]) -> str:
    """The html page of a clustering."""

    def body() -> Iterator[str]:
        for part in by_weighting(scores):
            yield html_table(clustering_table(part))
            yield html_figure(distribution_plot(part), "How many runs have an F in each tenth.")
            yield html_figure(run_plot(part), "F of each run; the line is the mean.")
            yield html_table(bins_table(part))

    return _page(experiment, body())


def classification_report(experiment: Experiment, scores: Sequence[PairScore]) -> str:
    """The html page of a classification."""

    def body() -> Iterator[str]:
        explained = "".join(
            f"<dt>configuration {number}</dt><dd>{what}</dd>" for number, what in CONFIGURATIONS.items()
        )
        yield f"<dl>{explained}</dl>"
        for part in by_weighting(scores):
            for measure in MEASURES:
                yield html_table(classification_table(part, measure))
                yield html_figure(classification_plot(part, measure), f"Mean {measure} over all pairs of classes.")
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


_MARKERS: Final = "os^Dv*Px<>"


def distribution_plot(scores: Sequence[ClusteringScore]) -> str:
    """Figure 9 of Yi, Liu & Li: how many runs have an F in each tenth."""
    figure, axes = new_figure(7.5, 3.6)
    middles = [(number + 0.5) / BINS for number in range(BINS)]
    for number, score in enumerate(scores):
        axes.plot(middles, score.bins(), label=score.column, **_line_style(number))
    axes.set(xlabel="F", ylabel="runs", xlim=(0, 1), xticks=[number / BINS for number in range(BINS + 1)])
    return as_svg(figure, axes)


def run_plot(scores: Sequence[ClusteringScore]) -> str:
    """Figure 3 of Yi & Liu: F of each run, here a panel for each cleaner."""
    columns = 3
    rows = -(-len(scores) // columns)
    figure, panels = new_figure(7.5, 1.7 * rows, rows, columns)
    for number, axes in enumerate(panels.flat):
        if number >= len(scores):
            axes.axis("off")
            continue
        score = scores[number]
        axes.scatter(range(1, len(score.scores) + 1), score.scores, s=2, color=COLOURS[number % len(COLOURS)])
        axes.axhline(score.mean, color="#888888", linewidth=0.8)
        axes.set(ylim=(0, 1))
        axes.set_title(f"{score.column}: {score.mean:.3f}", fontsize=8)
    return as_svg(figure)


def classification_plot(scores: Sequence[PairScore], measure: str) -> str:
    """A group of bars for each classifier and configuration, a bar for each cleaner."""
    columns = list(dict.fromkeys(score.column for score in scores))
    possible = [setting for setting in SETTINGS if mean_of(scores, columns[0], setting, measure) is not None]
    figure, axes = new_figure(7.5, 3.2)
    width = 0.85 / len(columns)
    for number, column in enumerate(columns):
        heights = [mean_of(scores, column, setting, measure) or 0.0 for setting in possible]
        places = [place + (number - (len(columns) - 1) / 2) * width for place in range(len(possible))]
        axes.bar(places, heights, width, label=column, color=COLOURS[number % len(COLOURS)])
    axes.set(ylabel=measure, ylim=(0, 1), xticks=range(len(possible)))
    axes.set_xticklabels([f"{classifier} {configuration}" for classifier, configuration in possible])
    return as_svg(figure, axes)


def _line_style(number: int) -> dict[str, Any]:
    colour, marker = COLOURS[number % len(COLOURS)], _MARKERS[number % len(_MARKERS)]
    return {"color": colour, "marker": marker, "markersize": 4, "linewidth": 1.2}
