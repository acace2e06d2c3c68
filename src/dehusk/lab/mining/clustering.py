"""Many runs of k-means over pages: how often are the classes found?

Yi, Liu & Li (2003), table 2 and figure 9; Yi & Liu (2003), figure 3. Each run starts from k random pages as centroids
and moves every page to its nearest centroid until nothing moves. The F of a run is the best mean F over classes that
any assignment of classes to clusters gives.

Distances to centroids follow from the inner products of pages alone: with w the weights of a cluster's pages (1/size
each), |x - c|^2 = x.x - 2 (Gw)_x + w'Gw. So a run never touches the words, and many runs are one matrix product. That
is why this is not scikit-learn's `KMeans`, which finds the same clusters in 5 times the time (50 runs on 600 pages of
20,000 words: 6.6 s instead of 1.2 s).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import GoldError, PageError
from dehusk.lab.mining.word_vectors import Gram, Matrix, gram, needed_for_mining
from dehusk.workers.process_pool import run_step

MOST_STEPS: Final = 100
"""Steps of a run: a bound never reached in practice. On 360 pages of nine shops, none of 200 runs took more than 24."""
RUNS_AT_ONCE: Final = 50
"""Runs in one matrix product. 200 runs on 360 pages take 0.13 s in tens and 0.10 s in fifties; more at once are no
faster and cost memory (n x k x runs)."""
RUNS_IN_A_TASK: Final = 200
"""Runs per task; each task computes the inner products again."""
BINS: Final = 10

Clusters = NDArray[np.int64]
"""int64, runs x n: the cluster of each page."""


@dataclass(frozen=True, slots=True)
class RunsTask:
    """Some of the runs on one matrix."""

    matrix: Matrix
    classes: NDArray[np.int64]
    """int64, n: the number of each page's class."""
    first_run: int
    runs: int
    seed: int


@dataclass(frozen=True, slots=True)
class ClusteringScore:
    """The scores of the runs on one column."""

    column: str
    weighting: str
    scores: tuple[float, ...]
    """F of each run."""
    empty: int
    """Pages that the cleaner left empty; they are clustered like the others."""

    @property
    def mean(self) -> float:
        return fmean(self.scores)

    def share_below(self, bound: float) -> float:
        """The share of runs with a lower F."""
        return fmean(score < bound for score in self.scores)

    def share_from(self, bound: float) -> float:
        """The share of runs with at least this F."""
        return 1 - self.share_below(bound)

    def bins(self) -> tuple[int, ...]:
        """Runs in ten equal bins of F from 0 to 1; a perfect run is in the last."""
        # Not numpy's histogram: 0.3 belongs in the bin of 0.3, although 3 * 0.1 is a little more.
        numbers = [min(int(round(score * BINS, 9)), BINS - 1) for score in self.scores]
        return tuple(numbers.count(number) for number in range(BINS))


def run_tasks(matrix: Matrix, classes: Sequence[int], runs: int, seed: int) -> list[RunsTask]:
    """Split the runs of one column into tasks."""
    firsts = range(0, runs, RUNS_IN_A_TASK)
    numbers = np.asarray(classes, dtype=np.int64)
    return [RunsTask(matrix, numbers, first, min(RUNS_IN_A_TASK, runs - first), seed) for first in firsts]


def run_all(tasks: Sequence[RunsTask], jobs: int) -> Iterator[list[float]]:
    """F of each run, one list per task, in the order of the tasks."""

    def lost(task: RunsTask) -> list[float]:
        raise PageError("k-means", "its process died; it may need too much memory", "choose fewer --pages or --jobs")

    yield from run_step(score_runs, tasks, min(jobs, len(tasks)), lost)


def score_runs(task: RunsTask) -> list[float]:
    """F of each run of a task."""
    k = int(task.classes.max()) + 1
    if len(task.classes) < k:
        raise GoldError("k-means", "fewer pages than classes", "choose more --pages")
    with one_thread():
        products = gram(task.matrix)
        seeds = [first_pages(len(task.classes), k, task.seed, task.first_run + run) for run in range(task.runs)]
        parts = [np.stack(seeds[at : at + RUNS_AT_ONCE]) for at in range(0, task.runs, RUNS_AT_ONCE)]
        clusters = [run for part in parts for run in k_means(products, part)]
    return [best_mean_f(task.classes, found, k) for found in clusters]


def one_thread() -> Any:
    """Keep matrix products on one core: processes share the machine, and sums must not depend on --jobs."""
    with needed_for_mining("threadpoolctl"):
        from threadpoolctl import threadpool_limits
    return threadpool_limits(1)


def first_pages(pages: int, k: int, seed: int, run: int) -> NDArray[np.int64]:
    """The k pages that a run starts from: the same for all columns, so that columns are compared run by run."""
    return np.random.default_rng([seed, run]).choice(pages, size=k, replace=False)


def k_means(products: Gram, seeds: NDArray[np.int64]) -> Clusters:
    """The cluster of each page in each run; `seeds` (runs x k) has the pages that runs start from."""
    runs, k = seeds.shape
    weights = np.zeros((runs, k, len(products)), dtype=np.float32)
    np.put_along_axis(weights, seeds[:, :, None], 1.0, axis=2)
    found = np.full((runs, len(products)), -1, dtype=np.int64)
    moving = np.arange(runs)
    for _ in range(MOST_STEPS):
        nearest = _nearest(products, weights)
        moved = (nearest != found[moving]).any(axis=1)
        found[moving] = nearest
        moving, weights, nearest = moving[moved], weights[moved], nearest[moved]
        if not len(moving):
            break
        weights = _centroids(nearest, weights)
    return found


def _nearest(products: Gram, weights: NDArray[np.float32]) -> Clusters:
    """The nearest centroid of each page; the first on a tie."""
    runs, k, pages = weights.shape
    towards = (weights.reshape(runs * k, pages) @ products).reshape(runs, k, pages)
    lengths = np.einsum("rkn,rkn->rk", towards, weights)
    return np.asarray(np.argmin(lengths[:, :, None] - 2 * towards, axis=1), dtype=np.int64)


def _centroids(clusters: Clusters, before: NDArray[np.float32]) -> NDArray[np.float32]:
    """1/size for the pages of each cluster. A cluster without pages keeps its centroid."""
    members = clusters[:, None, :] == np.arange(before.shape[1])[None, :, None]
    sizes = members.sum(axis=2, keepdims=True)
    return np.where(sizes > 0, members / np.maximum(sizes, 1), before).astype(np.float32)


def best_mean_f(classes: NDArray[np.int64], clusters: NDArray[np.int64], k: int) -> float:
    """The mean F over classes under the best assignment of one cluster to each."""
    with needed_for_mining("scipy"):
        from scipy.optimize import linear_sum_assignment
    both = np.zeros((k, k))
    np.add.at(both, (classes, clusters), 1)
    # F = 2pr / (p + r) with p = both / cluster and r = both / class.
    sizes = both.sum(axis=1, keepdims=True) + both.sum(axis=0, keepdims=True)
    f = 2 * both / np.maximum(sizes, 1)
    rows, columns = linear_sum_assignment(f, maximize=True)
    return float(f[rows, columns].mean())
