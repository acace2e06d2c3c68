"""The experiments of Marek, Pecina & Spousta (2007): sequence labels in cross-validation over pages with marked gold.

Pages are split into folds by site. For each set of features a model is trained on all folds but one and labels the
pages of that one. Labelling accuracy is the share of all text runs with the right label, of five labels or of two
(content and noise); cleaning is scored page by page, as CleanEval did (`cleaneval_score`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import Final

from dehusk.errors import GoldError, PageError, UnknownName
from dehusk.lab.evaluation.cleaneval_evaluation import marked_pages
from dehusk.lab.evaluation.cleaneval_score import CleanEvalScore, score_segments
from dehusk.lab.evaluation.report_parts import TextTable
from dehusk.lab.gold.corpora import open_corpora
from dehusk.lab.gold.gold_alignment import Segment, read_marked
from dehusk.lab.training.sequence_label_training import (
    LabelledPage,
    TrainingSettings,
    Unusable,
    folds_by_site,
    guess_labels,
    label_runs,
    read_runs,
    train,
)
from dehusk.methods.sequence_labels.run_features import EXPERIMENTS, FEATURE_NAMES
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels, SequenceLabelsModel
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
_WITHOUT: Final = "without "


@dataclass(frozen=True, slots=True)
class FoldTask:
    """Train with the features of an experiment on all folds but one."""

    experiment: str
    fold: int
    folds: int
    seed: int
    paths: tuple[str, ...]
    limit: int | None
    settings: TrainingSettings


@dataclass(frozen=True, slots=True)
class FoldResult:
    """The result of one fold. Counts are of text runs."""

    pieces: int
    right: int
    right_content: int
    scores: tuple[CleanEvalScore, ...]


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

    def columns(self) -> tuple[float, ...]:
        """In the paper's order."""
        return self.full_set, self.content_noise, self.markup_only, self.text_only, self.total


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A page to train on and to score."""

    page: LabelledPage
    runs: TextRuns
    gold: tuple[Segment, ...]


def ablations() -> tuple[str, ...]:
    """Names of the experiments that leave out one feature."""
    return tuple(_WITHOUT + name for name in FEATURE_NAMES)


def features_of(experiment: str) -> tuple[str, ...]:
    """The features of an experiment, by its name."""
    if experiment in EXPERIMENTS:
        return EXPERIMENTS[experiment]
    left_out = experiment.removeprefix(_WITHOUT)
    if experiment == left_out or left_out not in FEATURE_NAMES:
        known = ", ".join((*EXPERIMENTS, f"'{_WITHOUT}FEATURE'"))
        raise UnknownName(experiment, "no such experiment", f"choose from {known}")
    return tuple(name for name in FEATURE_NAMES if name != left_out)


def fold_tasks(
    experiments: Sequence[str], paths: Sequence[str], limit: int | None, seed: int, settings: TrainingSettings
) -> list[FoldTask]:
    """One task per fold of each experiment."""
    for experiment in experiments:
        features_of(experiment)
    return [
        FoldTask(name, fold, FOLDS, seed, tuple(paths), limit, settings)
        for name in experiments
        for fold in range(FOLDS)
    ]


def run_folds(tasks: Sequence[FoldTask], jobs: int) -> Iterator[FoldResult]:
    """The result of each task, in order."""

    def lost(task: FoldTask) -> FoldResult:
        raise PageError(task.experiment, "its process died; it may need too much memory", "choose fewer --jobs")

    yield from run_step(run_fold, tasks, jobs, lost)


def run_fold(task: FoldTask) -> FoldResult:
    """Train on the other folds, then label and score this one."""
    prepared = _prepare(task.paths, task.limit)
    folds = list(folds_by_site([one.page.site for one in prepared], task.folds, task.seed))
    is_test = folds[task.fold]
    training = [one.page for one, test in zip(prepared, is_test, strict=True) if not test]
    test = [one for one, test in zip(prepared, is_test, strict=True) if test]
    if not training or not test:
        raise GoldError("cross-validation", "a fold is empty", f"give pages of at least {task.folds} sites")
    model = train(training, SequenceLabels(features_of(task.experiment)), task.settings)
    return _join([_score(model, one) for one in test])


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
    for score in scores:
        published = PUBLISHED.get(score.experiment, (0.0,) * 5)
        cells = [
            f"{ours:.2%}" + (f" ({theirs:.2%})" if theirs else "")
            for ours, theirs in zip(score.columns(), published, strict=True)
        ]
        rows.append((score.experiment, *cells, f"{score.lowest_fold:.0%}–{score.highest_fold:.0%}"))
    return TextTable("six-fold cross-validation", headings, tuple(rows))


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
            found.append(_Prepared(labelled, runs, read_marked(page.gold_marked)))
    return found


def _score(model: SequenceLabelsModel, one: _Prepared) -> FoldResult:
    found = guess_labels(model, one.page)
    right = int((found == one.page.labels).sum())
    is_content = (found != RunLabel.OTHER) == (one.page.labels != RunLabel.OTHER)
    score = score_segments(read_marked(labelled_text(one.runs, found)), one.gold)
    return FoldResult(len(found), right, int(is_content.sum()), (score,))


def _join(parts: Sequence[FoldResult]) -> FoldResult:
    return FoldResult(
        sum(part.pieces for part in parts),
        sum(part.right for part in parts),
        sum(part.right_content for part in parts),
        tuple(score for part in parts for score in part.scores),
    )
