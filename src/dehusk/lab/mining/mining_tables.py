"""Mining scores as tables of text, for the terminal and the report, with the papers' figures beside ours.

The papers' figures are from other pages: five categories of products on five shops and magazines of 2003, never
published. They show how much cleaning helped there, not what to expect here.

* Yi, Liu & Li (2003), "Eliminating Noisy Information in Web Pages for Data Mining": tables 2, 3 and 4.
* Yi & Liu (2003), "Web Page Cleaning for Web Mining through Feature Weighting": text of section 4.2, and table 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, TypeVar

from dehusk.lab.evaluation.report_parts import NOTHING, TextTable
from dehusk.lab.mining.classification import CONFIGURATIONS, NAIVE_BAYES, SETTINGS, SVM, PairScore
from dehusk.lab.mining.clustering import BINS, ClusteringScore
from dehusk.lab.mining.word_vectors import WEIGHTINGS, Weighting

CLUSTERING: Final[Mapping[str, tuple[float, float, float, float | None, float | None]]] = {
    "none": (0.506, 0.4763, 0.0050, 0.0013, 0.0),
    "pagelet-templates": (0.631, 0.1063, 0.2325, 0.0775, 0.0),
    "style-tree-words": (0.751, 0.0325, 0.7813, 0.2475, 0.1175),
    "structure-weights": (0.756, 0.0463, 0.8438, None, None),
}
"""Column -> mean F, and the shares of runs with F < 0.5, >= 0.7, >= 0.8, >= 0.9."""

CLASSIFICATION: Final[Mapping[tuple[str, str, int], tuple[float, float]]] = {
    ("none", NAIVE_BAYES, 1): (0.918, 0.932),
    ("none", NAIVE_BAYES, 2): (0.763, 0.792),
    ("none", NAIVE_BAYES, 3): (0.596, 0.625),
    ("pagelet-templates", NAIVE_BAYES, 1): (0.965, 0.969),
    ("pagelet-templates", NAIVE_BAYES, 2): (0.918, 0.934),
    ("pagelet-templates", NAIVE_BAYES, 3): (0.831, 0.855),
    ("style-tree-words", NAIVE_BAYES, 1): (0.989, 0.991),
    ("style-tree-words", NAIVE_BAYES, 2): (0.968, 0.974),
    ("style-tree-words", NAIVE_BAYES, 3): (0.944, 0.954),
    ("none", SVM, 2): (0.695, 0.785),
    ("structure-weights", SVM, 2): (0.919, 0.951),
}
"""(column, classifier, configuration) -> mean F and accuracy over all classes."""


Score = TypeVar("Score", ClusteringScore, PairScore)
MEASURES: Final = {"F": "f", "accuracy": "accuracy"}


def page_table(counts: Mapping[str, Mapping[str, int]]) -> TextTable:
    """Pages and sites of each class (the papers' table 1, totals)."""
    rows = tuple(
        (name, f"{sum(sites.values()):,}", f"{len(sites):,}", f"{min(sites.values())}–{max(sites.values())}")
        for name, sites in counts.items()
    )
    return TextTable("Pages", ("class", "pages", "sites", "pages per site"), rows)


def clustering_table(scores: Sequence[ClusteringScore]) -> TextTable:
    """Table 2 of Yi, Liu & Li; the paper's figures in brackets."""
    headings = ("cleaned by", "mean F", "F < 0.5", "F ≥ 0.7", "F ≥ 0.8", "F ≥ 0.9", "empty pages")
    rows = tuple(_clustering_row(score) for score in scores)
    return TextTable(f"k-means, {_runs(scores)} runs; {_weighting(scores[0].weighting)}", headings, rows)


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


def _runs(scores: Sequence[ClusteringScore]) -> str:
    return f"{len(scores[0].scores):,}"


def _weighting(name: str) -> str:
    return WEIGHTINGS[Weighting(name)]
