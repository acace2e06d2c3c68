"""Fit a linear-chain conditional random field to labelled pages.

The weights minimise -log P(labels | attributes), summed over pages, plus penalty times the sum of their squares. An
attribute has a weight for the labels that it occurs with in training, and every pair of labels has a transition: the
objective of crfsuite (Okazaki 2007), which the tests compare it with.

Forward and backward passes take a step on all pages at once. (The passes of `chain_marginals` are for one page: they
multiply matrices where these multiply vectors, which on many pages takes eight times as long.)

The penalty makes the objective strongly convex. It has a single minimum, which the search (L-BFGS) finds from any
start, and where the gradient has length g it is at most g² / (4 penalty) above that minimum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import MissingExtra
from dehusk.methods.sequence_labels.chain_marginals import Values, factors
from dehusk.methods.sequence_labels.feature_templates import Attributes
from dehusk.methods.sequence_labels.text_runs import RunLabel

_LABELS: Final = len(RunLabel)
_SUM: Final = np.ones((_LABELS, 1))
"""Sums of short rows are a product with this: numpy's own take two to five times as long."""
_MOST_COMBINATIONS: Final = 4000
"""Of a group of columns. CleanEval's 177 columns become 21 groups; with more, the tables of combinations get long."""
_CLOSE: Final = 1e-4
"""How far above the minimum the search may stop, as a share of the objective, by the bound above: in fact it is a
tenth of that on CleanEval's pages, where going on changes one label in a thousand."""
_CORRECTIONS: Final = 40
"""Steps that L-BFGS remembers: on CleanEval's pages 85 iterations with 10, 65 with 20, 41 with 40 and with 80."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How far weights are learnt."""

    square_penalty: float = 500.0
    """L2 penalty. Features overlap and pages of a site are alike, so it takes much to keep weights small: with more,
    content and noise are separated a little better on unseen sites, and headers and lists less well."""
    iterations: int = 100


@dataclass(frozen=True, eq=False)
class ChainWeights:
    """What is learnt."""

    attributes: Values
    """float64, attributes x labels."""
    transitions: Values
    """float64, label x next label."""

    @classmethod
    def zeros(cls, attributes: int) -> ChainWeights:
        return cls(np.zeros((attributes, _LABELS)), np.zeros((_LABELS, _LABELS)))

    @classmethod
    def from_vector(cls, vector: Values) -> ChainWeights:
        rows = vector.reshape(-1, _LABELS)
        return cls(rows[:-_LABELS], rows[-_LABELS:])

    def as_vector(self) -> Values:
        return np.concatenate([self.attributes, self.transitions]).ravel()


@dataclass(frozen=True, eq=False)
class Observations:
    """Which text runs have which attributes: a matrix of 0 and 1, as a product of two that are sparser.

    Columns of attributes are taken together in groups. Few of the possible combinations of a group occur, so rows are
    looked up for a handful of groups instead of every column: a fifth of the time.
    """

    combination: Any
    """A `scipy.sparse.csr_array`, runs x combinations; Any because scipy has no types."""
    attributes: Any
    """The same, combinations x attributes."""

    def scores(self, weights: Values) -> Values:
        """runs x labels: the sums of the weights (attributes x labels) of each text run."""
        return np.asarray(self.combination @ (self.attributes @ weights))

    def sums(self, values: Values) -> Values:
        """attributes x labels: the sums of values (runs x labels) over the text runs with each attribute."""
        return np.asarray(self.attributes.T @ (self.combination.T @ values))


@dataclass(frozen=True, eq=False)
class LabelledChains:
    """Labelled pages, all of which are a step further at a time: rows are the first text runs of all pages, the longest
    page first, then the second text runs of those that have one, and so on."""

    observed: Observations
    labels: NDArray[np.intp]
    """One entry per row."""
    pages_at: tuple[int, ...]
    """One entry per step: the number of pages that have so many text runs."""
    mirrored: NDArray[np.intp]
    """One entry per row: the row of the text run that is as far from the other end of the page."""

    @cached_property
    def _before(self) -> NDArray[np.intp]:
        """The row of the preceding text run, for every row but the first of pages."""
        pages = np.array(self.pages_at)
        return np.asarray(np.arange(pages[0], len(self.labels)) - np.repeat(pages[:-1], pages[1:]))

    @cached_property
    def counts(self) -> ChainWeights:
        """How often each attribute has each label, and each label follows another."""
        pairs = np.zeros((_LABELS, _LABELS))
        np.add.at(pairs, (self.labels[self._before], self.labels[self.pages_at[0] :]), 1)
        return ChainWeights(self.observed.sums(np.eye(_LABELS)[self.labels]), pairs)

    def loss(self, weights: ChainWeights) -> tuple[float, ChainWeights]:
        """-log P(labels), and its gradient: expected counts less those of the labels."""
        emitted = factors(self.observed.scores(weights.attributes), axis=1)
        moved = factors(weights.transitions)
        forward, backward = self._passes(emitted, moved)
        likely = _shares(forward * backward / emitted)
        before, after = forward[self._before], backward[self.pages_at[0] :]
        before /= ((before @ moved) * after) @ _SUM
        here, there = self.labels[self._before], self.labels[self.pages_at[0] :]
        rows = np.arange(len(here))
        of_pairs = before[rows, here] * moved[here, there] * after[rows, there]
        of_labels = likely[np.arange(len(likely)), self.labels]
        # P(first label) times P(next label | label) for each pair.
        logarithm = _log(of_labels[: self.pages_at[0]]) + _log(of_pairs) - _log(of_labels[self._before])
        return -logarithm, ChainWeights(
            self.observed.sums(likely) - self.counts.attributes, moved * (before.T @ after) - self.counts.transitions
        )

    def _passes(self, emitted: Values, moved: Values) -> tuple[Values, Values]:
        """Both rows x labels: sums over all labels of earlier and of later text runs, up to a constant factor a row."""
        # Read from its end, a page has the transposed transitions.
        sums, moves = np.stack([emitted, emitted[self.mirrored]]), np.stack([moved, moved.T])
        start = 0
        for pages, going_on in pairwise(self.pages_at):
            following = sums[:, start + pages : start + pages + going_on]
            following *= sums[:, start : start + going_on] @ moves
            following /= following @ _SUM
            start += pages
        return sums[0], sums[1][self.mirrored]


def _shares(values: Values) -> Values:
    """Each row divided by its sum."""
    return np.asarray(values / (values @ _SUM))


def _log(probabilities: Values) -> float:
    """The sum of logarithms, of numbers that are never quite 0: weights that a search tries may be far off."""
    return float(np.log(np.maximum(probabilities, np.finfo(np.float64).tiny)).sum())


def join_pages(pages: Sequence[tuple[Attributes, NDArray[np.uint8]]], attributes: int) -> LabelledChains:
    """Pages, each as the attributes (runs x columns) and the labels of its text runs, as chains."""
    pages = sorted(pages, key=lambda page: -len(page[1]))
    lengths = np.array([len(labels) for _, labels in pages])
    pages_at = (lengths[:, None] > np.arange(lengths[0])).sum(axis=0)
    rank = np.repeat(np.arange(len(pages)), lengths)
    step = np.concatenate([np.arange(length) for length in lengths])
    order = np.lexsort((rank, step))
    first_row = np.cumsum(pages_at) - pages_at
    mirrored = (first_row[lengths[rank] - 1 - step] + rank)[order]
    rows = np.concatenate([page for page, _ in pages])[order]
    labels = np.concatenate([labels for _, labels in pages])[order].astype(np.intp)
    return LabelledChains(_observations(rows, attributes), labels, tuple(pages_at.tolist()), mirrored)


def _observations(rows: Attributes, attributes: int) -> Observations:
    """Group the columns of attributes (runs x columns) from left to right, neighbours being alike."""
    groups = list(_groups(rows))
    firsts = np.cumsum([0, *(len(members) for _, members in groups)])
    of_run = np.stack([number + first for (number, _), first in zip(groups, firsts[:-1], strict=True)], axis=1)
    widths = np.concatenate([np.full(len(members), members.shape[1]) for _, members in groups])
    return Observations(
        _indicators(of_run.ravel(), np.full(len(rows), len(groups)), int(firsts[-1])),
        _indicators(np.concatenate([members.ravel() for _, members in groups]), widths, attributes),
    )


def _groups(rows: Attributes) -> Iterator[tuple[NDArray[np.intp], Attributes]]:
    """For each group of columns: the number of the combination of each row, and the attributes of each combination."""
    begun = 0
    number, first = np.zeros(len(rows), np.intp), np.zeros(1, np.intp)
    for column in range(rows.shape[1]):
        joined = number * np.int64(rows.max() + 1) + rows[:, column]
        _, first_joined, number_joined = np.unique(joined, return_index=True, return_inverse=True)
        if len(first_joined) > _MOST_COMBINATIONS and column > begun:
            yield number, rows[first, begun:column]
            begun = column
            _, first_joined, number_joined = np.unique(rows[:, column], return_index=True, return_inverse=True)
        number, first = number_joined, first_joined
    yield number, rows[first, begun:]


def _indicators(columns: NDArray[Any], widths: NDArray[np.intp], size: int) -> Any:
    """A `scipy.sparse.csr_array` with ones in these columns, so many to a row."""
    ends = np.append(0, np.cumsum(widths)).astype(np.int32)
    ones = np.ones(len(columns))
    return _scipy().sparse.csr_array((ones, columns.astype(np.int32), ends), shape=(len(widths), size))


def fit_chains(
    chains: LabelledChains,
    settings: TrainingSettings,
    start: ChainWeights | None = None,
    enabled: NDArray[np.bool_] | None = None,
    on_iteration: Callable[[int, float], None] = lambda number, loss: None,
) -> ChainWeights:
    """The weights with the least objective; those of attributes that are not `enabled` are 0.

    `start` saves time, the weights of a similar model for instance, and changes nothing else. `on_iteration` is called
    with the number and the objective of each iteration.
    """
    start = start or ChainWeights.zeros(len(chains.counts.attributes))
    learnt = chains.counts.attributes > 0
    if enabled is not None:
        learnt &= enabled[:, None]
    free = ChainWeights(learnt.astype(np.float64), np.ones_like(start.transitions)).as_vector()
    search = _Search(chains, settings.square_penalty, free, on_iteration)
    found = _scipy().optimize.minimize(
        search.objective,
        start.as_vector() * free,
        jac=True,
        method="L-BFGS-B",
        callback=search.after_iteration,
        options={"maxiter": settings.iterations, "maxcor": _CORRECTIONS, "ftol": 0.0, "gtol": 0.0},
    )
    return ChainWeights.from_vector(found.x)


def objective(chains: LabelledChains, weights: ChainWeights, penalty: float) -> float:
    """What training minimises."""
    vector = weights.as_vector()
    return chains.loss(weights)[0] + penalty * float(vector @ vector)


class _Search:
    """The objective, and when its minimum is near enough."""

    def __init__(
        self, chains: LabelledChains, penalty: float, free: Values, on_iteration: Callable[[int, float], None]
    ) -> None:
        self._chains, self._penalty, self._free, self._on_iteration = chains, penalty, free, on_iteration
        self._iterations = 0
        self._gap = np.inf

    def objective(self, vector: Values) -> tuple[float, Values]:
        loss, gradient = self._chains.loss(ChainWeights.from_vector(vector))
        slope = (gradient.as_vector() + 2 * self._penalty * vector) * self._free
        self._gap = float(slope @ slope) / (4 * self._penalty) if self._penalty else np.inf
        return loss + self._penalty * float(vector @ vector), slope

    def after_iteration(self, intermediate_result: Any) -> None:
        """Called by scipy after each step, whose end is where the objective was computed last."""
        self._iterations += 1
        self._on_iteration(self._iterations, float(intermediate_result.fun))
        if self._gap <= _CLOSE * intermediate_result.fun:
            raise StopIteration


def _scipy() -> Any:
    try:
        import scipy.optimize
        import scipy.sparse
    except ImportError as error:
        raise MissingExtra("scipy", "needed to train sequence labels", "pip install 'dehusk[crf]'") from error
    return scipy
