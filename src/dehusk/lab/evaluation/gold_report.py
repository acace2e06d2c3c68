"""The html report of a comparison: tables, plots, and links to the pages with the worst scores.

Plots show names and numbers only, never page content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Final
from urllib.parse import quote

from dehusk.inspection.html_report import escaped
from dehusk.lab.evaluation.bootstrap import DRAWS
from dehusk.lab.evaluation.gold_groups import Evaluation, GroupScore
from dehusk.lab.evaluation.gold_tables import (
    KIND_NAMES,
    MARKS_EXPLAINED,
    detail_table,
    failure_lines,
    group_table,
    overall_table,
    usable_table,
)
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS
from dehusk.lab.evaluation.report_parts import (
    COLOURS,
    as_svg,
    html_figure,
    html_page,
    html_table,
    new_figure,
    plain,
)
from dehusk.lab.evaluation.tool_comparison import FOLDS, Comparison, Plan
from dehusk.lab.evaluation.worst_pages import WorstPage
from dehusk.version import __version__


def gold_report(
    comparison: Comparison, evaluation: Evaluation, plan: Plan, seed: int, worst: Mapping[str, WorstPage]
) -> str:
    """The html page. `worst` has the address of each explained page, relative to this one."""
    title = f"{', '.join(evaluation.contenders)} on {len(comparison.pages):,} labelled pages"
    return html_page(title, _facts(comparison, plan, seed), _body(comparison, evaluation, worst))


def tool_versions(tools: Sequence[str]) -> str:
    """Names and versions of the other tools, to make the comparison reproducible."""
    return ", ".join(f"{name} {version(OTHER_TOOLS[name].distribution)}" for name in tools)


def _facts(comparison: Comparison, plan: Plan, seed: int) -> list[tuple[str, str]]:
    sites = len({page.site for page in comparison.pages if page.site})
    limit = "all of each data set" if plan.limit is None else f"at most {plan.limit:,} of each data set, evenly spread"
    return [
        ("dehusk", f"{__version__}: {', '.join(plan.methods)}"),
        ("other tools", tool_versions(plan.tools) or "none"),
        ("compared with", f"{comparison.first}, the first cleaner"),
        ("pages", f"{len(comparison.pages):,} of {sites:,} known sites; {limit}"),
        ("sites", _describe_fold(plan.fold)),
        (
            "usable",
            f"{sum(comparison.usable):,}: on the others most of the gold is not in the html",
        ),
        ("intervals", f"95 %, {DRAWS:,} bootstrap samples of sites (seed {seed}), the same for all cleaners"),
        ("speed", "cleaning only, in this run, without learning sites and scoring"),
    ]


def _describe_fold(fold: int | None) -> str:
    if fold is not None:
        return f"fold {fold} of {FOLDS}, by registered domain"
    return "all, including sites that our trained methods may have learnt from (see --fold)"


def _body(comparison: Comparison, evaluation: Evaluation, worst: Mapping[str, WorstPage]) -> Iterator[str]:
    yield html_table(overall_table(evaluation))
    yield html_figure(speed_plot(evaluation), "Quality and speed: up and to the right is better.")
    yield f"<p>{escaped(MARKS_EXPLAINED)}</p>"
    for kind, name in KIND_NAMES.items():
        yield f"<h2>By {name}</h2>"
        yield from _groups(evaluation, kind)
    yield "<h2>Other scores by data set</h2>"
    yield from (html_table(group_table(evaluation, "data_sets", measure)) for measure in ("lcs_f1", "four_gram_f1"))
    yield html_table(usable_table(evaluation))
    yield from (html_table(detail_table(evaluation, name)) for name in evaluation.contenders)
    yield from _failures(comparison)
    yield from _worst(evaluation.first, worst)


def _groups(evaluation: Evaluation, kind: str) -> Iterator[str]:
    if not evaluation.groups[kind][evaluation.first]:
        yield "<p>No page has a value.</p>"
        return
    yield html_table(group_table(evaluation, kind, intervals=True))
    if plotted_groups(evaluation, kind):
        caption = f"Word F1 with 95 % intervals; groups of at least {LEAST_PLOTTED} pages."
        yield html_figure(group_plot(evaluation, kind), caption)


def _failures(comparison: Comparison) -> Iterator[str]:
    if lines := failure_lines(comparison):
        yield "<h2>Failures</h2><p>If a cleaner fails, its text counts as empty.</p>"
        yield "<ul>" + "".join(f"<li>{escaped(line)}</li>" for line in lines) + "</ul>"


def _worst(method: str, worst: Mapping[str, WorstPage]) -> Iterator[str]:
    if not worst:
        return
    yield f"<h2>Where {escaped(method)} did worst</h2>"
    yield "<p>Usable pages only, and at most two per site. Open a page to see all its blocks and its gold.</p>"
    yield '<div class="scroll"><table><tr><th>page</th><th>type</th><th>language</th><th>prec.</th><th>recall</th>'
    yield "<th>F1</th></tr>"
    yield from (_worst_row(address, one) for address, one in worst.items())
    yield "</table></div>"


def _worst_row(address: str, worst: WorstPage) -> str:
    words = worst.score.words
    cells = (
        worst.about.page_type,
        worst.about.language,
        *(f"{x:.3f}" for x in (words.precision, words.recall, words.f1)),
    )
    link = f'<a href="{escaped(quote(address))}">{escaped(worst.about.name)}</a>'
    return f"<tr><td>{link}</td>{''.join(f'<td>{escaped(cell)}</td>' for cell in cells)}</tr>"


LEAST_PLOTTED: Final = 5
"""Fewest pages of a plotted group; the interval of fewer is as wide as the plot. Tables have all groups."""
_BAR_INCHES: Final = 0.13


def plotted_groups(evaluation: Evaluation, kind: str) -> list[int]:
    """Numbers of the groups that are large enough to plot."""
    groups = evaluation.groups[kind][evaluation.first]
    return [number for number, score in enumerate(groups) if score.means.pages >= LEAST_PLOTTED]


def group_plot(evaluation: Evaluation, kind: str) -> str:
    """Bars for each group of pages, one per contender, with 95 % intervals."""
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
            alpha=0.75,  # keeps intervals visible on dark bars
            error_kw={"elinewidth": 0.8, "ecolor": "#000000"},
        )
    names = [evaluation.groups[kind][contenders[0]][group].means for group in chosen]
    axes.set(xlabel="word F1", xlim=(0, 1), yticks=range(len(chosen)))
    axes.set_yticklabels([f"{plain(means.corpus[:40])} ({means.pages:,})" for means in names])
    axes.invert_yaxis()
    axes.set_title(f"by {KIND_NAMES[kind]}", fontsize=9, loc="left")
    return as_svg(figure, axes)


def speed_plot(evaluation: Evaluation) -> str:
    """Word F1 against speed; up and to the right is better."""
    figure, axes = new_figure(7.5, 3.6)
    for number, name in enumerate(evaluation.contenders):
        score = evaluation.macro[name]
        speed = score.means.pages_per_second
        bars = _whiskers([score])
        axes.errorbar(speed, score.means.f1, yerr=bars, fmt="o", color=_colour(number), elinewidth=0.8, label=name)
        axes.annotate(name, (speed, score.means.f1), xytext=(6, 4), textcoords="offset points", fontsize=8)
    axes.set(xlabel="pages per second (logarithmic)", ylabel="word F1, macro mean", xscale="log")
    # By default ticks are powers of ten in mathematical notation, which is disabled so that names are only names.
    axes.xaxis.set_major_formatter(_tick)
    axes.xaxis.set_minor_formatter(_tick)
    return as_svg(figure, axes)


def _whiskers(scores: Sequence[GroupScore]) -> list[list[float]]:
    """The distances from the means to the ends of their intervals; 0 if a mean lies outside by chance."""
    found = [score.intervals.f1 for score in scores]
    below = [max(one.value - one.low, 0.0) if one.low is not None else 0.0 for one in found]
    return [below, [max(one.high - one.value, 0.0) if one.high is not None else 0.0 for one in found]]


def _tick(value: float, place: int | None) -> str:
    return f"{value:g}"


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
