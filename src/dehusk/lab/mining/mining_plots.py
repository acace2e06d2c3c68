"""Plots for the report, as svg to put into a page. Only names of cleaners and numbers are drawn, never page content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dehusk.lab.evaluation.svg_plots import COLOURS, as_svg, new_figure
from dehusk.lab.mining.classification import SETTINGS, PairScore
from dehusk.lab.mining.clustering import BINS, ClusteringScore
from dehusk.lab.mining.mining_tables import mean_of

_MARKERS: Final = "os^Dv*Px<>"


def distribution_plot(scores: Sequence[ClusteringScore]) -> str:
    """Figure 9 of Yi, Liu & Li: how many runs have an F in each tenth."""
    figure, axes = new_figure(7.5, 3.6)
    middles = [(number + 0.5) / BINS for number in range(BINS)]
    for number, score in enumerate(scores):
        axes.plot(middles, score.bins(), label=score.column, **_look(number))
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


def _look(number: int) -> dict[str, Any]:
    colour, marker = COLOURS[number % len(COLOURS)], _MARKERS[number % len(_MARKERS)]
    return {"color": colour, "marker": marker, "markersize": 4, "linewidth": 1.2}
