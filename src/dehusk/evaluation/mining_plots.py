"""Plots for the report, as svg to put into a page. Only names of cleaners and numbers are drawn, never page content."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any, Final

from dehusk.evaluation.classification import SETTINGS, PairScore
from dehusk.evaluation.clustering import BINS, ClusteringScore
from dehusk.evaluation.mining_tables import mean_of
from dehusk.evaluation.word_vectors import missing_extra

_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",  # text stays text: smaller, and readable to those who listen
    "svg.hashsalt": "dehusk",  # the same scores give the same file
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_COLOURS: Final = tuple(
    "#444444 #0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8c6d31 #7a5195 #b2182b #5ab4ac #a6a6a6".split()
)
"""Okabe and Ito's, which colour-blind people can tell apart, and more for those who bring many cleaners."""
_MARKERS: Final = "os^Dv*Px<>"
_METADATA: Final = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def distribution_plot(scores: Sequence[ClusteringScore]) -> str:
    """Figure 9 of Yi, Liu & Li: how many runs have an F in each tenth."""
    figure, axes = _figure(7.5, 3.6)
    middles = [(number + 0.5) / BINS for number in range(BINS)]
    for number, score in enumerate(scores):
        axes.plot(middles, score.bins(), label=score.column, **_look(number))
    axes.set(xlabel="F", ylabel="runs", xlim=(0, 1), xticks=[number / BINS for number in range(BINS + 1)])
    return _svg(figure, axes)


def run_plot(scores: Sequence[ClusteringScore]) -> str:
    """Figure 3 of Yi & Liu: F of each run, here a panel for each cleaner."""
    columns = 3
    rows = -(-len(scores) // columns)
    figure, panels = _figure(7.5, 1.7 * rows, rows, columns)
    for number, axes in enumerate(panels.flat):
        if number >= len(scores):
            axes.axis("off")
            continue
        score = scores[number]
        axes.scatter(range(1, len(score.scores) + 1), score.scores, s=2, color=_COLOURS[number % len(_COLOURS)])
        axes.axhline(score.mean, color="#888888", linewidth=0.8)
        axes.set(ylim=(0, 1))
        axes.set_title(f"{score.column}: {score.mean:.3f}", fontsize=8)
    return _svg(figure)


def classification_plot(scores: Sequence[PairScore], measure: str) -> str:
    """A group of bars for each classifier and configuration, a bar for each cleaner."""
    columns = list(dict.fromkeys(score.column for score in scores))
    possible = [setting for setting in SETTINGS if mean_of(scores, columns[0], setting, measure) is not None]
    figure, axes = _figure(7.5, 3.2)
    width = 0.85 / len(columns)
    for number, column in enumerate(columns):
        heights = [mean_of(scores, column, setting, measure) or 0.0 for setting in possible]
        places = [place + (number - (len(columns) - 1) / 2) * width for place in range(len(possible))]
        axes.bar(places, heights, width, label=column, color=_COLOURS[number % len(_COLOURS)])
    axes.set(ylabel=measure, ylim=(0, 1), xticks=range(len(possible)))
    axes.set_xticklabels([f"{classifier} {configuration}" for classifier, configuration in possible])
    return _svg(figure, axes)


def _look(number: int) -> dict[str, Any]:
    colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
    return {"color": colour, "marker": marker, "markersize": 4, "linewidth": 1.2}


def _figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Any, Any]:
    """A figure of its own: no window system, no state between plots."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_extra("matplotlib") from error
    with rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=rows * columns == 1)


def _svg(figure: Any, legend_of: Any = None) -> str:
    from matplotlib import rc_context

    written = io.StringIO()
    with rc_context(_SETTINGS):
        if legend_of is not None:
            figure.legend(*legend_of.get_legend_handles_labels(), loc="outside right upper", frameon=False, fontsize=8)
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    return _METADATA.sub("", text[text.index("<svg") :])
