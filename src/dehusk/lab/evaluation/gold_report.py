"""A comparison as one html page with tables and plots, and links to the pages that went worst."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from urllib.parse import quote

from dehusk.lab.evaluation.bootstrap import DRAWS
from dehusk.lab.evaluation.gold_groups import Evaluation
from dehusk.lab.evaluation.gold_plots import LEAST_PLOTTED, group_plot, plotted_groups, speed_plot
from dehusk.lab.evaluation.gold_tables import (
    KIND_NAMES,
    MARKS_EXPLAINED,
    detail_table,
    failure_lines,
    group_table,
    overall_table,
    usable_table,
)
from dehusk.lab.evaluation.html_reports import escaped, html_figure, html_page, html_table
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS
from dehusk.lab.evaluation.tool_comparison import FOLDS, Comparison, Plan
from dehusk.lab.evaluation.worst_pages import WorstPage
from dehusk.version import __version__


def gold_report(
    comparison: Comparison, evaluation: Evaluation, plan: Plan, seed: int, worst: Mapping[str, WorstPage]
) -> str:
    """The page. `worst` has the address of each explained page, relative to this one."""
    title = f"{', '.join(evaluation.contenders)} on {len(comparison.pages):,} labelled pages"
    return html_page(title, _facts(comparison, plan, seed), _body(comparison, evaluation, worst))


def tool_versions(tools: Sequence[str]) -> str:
    """What was compared with, so that others can do it again."""
    return ", ".join(f"{name} {version(OTHER_TOOLS[name].distribution)}" for name in tools)


def _facts(comparison: Comparison, plan: Plan, seed: int) -> list[tuple[str, str]]:
    sites = len({page.site for page in comparison.pages if page.site})
    limit = "all of each data set" if plan.limit is None else f"at most {plan.limit:,} of each data set, evenly spread"
    return [
        ("dehusk", f"{__version__}: {', '.join(plan.methods)}"),
        ("other tools", tool_versions(plan.tools) or "none"),
        ("compared with", f"{comparison.first}, the first"),
        ("pages", f"{len(comparison.pages):,} of {sites:,} known sites; {limit}"),
        ("sites", _told_fold(plan.fold)),
        ("usable", f"{sum(comparison.usable):,}: on the others most of the gold is not in the html, for whatever tool"),
        ("intervals", f"95 %, {DRAWS:,} draws of sites (seed {seed}); cleaners are drawn together"),
        ("speed", "cleaning alone, in this run; learning a site and scoring are not counted"),
    ]


def _told_fold(fold: int | None) -> str:
    if fold is not None:
        return f"those of fold {fold} of {FOLDS}, by registered domain"
    return "all, those included that a trained method of ours may have learnt from (see --fold)"


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
        yield "<p>No page has one.</p>"
        return
    yield html_table(group_table(evaluation, kind, intervals=True))
    if plotted_groups(evaluation, kind):
        caption = f"Word F1 with 95 % intervals; groups of at least {LEAST_PLOTTED} pages."
        yield html_figure(group_plot(evaluation, kind), caption)


def _failures(comparison: Comparison) -> Iterator[str]:
    if lines := failure_lines(comparison):
        yield "<h2>Failures</h2><p>Where a cleaner fails its text counts as empty.</p>"
        yield "<ul>" + "".join(f"<li>{escaped(line)}</li>" for line in lines) + "</ul>"


def _worst(method: str, worst: Mapping[str, WorstPage]) -> Iterator[str]:
    if not worst:
        return
    yield f"<h2>Where {escaped(method)} did worst</h2>"
    yield "<p>Usable pages only, and few of each site. Follow a page to see every block of it beside its gold.</p>"
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
