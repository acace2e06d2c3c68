"""Mining scores as tables for the terminal, as JSON, and as one HTML page with plots; the papers' figures beside ours.

The papers' figures are from other pages: five categories of products on five shops and magazines of 2003, never
published. They show how much cleaning helped there, not what to expect here.

* Yi, Liu & Li (2003), "Eliminating Noisy Information in Web Pages for Data Mining": tables 2, 3 and 4.
* Yi & Liu (2003), "Web Page Cleaning for Web Mining through Feature Weighting": text of section 4.2, and table 2.

Whoever labelled the pages named the classes and sites: the page shows these names as escaped text (`report_parts`).
Plots show names of cleaners and numbers only, never page content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final, TypeVar

from dehusk.inspection.html_report import escaped
from dehusk.lab.evaluation.report_parts import (
    COLOURS,
    NOTHING,
    TextTable,
    as_svg,
    html_figure,
    html_page,
    html_table,
    new_figure,
)
from dehusk.lab.mining.classification import CONFIGURATIONS, NAIVE_BAYES, SETTINGS, SVM, PairScore
from dehusk.lab.mining.clustering import BINS, ClusteringScore
from dehusk.lab.mining.mining_columns import describe_column
from dehusk.lab.mining.word_vectors import WEIGHTINGS, Weighting

CLUSTERING: Final[Mapping[str, tuple[float, float, float, float | None, float | None]]] = {
    "none": (0.506, 0.4763, 0.0050, 0.0013, 0.0),
    "pagelet-templates": (0.631, 0.1063, 0.2325, 0.0775, 0.0),
    "style-tree-exact-words": (0.751, 0.0325, 0.7813, 0.2475, 0.1175),
    "structure-weights-exact": (0.756, 0.0463, 0.8438, None, None),
}
"""Column -> mean F, and the shares of runs with F < 0.5, >= 0.7, >= 0.8, >= 0.9."""

CLASSIFICATION: Final[Mapping[tuple[str, str, int], tuple[float, float]]] = {
    ("none", NAIVE_BAYES, 1): (0.918, 0.932),
    ("none", NAIVE_BAYES, 2): (0.763, 0.792),
    ("none", NAIVE_BAYES, 3): (0.596, 0.625),
    ("pagelet-templates", NAIVE_BAYES, 1): (0.965, 0.969),
    ("pagelet-templates", NAIVE_BAYES, 2): (0.918, 0.934),
    ("pagelet-templates", NAIVE_BAYES, 3): (0.831, 0.855),
    ("style-tree-exact-words", NAIVE_BAYES, 1): (0.989, 0.991),
    ("style-tree-exact-words", NAIVE_BAYES, 2): (0.968, 0.974),
    ("style-tree-exact-words", NAIVE_BAYES, 3): (0.944, 0.954),
    ("none", SVM, 2): (0.695, 0.785),
    ("structure-weights-exact", SVM, 2): (0.919, 0.951),
}
"""(column, classifier, configuration) -> mean F and accuracy over all classes."""


Score = TypeVar("Score", ClusteringScore, PairScore)
MEASURES: Final = {"F": "f", "accuracy": "accuracy"}

PUBLISHED: Final = (
    "In brackets, beside published methods: the papers' figures for their own pages (five kinds of products on five "
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


def experiment_document(experiment: Experiment, scores: Sequence[ClusteringScore | PairScore]) -> dict[str, Any]:
    """All scores, with the F of each clustering, or the means over the experiments on each two classes; for JSON."""
    found = [
        asdict(score) | ({"mean": score.mean, "bins": score.bins()} if isinstance(score, ClusteringScore) else {})
        for score in scores
    ]
    return {**asdict(experiment), "scores": found}


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
            html_table(column_table(experiment.seconds)),
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


# Tables


def page_table(counts: Mapping[str, Mapping[str, int]]) -> TextTable:
    """Pages and sites of each class (the papers' table 1, totals)."""
    rows = tuple(
        (name, f"{sum(sites.values()):,}", f"{len(sites):,}", f"{min(sites.values())}–{max(sites.values())}")
        for name, sites in counts.items()
    )
    return TextTable("Pages", ("class", "pages", "sites", "pages per site"), rows)


def column_table(columns: Iterable[str]) -> TextTable:
    """What each column is, and whose idea."""
    rows = tuple((name, describe_column(name)) for name in columns)
    return TextTable("Columns", ("cleaned by", "what is left of a page"), rows)


def clustering_table(scores: Sequence[ClusteringScore]) -> TextTable:
    """Table 2 of Yi, Liu & Li; the paper's figures in brackets."""
    headings = ("cleaned by", "mean F", "F < 0.5", "F ≥ 0.7", "F ≥ 0.8", "F ≥ 0.9", "empty pages")
    rows = tuple(_clustering_row(score) for score in scores)
    return TextTable(f"k-means, {len(scores[0].scores):,} runs; {_weighting(scores[0].weighting)}", headings, rows)


def bins_table(scores: Sequence[ClusteringScore]) -> TextTable:
    """Figure 9 of Yi, Liu & Li in numbers."""
    headings = ("cleaned by", *(f"{number / BINS:.1f}–" for number in range(BINS)))
    rows = tuple((score.column, *map(str, score.bins())) for score in scores)
    return TextTable(f"runs by their F; {_weighting(scores[0].weighting)}", headings, rows)


def classification_table(scores: Sequence[PairScore], measure: str) -> TextTable:
    """The means of tables 3 and 4 (naive Bayes) and Yi & Liu's table 2 (SVM); the papers' figures in brackets."""
    headings = ("cleaned by", *(f"{classifier} {number}" for classifier, number in SETTINGS))
    columns = dict.fromkeys(score.column for score in scores)
    rows = tuple((name, *(_mean_cell(scores, name, setting, measure) for setting in SETTINGS)) for name in columns)
    return TextTable(f"mean {measure}; {_weighting(scores[0].weighting)}", headings, rows)


def pair_table(scores: Sequence[PairScore], setting: tuple[str, int], measure: str) -> TextTable | None:
    """A row for each two classes, a column for each cleaner; None if no experiment was possible."""
    chosen = [score for score in scores if (score.classifier, score.configuration) == setting]
    if not chosen:
        return None
    columns = tuple(dict.fromkeys(score.column for score in chosen))
    values = {(score.classes, score.column): getattr(score, MEASURES[measure]) for score in chosen}
    pairs = dict.fromkeys(score.classes for score in chosen)
    rows = [(f"{a} / {b}", *(f"{values[(a, b), column]:.3f}" for column in columns)) for a, b in pairs]
    means = (fmean(values[pair, column] for pair in pairs) for column in columns)
    rows.append(("mean", *(f"{mean:.3f}" for mean in means)))
    title = f"{measure} of {setting[0]}, configuration {setting[1]} ({CONFIGURATIONS[setting[1]]})"
    headings = ("classes", *columns)
    return TextTable(f"{title}; {_weighting(chosen[0].weighting)}", headings, tuple(rows), last_is_mean=True)


def mean_of(scores: Sequence[PairScore], column: str, setting: tuple[str, int], measure: str) -> float | None:
    """The mean over all pairs of classes; None if no experiment was possible."""
    values = [
        getattr(score, MEASURES[measure])
        for score in scores
        if (score.column, score.classifier, score.configuration) == (column, *setting)
    ]
    return fmean(values) if values else None


def by_weighting(scores: Sequence[Score]) -> list[list[Score]]:
    """The scores of each weighting, in order."""
    weightings = dict.fromkeys(score.weighting for score in scores)
    return [[score for score in scores if score.weighting == weighting] for weighting in weightings]


def _clustering_row(score: ClusteringScore) -> tuple[str, ...]:
    shares = (score.share_below(0.5), *(score.share_from(bound) for bound in (0.7, 0.8, 0.9)))
    mean, *published = CLUSTERING.get(score.column, (None,) * 5)
    cells = [_with_published(f"{share:.1%}", there, "{:.1%}") for share, there in zip(shares, published, strict=True)]
    return (score.column, _with_published(f"{score.mean:.3f}", mean, "{:.3f}"), *cells, f"{score.empty:,}")


def _mean_cell(scores: Sequence[PairScore], column: str, setting: tuple[str, int], measure: str) -> str:
    mean = mean_of(scores, column, setting, measure)
    published = CLASSIFICATION.get((column, *setting))
    there = published[list(MEASURES).index(measure)] if published else None
    return _with_published(NOTHING if mean is None else f"{mean:.3f}", there, "{:.3f}")


def _with_published(ours: str, theirs: float | None, form: str) -> str:
    return ours if theirs is None else f"{ours} ({form.format(theirs)})"


def _weighting(name: str) -> str:
    return WEIGHTINGS[Weighting(name)]
