"""Mining scores as plain tables: rows of texts, from which both the terminal and the report are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, TypeVar

from dehusk.lab.evaluation.text_tables import NOTHING, TextTable
from dehusk.lab.mining.classification import SETTINGS, PairScore
from dehusk.lab.mining.clustering import BINS, ClusteringScore
from dehusk.lab.mining.published_scores import CLASSIFICATION, CLUSTERING
from dehusk.lab.mining.site_configurations import EXPLAINED as CONFIGURATIONS_EXPLAINED
from dehusk.lab.mining.word_vectors import EXPLAINED as WEIGHTINGS_EXPLAINED
from dehusk.lab.mining.word_vectors import Weighting

Score = TypeVar("Score", ClusteringScore, PairScore)
MEASURES: Final = {"F": "f", "accuracy": "accuracy"}


def page_table(counts: Mapping[str, Mapping[str, int]]) -> TextTable:
    """Pages and sites of each class (the papers' table 1, summed up)."""
    rows = tuple(
        (name, f"{sum(sites.values()):,}", f"{len(sites):,}", f"{min(sites.values())}–{max(sites.values())}")
        for name, sites in counts.items()
    )
    return TextTable("Pages", ("class", "pages", "sites", "pages a site"), rows)


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
    """The means of tables 3 and 4 (naive Bayes) and of Yi & Liu's table 2 (SVM); the papers' figures in brackets."""
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
    title = f"{measure} of {setting[0]}, configuration {setting[1]} ({CONFIGURATIONS_EXPLAINED[setting[1]]})"
    headings = ("classes", *columns)
    return TextTable(f"{title}; {_weighting(chosen[0].weighting)}", headings, tuple(rows), last_is_mean=True)


def mean_of(scores: Sequence[PairScore], column: str, setting: tuple[str, int], measure: str) -> float | None:
    """The mean over all two classes; None if no experiment was possible."""
    values = [
        getattr(score, MEASURES[measure])
        for score in scores
        if (score.column, score.classifier, score.configuration) == (column, *setting)
    ]
    return fmean(values) if values else None


def by_weighting(scores: Sequence[Score]) -> list[list[Score]]:
    """The scores of each weighting, in their order."""
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
    return WEIGHTINGS_EXPLAINED[Weighting(name)]
