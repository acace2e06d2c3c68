"""Mining scores for people and programs: tables for the terminal, JSON, and one html page with plots.

Classes and sites are named by whoever labelled the pages. In the page all names pass through `_escaped`, and a policy
forbids scripts and requests of any kind should one ever slip through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from dehusk.evaluation.classification import SETTINGS, PairScore
from dehusk.evaluation.clustering import ClusteringScore
from dehusk.evaluation.mining_plots import classification_plot, distribution_plot, run_plot
from dehusk.evaluation.mining_tables import (
    MEASURES,
    TextTable,
    bins_table,
    by_weighting,
    classification_table,
    clustering_table,
    page_table,
    pair_table,
)
from dehusk.evaluation.splits import EXPLAINED as CONFIGURATIONS

PUBLISHED: Final = (
    "In brackets, where the table is the same in kind: what the papers report of their own pages (five kinds of "
    "products on five sites of 2003). Those pages are not these: compare what cleaning changes, not the figures."
)
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE: Final = """
body { margin: 0 auto; max-width: 64rem; padding: 1rem; background: #fff; color: #1c1e21;
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #d9dde3; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
tr.mean td { font-weight: 600; border-top: 2px solid #1c1e21; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: #5b616b; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: #5b616b; font-size: .9rem; }
svg { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What was done, to stand above the scores."""

    title: str
    facts: tuple[tuple[str, str], ...]
    counts: Mapping[str, Mapping[str, int]]
    """Class -> site -> pages."""
    seconds: Mapping[str, float]
    """Column -> time to clean all pages, learning included."""


def terminal_table(table: TextTable) -> Table:
    """A table for the terminal. Names are shown as they are: they cannot colour or steer it."""
    shown = Table(
        title=_plain(table.title), title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for number, heading in enumerate(table.headings):
        shown.add_column(_plain(heading), justify="right" if number else "left", no_wrap=not number)
    for number, row in enumerate(table.rows):
        before_mean = table.last_is_mean and number == len(table.rows) - 2
        shown.add_row(*map(_plain, row), end_section=before_mean)
    return shown


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
            yield _html_table(clustering_table(part))
            yield _html_figure(distribution_plot(part), "How many runs have an F in each tenth.")
            yield _html_figure(run_plot(part), "F of each run; the line is the mean.")
            yield _html_table(bins_table(part))

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
                yield _html_table(classification_table(part, measure))
                yield _html_figure(classification_plot(part, measure), f"Mean {measure} over all two classes.")
            yield from map(_html_table, _pair_tables(part))

    return _page(experiment, body())


def _pair_tables(scores: Sequence[PairScore]) -> list[TextTable]:
    tables = (pair_table(scores, setting, measure) for setting in SETTINGS for measure in MEASURES)
    return [table for table in tables if table]


def _page(experiment: Experiment, body: Iterator[str]) -> str:
    times = tuple((name, f"{seconds:.1f}") for name, seconds in experiment.seconds.items())
    facts = "".join(f"<dt>{_escaped(name)}</dt><dd>{_escaped(value)}</dd>" for name, value in experiment.facts)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_escaped(experiment.title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{_escaped(experiment.title)}</h1><dl>{facts}</dl>",
            f"<p>{_escaped(PUBLISHED)}</p>",
            *body,
            _html_table(page_table(experiment.counts)),
            _html_table(TextTable("Time to clean all pages, learning included", ("cleaned by", "seconds"), times)),
            "</body></html>",
            "",
        ]
    )


def _html_table(table: TextTable) -> str:
    head = "".join(f"<th>{_escaped(heading)}</th>" for heading in table.headings)
    rows = []
    for number, row in enumerate(table.rows):
        mean = ' class="mean"' if table.last_is_mean and number == len(table.rows) - 1 else ""
        rows.append(f"<tr{mean}>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>")
    caption = f"<caption>{_escaped(table.title)}</caption>"
    return f'<div class="scroll"><table>{caption}<tr>{head}</tr>{"".join(rows)}</table></div>'


def _html_figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{_escaped(caption)}</figcaption></figure>"


def _escaped(text: str) -> str:
    """Text as text: no markup, no control characters."""
    return escape(str(_plain(text)))


def _plain(text: str) -> Text:
    """Text without control characters, and without markup of any terminal library."""
    return Text("".join(c if c.isprintable() else "\ufffd" for c in text))
