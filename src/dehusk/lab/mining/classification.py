"""Naive Bayes and linear SVM trained on few sites and tested on others: does site noise mislead them?

Naive Bayes in the three configurations of Yi, Liu & Li (2003, tables 3 and 4), a support vector machine in the setting
of Yi & Liu (2003, table 2). F is the mean of both classes' F; a row is the mean over all experiments on two classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import PageError
from dehusk.lab.mining.clustering import one_thread
from dehusk.lab.mining.site_configurations import CONFIGURATIONS, Pages, Split, splits
from dehusk.lab.mining.word_vectors import Gram, Matrix, gram, missing_extra
from dehusk.workers.process_pool import run_step

IsFirst = NDArray[np.bool_]
"""bool, one a page: whether it is of the first class of two."""

NAIVE_BAYES: Final = "naive Bayes"
SVM: Final = "linear SVM"
SETTINGS: Final = (*((NAIVE_BAYES, number) for number in CONFIGURATIONS), (SVM, 2))
"""(classifier, configuration) of the papers' tables."""
LAPLACE: Final = 1.0
"""Added to the weight of each word of the training pages."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is trained, and how: shared by all columns."""

    classes: tuple[str, ...]
    most_combinations: int
    seed: int


@dataclass(frozen=True, slots=True)
class ColumnTask:
    """All experiments on one column."""

    column: str
    weighting: str
    matrix: Matrix
    pages: Pages
    setting: Setting


@dataclass(frozen=True, slots=True)
class PairScore:
    """Means over the experiments on two classes."""

    column: str
    weighting: str
    classifier: str
    configuration: int
    classes: tuple[str, str]
    experiments: int
    possible: int
    """Experiments there could have been: more, if a sample was taken."""
    f: float
    accuracy: float


def classify_all(tasks: Sequence[ColumnTask], jobs: int) -> Iterator[list[PairScore]]:
    """The scores of each task, in the order of the tasks."""

    def lost(task: ColumnTask) -> list[PairScore]:
        raise PageError(task.column, "its process died; it may need too much memory", "choose fewer --pages or --jobs")

    yield from run_step(classify_column, tasks, min(jobs, len(tasks)), lost)


def classify_column(task: ColumnTask) -> list[PairScore]:
    """Every classifier and configuration on every two classes; those without a possible experiment are left out."""
    with one_thread():
        predict = _classifiers(task.matrix)
        pairs = list(combinations(task.setting.classes, 2))
        scores = [_score_pair(task, predict[name], name, number, pair) for name, number in SETTINGS for pair in pairs]
    return [score for score in scores if score]


Predict = Callable[[Split], IsFirst]
"""Train and say which test pages are of the first class."""


def _classifiers(matrix: Matrix) -> Mapping[str, Predict]:
    products = gram(matrix)
    return {
        NAIVE_BAYES: lambda split: naive_bayes(matrix, split),
        SVM: lambda split: support_vectors(products, split),
    }


def _score_pair(
    task: ColumnTask, predict: Predict, classifier: str, configuration: int, pair: tuple[str, str]
) -> PairScore | None:
    chosen, possible = splits(task.pages, pair, configuration, task.setting.most_combinations, task.setting.seed)
    if not chosen:
        return None
    results = [scores_of(task.pages.labels[split.test] == pair[0], predict(split)) for split in chosen]
    f, accuracy = fmean(f for f, _ in results), fmean(accuracy for _, accuracy in results)
    counted = (pair, len(chosen), possible)
    return PairScore(task.column, task.weighting, classifier, configuration, *counted, f, accuracy)


def scores_of(truth: IsFirst, predicted: IsFirst) -> tuple[float, float]:
    """(mean F of both classes, accuracy)."""
    return (_f(truth, predicted) + _f(~truth, ~predicted)) / 2, float((truth == predicted).mean())


def _f(truth: IsFirst, predicted: IsFirst) -> float:
    return float(2 * (truth & predicted).sum() / max(truth.sum() + predicted.sum(), 1))


def naive_bayes(matrix: Matrix, split: Split) -> IsFirst:
    """The multinomial model (McCallum & Nigam 1998). Words that no training page has say nothing."""
    first, second = (np.asarray(matrix[rows].sum(axis=0)).ravel() for rows in (split.first, split.second))
    seen = first + second > 0
    vocabulary = LAPLACE * max(int(seen.sum()), 1)
    of_first = np.log((first + LAPLACE) / (first.sum() + vocabulary))
    of_second = np.log((second + LAPLACE) / (second.sum() + vocabulary))
    prior = np.log(len(split.first) / len(split.second))
    evidence = np.where(seen, of_first - of_second, 0.0)
    return np.asarray(matrix[split.test] @ evidence + prior > 0)


def support_vectors(products: Gram, split: Split) -> IsFirst:
    """A linear support vector machine with a bias, and SVMlight's C: one over the mean squared length of the pages."""
    try:
        from sklearn.svm import SVC
    except ImportError as error:
        raise missing_extra("scikit-learn") from error
    train = np.concatenate([split.first, split.second])
    is_first = np.arange(len(train)) < len(split.first)
    inner = products[np.ix_(train, train)].astype(np.float64)
    length = float(np.diag(inner).mean())
    machine = SVC(C=1 / length if length else 1.0, kernel="precomputed").fit(inner, is_first)
    return np.asarray(machine.predict(products[np.ix_(split.test, train)].astype(np.float64)), dtype=bool)
