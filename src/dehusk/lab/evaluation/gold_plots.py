"""Plots of a comparison. Only names and numbers are drawn, never page content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dehusk.lab.evaluation.gold_groups import Evaluation, GroupScore
from dehusk.lab.evaluation.gold_tables import KIND_NAMES
from dehusk.lab.evaluation.svg_plots import COLOURS, as_svg, new_figure
from dehusk.lab.evaluation.text_tables import plain

LEAST_PLOTTED: Final = 5
"""Pages of a group that is drawn; the interval of fewer is as wide as the plot. Tables have all."""
_BAR_INCHES: Final = 0.13


def plotted_groups(evaluation: Evaluation, kind: str) -> list[int]:
    """Numbers of the groups that are large enough to draw."""
    groups = evaluation.groups[kind][evaluation.first]
    return [number for number, score in enumerate(groups) if score.means.pages >= LEAST_PLOTTED]


def group_plot(evaluation: Evaluation, kind: str) -> str:
    """A group of bars for each group of pages, a bar for each contender; lines are the 95 % intervals."""
    chosen = plotted_groups(evaluation, kind)
    contenders = evaluation.contenders
    figure, axes = new_figure(7.5, 0.9 + len(chosen) * (len(contenders) + 1) * _BAR_INCHES)
    width = 0.85 / len(contenders)
    for number, name in enumerate(contenders):
        scores = [evaluation.groups[kind][name][group] for group in chosen]
        places = [place + (number - (len(contenders) - 1) / 2) * width for place in range(len(chosen))]
        axes.barh(
            places,
            [score.means.f1 for score in scores],
            width,
            xerr=_whiskers(scores),
            label=name,
            color=_colour(number),
            alpha=0.75,  # intervals show on dark bars, too
            error_kw={"elinewidth": 0.8, "ecolor": "#000000"},
        )
    names = [evaluation.groups[kind][contenders[0]][group].means for group in chosen]
    axes.set(xlabel="word F1", xlim=(0, 1), yticks=range(len(chosen)))
    axes.set_yticklabels([f"{plain(means.corpus[:40])} ({means.pages:,})" for means in names])
    axes.invert_yaxis()
    axes.set_title(f"by {KIND_NAMES[kind]}", fontsize=9, loc="left")
    return as_svg(figure, axes)


def speed_plot(evaluation: Evaluation) -> str:
    """Quality against speed; up and to the right is better."""
    figure, axes = new_figure(7.5, 3.6)
    for number, name in enumerate(evaluation.contenders):
        score = evaluation.macro[name]
        speed = score.means.pages_per_second
        bars = _whiskers([score])
        axes.errorbar(speed, score.means.f1, yerr=bars, fmt="o", color=_colour(number), elinewidth=0.8, label=name)
        axes.annotate(name, (speed, score.means.f1), xytext=(6, 4), textcoords="offset points", fontsize=8)
    axes.set(xlabel="pages per second (logarithmic)", ylabel="word F1, macro mean", xscale="log")
    # By default ticks are powers of ten in mathematical notation, which is switched off so that names are only names.
    axes.xaxis.set_major_formatter(_tick)
    axes.xaxis.set_minor_formatter(_tick)
    return as_svg(figure, axes)


def _whiskers(scores: Sequence[GroupScore]) -> list[list[float]]:
    """How far the intervals reach below and above the means. A mean may lie outside by chance of drawing."""
    found = [score.intervals.f1 for score in scores]
    below = [max(one.value - one.low, 0.0) if one.low is not None else 0.0 for one in found]
    return [below, [max(one.high - one.value, 0.0) if one.high is not None else 0.0 for one in found]]


def _tick(value: float, place: int | None) -> str:
    return f"{value:g}"


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
