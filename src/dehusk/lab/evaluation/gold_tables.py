"""A comparison as text tables and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dehusk.lab.evaluation.bootstrap import Estimate
from dehusk.lab.evaluation.gold_groups import Evaluation, GroupScore
from dehusk.lab.evaluation.gold_scoring import HEADINGS, cells_of
from dehusk.lab.evaluation.report_parts import NOTHING, TextTable
from dehusk.lab.evaluation.tool_comparison import Comparison

KIND_NAMES: Final[Mapping[str, str]] = {
    "data_sets": "data set",
    "page_types": "page type",
    "languages": "language",
}
MEASURE_NAMES: Final[Mapping[str, str]] = {
    "f1": "word F1",
    "lcs_f1": "LCS F1",
    "four_gram_f1": "4-gram F1",
}
MARKS_EXPLAINED: Final = (
    "▲ ▼ significantly better or worse than the first cleaner: the 95 % bootstrap interval of the difference, "
    "resampling sites, excludes 0. Fewer than five pages have no interval."
)
_MOST_CAUSES: Final = 3


def overall_table(evaluation: Evaluation) -> TextTable:
    """One row per contender: its macro means, and its difference from the first."""
    headings = ("cleaned by", "word F1", "− first", "LCS F1", "4-gram F1", "p/s", "× speed", "failed")
    rows = tuple(_overall_row(evaluation, name) for name in evaluation.contenders)
    return TextTable(f"Macro mean over {_count(evaluation)}, with 95 % intervals", headings, rows)


def group_table(evaluation: Evaluation, kind: str, measure: str = "f1", intervals: bool = False) -> TextTable:
    """One row per group, one column per contender; the macro mean below data sets."""
    groups = evaluation.groups[kind]
    rows = [_group_row(list(of_group), measure, intervals) for of_group in zip(*groups.values(), strict=True)]
    with_mean = kind == "data_sets" and len(rows) > 1
    if with_mean:
        rows.append(_group_row([evaluation.macro[name] for name in evaluation.contenders], measure, intervals))
    title = f"{MEASURE_NAMES[measure]} by {KIND_NAMES[kind]}"
    return TextTable(title, (KIND_NAMES[kind], "pages", *evaluation.contenders), tuple(rows), with_mean)


def detail_table(evaluation: Evaluation, contender: str) -> TextTable:
    """All scores of one contender by data set."""
    scores = [*evaluation.groups["data_sets"][contender], evaluation.macro[contender]]
    levels = tuple("ABC") if any(score.means.levels for score in scores) else ()
    rows = tuple(tuple(cells_of(score.means)) for score in scores)
    return TextTable(contender, ("data set", *HEADINGS, *levels), rows, last_is_mean=True)


def usable_table(evaluation: Evaluation) -> TextTable:
    """Word F1 over the pages whose gold is in their html; on the others no cleaner can find it."""
    of_contenders = [[*evaluation.groups["data_sets"][name], evaluation.macro[name]] for name in evaluation.contenders]
    rows = tuple(_usable_row(of_group) for of_group in zip(*of_contenders, strict=True))
    headings = ("data set", "pages", "usable", *evaluation.contenders)
    return TextTable("word F1 on usable pages: those with their gold in the html", headings, rows, last_is_mean=True)


def terminal_tables(evaluation: Evaluation) -> list[TextTable]:
    """The tables for the terminal: each contender, types and languages if several, and the comparison."""
    tables = [detail_table(evaluation, name) for name in evaluation.contenders]
    compared = len(evaluation.contenders) > 1
    kinds = [kind for kind in KIND_NAMES if compared or kind != "data_sets"]
    for kind in kinds:
        if len(evaluation.groups[kind][evaluation.first]) > 1:
            tables.append(group_table(evaluation, kind))
    means = evaluation.macro[evaluation.first].means
    if means.usable != means.pages:
        tables.append(usable_table(evaluation))
    return [*tables, overall_table(evaluation)] if compared else tables


def failure_lines(comparison: Comparison) -> list[str]:
    """The most frequent causes of failures of each contender."""
    lines = []
    for name, scores in comparison.scores.items():
        causes = Counter(_without_page(score.failure, score.page) for score in scores if score.failure)
        lines += [f"{name} failed on {pages:,}: {cause}" for cause, pages in causes.most_common(_MOST_CAUSES)]
    return lines


def evaluation_document(evaluation: Evaluation) -> dict[str, Any]:
    """Contender -> its scores on each kind of group, their macro mean, and its speed; for JSON."""
    return {name: _contender_json(evaluation, name) for name in evaluation.contenders}


def _contender_json(evaluation: Evaluation, name: str) -> dict[str, Any]:
    groups = {kind: [score.as_json() for score in of_kind[name]] for kind, of_kind in evaluation.groups.items()}
    speed = {
        "pages_per_second": evaluation.macro[name].means.pages_per_second,
        "speed_ratio": evaluation.speed_ratio(name),
    }
    return {**groups, "macro_mean": evaluation.macro[name].as_json(), **speed, "compared_with": evaluation.first}


def _overall_row(evaluation: Evaluation, name: str) -> tuple[str, ...]:
    score = evaluation.macro[name]
    is_first = name == evaluation.first
    return (
        name,
        _interval(score.intervals.f1),
        NOTHING if is_first else _interval(score.intervals.difference, "+"),
        _interval(score.intervals.lcs_f1),
        _interval(score.intervals.four_gram_f1),
        f"{score.means.pages_per_second:,.1f}",
        f"{evaluation.speed_ratio(name):.2f}",
        str(score.means.failures),
    )


def _group_row(scores: Sequence[GroupScore], measure: str, intervals: bool) -> tuple[str, ...]:
    means = scores[0].means
    return (means.corpus, f"{means.pages:,}", *(_cell(score, measure, intervals) for score in scores))


def _usable_row(scores: Sequence[GroupScore]) -> tuple[str, ...]:
    means = scores[0].means
    found = (score.means.f1_usable for score in scores)
    return (
        means.corpus,
        f"{means.pages:,}",
        f"{means.usable or 0:,}",
        *(NOTHING if f1 is None else f"{f1:.3f}" for f1 in found),
    )


def _cell(score: GroupScore, measure: str, intervals: bool) -> str:
    found: Estimate = getattr(score.intervals, measure)
    shown = _interval(found) if intervals else f"{found.value:.3f}"
    return shown + (_mark(score.intervals.difference) if measure == "f1" else "")


def _mark(difference: Estimate) -> str:
    return (" ▲" if difference.value > 0 else " ▼") if difference.excludes_zero else ""


def _interval(found: Estimate, sign: str = "") -> str:
    ends = "" if found.low is None else f" [{found.low:{sign}.3f}, {found.high:{sign}.3f}]"
    return f"{found.value:{sign}.3f}{ends}"


def _count(evaluation: Evaluation) -> str:
    sets = len(evaluation.groups["data_sets"][evaluation.first])
    pages = evaluation.macro[evaluation.first].means.pages
    return f"{sets:,} data set{'s' * (sets > 1)} of {pages:,} pages"


def _without_page(failure: str, page: str) -> str:
    """The cause without the page, so that equal causes count together."""
    return failure.removeprefix(f"{page}: ")
