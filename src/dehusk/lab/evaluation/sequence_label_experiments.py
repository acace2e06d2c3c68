"""The experiments of Marek, Pecina & Spousta (2007): sequence labels in cross-validation over pages with marked gold.

Pages are split into folds by site. For each set of features a model is trained on all folds but one and labels the
pages of that one. Labelling accuracy is the share of all text runs with the right label, of five labels or of two
(content and noise); cleaning is scored page by page, as CleanEval did (`cleaneval_score`).

Ablations leave out one feature, as in the paper, or a group of them. Every model of a fold is learnt from the same
matrix of attributes, with some switched off, and its search starts from the weights of all features: there is one
minimum (`chain_training`), and from there it is near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from statistics import fmean
from typing import Final

import numpy as np

from dehusk.errors import GoldError, PageError, UnknownName
from dehusk.lab.evaluation.bootstrap import Estimate, clusters_of, draw_means, estimate
from dehusk.lab.evaluation.cleaneval_evaluation import marked_pages
from dehusk.lab.evaluation.cleaneval_score import CleanEvalScore, score_segments
from dehusk.lab.evaluation.report_parts import TextTable
from dehusk.lab.gold.corpora import open_corpora
from dehusk.lab.gold.gold_alignment import Labels, Segment, read_marked
from dehusk.lab.training.chain_training import ChainWeights, LabelledChains, TrainingSettings, fit_chains, join_pages
from dehusk.lab.training.sequence_label_training import (
    LabelledPage,
    Unusable,
    folds_by_site,
    label_runs,
    model_with,
    observe,
    read_runs,
)
from dehusk.methods.sequence_labels.feature_templates import Attributes, AttributeTable
from dehusk.methods.sequence_labels.run_features import EXPERIMENTS, FEATURE_NAMES
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels
from dehusk.methods.sequence_labels.text_runs import RunLabel, TextRuns
from dehusk.outputs.cleaneval_text import labelled_text
from dehusk.workers.process_pool import run_step

FOLDS: Final = 6
PUBLISHED: Final[Mapping[str, tuple[float, ...]]] = {
    "exp-1": (0.7445, 0.8260, 0.6671, 0.8111, 0.7392),
    "exp-2": (0.7509, 0.8309, 0.6731, 0.8168, 0.7450),
    "exp-3": (0.7501, 0.8288, 0.6846, 0.8183, 0.7515),
    "markup-only": (0, 0, 0, 0, 0.653),
    "content-only": (0, 0, 0, 0, 0.665),
}
"""Table 2 and section 6 of the paper; 0 where it gives no figure."""
_TABLE: Final = AttributeTable()
ALL_FEATURES: Final = "exp-1"
"""The experiment that ablations are compared with."""
FEATURE_GROUPS: Final = (
    *"container.* split.* char.* token.* sentence* *duplicate* regexp.* *-group.word-ratio document.*".split(),
)
"""Features that the paper describes together, as patterns: what they share, none of them is missed for alone."""
_WITHOUT: Final = "without "


@dataclass(frozen=True, slots=True)
class Fold:
    """Pages to test on, all others being for training."""

    number: int
    seed: int
    paths: tuple[str, ...]
    limit: int | None
    settings: TrainingSettings


@dataclass(frozen=True, slots=True)
class FoldTask:
    """Train with the features of an experiment on all folds but one."""

    experiment: str
    fold: Fold


@dataclass(frozen=True, slots=True)
class FoldResult:
    """The result of one fold. Counts are of text runs."""

    pieces: int
    right: int
    right_content: int
    scores: tuple[CleanEvalScore, ...]
    sites: tuple[str, ...]
    """The site of each page that is scored."""


@dataclass(frozen=True, slots=True)
class ExperimentScore:
    """A row of table 2."""

    experiment: str
    pages: int
    pieces: int
    full_set: float
    content_noise: float
    markup_only: float
    text_only: float
    total: float
    lowest_fold: float
    """The total of the worst fold; the paper reports a range from 0.66 to 0.80."""
    highest_fold: float
    change: Estimate | None = None
    """Of the total, to all features on the same pages; sites are resampled."""

    def columns(self) -> tuple[float, ...]:
        """In the paper's order."""
        return self.full_set, self.content_noise, self.markup_only, self.text_only, self.total


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A page to train on and to score."""

    page: LabelledPage
    attributes: Attributes
    """Of all features."""
    runs: TextRuns
    gold: tuple[Segment, ...]


@dataclass(frozen=True, eq=False)
class _Tested:
    """A page, labelled and scored."""

    page: _Prepared
    labels: Labels
    result: FoldResult


@dataclass(frozen=True, eq=False)
class _OpenFold:
    """A fold, read: pages to train on, the weights with all features, and how these do on the pages to test on."""

    training: LabelledChains
    weights: ChainWeights
    tested: list[_Tested]


def ablations() -> tuple[str, ...]:
    """Names of the experiments that leave out one feature or a group of them."""
    return tuple(_WITHOUT + name for name in (*FEATURE_GROUPS, *FEATURE_NAMES))


def features_of(experiment: str) -> tuple[str, ...]:
    """The features of an experiment, by its name."""
    if experiment in EXPERIMENTS:
        return EXPERIMENTS[experiment]
    pattern = experiment.removeprefix(_WITHOUT)
    left = tuple(name for name in FEATURE_NAMES if not fnmatchcase(name, pattern))
    if experiment == pattern or not 0 < len(left) < len(FEATURE_NAMES):
        known = ", ".join((*EXPERIMENTS, f"'{_WITHOUT}FEATURE'"))
        raise UnknownName(experiment, "no such experiment", f"choose from {known}")
    return left


def fold_tasks(
    experiments: Sequence[str], paths: Sequence[str], limit: int | None, seed: int, settings: TrainingSettings
) -> list[FoldTask]:
    """One task per fold of each experiment; the tasks of a fold follow each other, as they share its pages."""
    for experiment in experiments:
        features_of(experiment)
    folds = [Fold(number, seed, tuple(paths), limit, settings) for number in range(FOLDS)]
    return [FoldTask(name, fold) for fold in folds for name in experiments]


def run_folds(tasks: Sequence[FoldTask], jobs: int) -> Iterator[FoldResult]:
    """The result of each task, in order."""

    def lost(task: FoldTask) -> FoldResult:
        raise PageError(task.experiment, "its process died; it may need too much memory", "choose fewer --jobs")

    yield from run_step(run_fold, tasks, jobs, lost)


def run_fold(task: FoldTask) -> FoldResult:
    """Train on the other folds, then label and score this one."""
    fold = _open_fold(task.fold)
    enabled = _TABLE.uses_only(features_of(task.experiment))
    if enabled.all():
        return _join([one.result for one in fold.tested])
    # A feature whose weights are all 0 is as good as none.
    weights = fit_chains(fold.training, task.fold.settings, start=fold.weights, enabled=enabled)
    return _join([_tested_again(weights, one).result for one in fold.tested])


def score_experiments(names: Sequence[str], results: Sequence[FoldResult]) -> list[ExperimentScore]:
    """The score of each experiment, from the results of their `fold_tasks`."""
    folds = {name: results[at :: len(names)] for at, name in enumerate(names)}
    scores = [summarise(name, folds[name]) for name in names]
    if ALL_FEATURES not in folds:
        return scores
    every = _join(folds[ALL_FEATURES])
    return [
        score
        if score.experiment == ALL_FEATURES
        else replace(score, change=_change(_join(folds[score.experiment]), every))
        for score in scores
    ]


def _change(result: FoldResult, every: FoldResult) -> Estimate:
    """How much more the total is than with all features."""
    pairs = zip(result.scores, every.scores, strict=True)
    differences = np.array([score.total - other.total for score, other in pairs])[:, np.newaxis]
    clusters = clusters_of(result.sites)
    drawn = draw_means(differences, clusters, seed=(0,))
    return estimate(float(differences.mean()), drawn[:, 0], int(clusters.max()) + 1)


def summarise(experiment: str, folds: Sequence[FoldResult]) -> ExperimentScore:
    """Combine all folds of one experiment."""
    every = _join(folds)
    totals = [fmean(score.total for score in fold.scores) for fold in folds]
    return ExperimentScore(
        experiment,
        len(every.scores),
        every.pieces,
        every.right / every.pieces,
        every.right_content / every.pieces,
        fmean(score.markup_only for score in every.scores),
        fmean(score.text_only for score in every.scores),
        fmean(score.total for score in every.scores),
        min(totals),
        max(totals),
    )


def experiment_table(scores: Iterable[ExperimentScore]) -> TextTable:
    """Table 2; the paper's figures in brackets."""
    headings = ("features", "full set", "content-noise", "markup only", "text only", "total", "folds")
    rows = []
    for score in (score for score in scores if score.experiment in EXPERIMENTS):
        published = PUBLISHED.get(score.experiment, (0.0,) * 5)
        cells = [
            f"{ours:.2%}" + (f" ({theirs:.2%})" if theirs else "")
            for ours, theirs in zip(score.columns(), published, strict=True)
        ]
        rows.append((score.experiment, *cells, f"{score.lowest_fold:.0%}–{score.highest_fold:.0%}"))
    return TextTable("six-fold cross-validation", headings, tuple(rows))


def ablation_table(scores: Iterable[ExperimentScore]) -> TextTable:
    """Scores without a feature or a group of them: what is missed most comes first."""
    headings = ("left out", "full set", "content-noise", "total", "change of total")
    left_out = [score for score in scores if score.experiment.startswith(_WITHOUT)]
    rows = []
    for score in sorted(left_out, key=lambda score: score.total):
        cells = [f"{share:.2%}" for share in (score.full_set, score.content_noise, score.total)]
        rows.append((score.experiment.removeprefix(_WITHOUT), *cells, _change_cell(score.change)))
    return TextTable("features left out", headings, tuple(rows))


def _change_cell(change: Estimate | None) -> str:
    """In points, with its interval; a star if that is on one side of 0."""
    if change is None:
        return ""
    if change.low is None or change.high is None:
        return f"{100 * change.value:+.2f}"
    star = "*" if change.excludes_zero else " "
    return f"{100 * change.value:+.2f} [{100 * change.low:+.2f}, {100 * change.high:+.2f}]{star}"


@lru_cache(maxsize=1)
def _prepare(paths: tuple[str, ...], limit: int | None) -> list[_Prepared]:
    """The usable pages; read once per process, as every fold needs them."""
    found = []
    for page in (page for corpus in open_corpora(list(paths)) for page in marked_pages(corpus, limit)):
        runs = read_runs(page)
        if isinstance(runs, Unusable):
            continue
        labelled = label_runs(runs, page)
        if not isinstance(labelled, Unusable):
            found.append(_Prepared(labelled, observe(labelled, _TABLE), runs, read_marked(page.gold_marked)))
    return found


@lru_cache(maxsize=1)
def _open_fold(fold: Fold) -> _OpenFold:
    """A fold, read and trained with all features once for all experiments."""
    prepared = _prepare(fold.paths, fold.limit)
    is_test = list(folds_by_site([one.page.site for one in prepared], FOLDS, fold.seed))[fold.number]
    training = [(one.attributes, one.page.labels) for one, test in zip(prepared, is_test, strict=True) if not test]
    test = [one for one, test in zip(prepared, is_test, strict=True) if test]
    if not training or not test:
        raise GoldError("cross-validation", "a fold is empty", f"give pages of at least {FOLDS} sites")
    chains = join_pages(training, len(_TABLE))
    weights = fit_chains(chains, fold.settings)
    return _OpenFold(chains, weights, [_score(one, _label(weights, one)) for one in test])


def _label(weights: ChainWeights, one: _Prepared) -> Labels:
    model = model_with(weights, SequenceLabels())
    return np.asarray(model.probabilities(one.attributes).argmax(axis=1), dtype=np.uint8)


def _score(one: _Prepared, found: Labels) -> _Tested:
    right = int((found == one.page.labels).sum())
    is_content = (found != RunLabel.OTHER) == (one.page.labels != RunLabel.OTHER)
    score = score_segments(read_marked(labelled_text(one.runs, found)), one.gold)
    return _Tested(one, found, FoldResult(len(found), right, int(is_content.sum()), (score,), (one.page.site,)))


def _tested_again(weights: ChainWeights, before: _Tested) -> _Tested:
    """With other weights many pages have the labels they had: their scores, which take longest, are the same."""
    found = _label(weights, before.page)
    return before if np.array_equal(found, before.labels) else _score(before.page, found)


def _join(parts: Sequence[FoldResult]) -> FoldResult:
    return FoldResult(
        sum(part.pieces for part in parts),
        sum(part.right for part in parts),
        sum(part.right_content for part in parts),
        tuple(score for part in parts for score in part.scores),
        tuple(site for part in parts for site in part.sites),
    )
