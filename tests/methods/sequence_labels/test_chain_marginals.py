"""Marginals of a chain, against the sum over all sequences and the plain forward-backward algorithm."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.chain_marginals import marginals


def by_enumeration(emissions: NDArray[np.float64], transitions: NDArray[np.float64]) -> NDArray[np.float64]:
    """The definition: the weight of a label is that of all sequences with it."""
    size, labels = emissions.shape
    total = np.zeros((size, labels))
    for sequence in product(range(labels), repeat=size):
        score = sum(emissions[at, label] for at, label in enumerate(sequence))
        score += sum(transitions[a, b] for a, b in pairwise(sequence))
        for at, label in enumerate(sequence):
            total[at, label] += np.exp(score)
    return np.asarray(total / total.sum(axis=1, keepdims=True))


def one_by_one(emissions: NDArray[np.float64], transitions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Forward and backward in logarithms, a text run at a time."""
    forward, backward = emissions.copy(), np.zeros(emissions.shape)
    for at in range(1, len(emissions)):
        forward[at] += np.logaddexp.reduce(forward[at - 1][:, None] + transitions, axis=0)
    for at in range(len(emissions) - 2, -1, -1):
        backward[at] = np.logaddexp.reduce(transitions + (emissions[at + 1] + backward[at + 1]), axis=1)
    both = forward + backward
    return np.asarray(np.exp(both - np.logaddexp.reduce(both, axis=1)[:, None]))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_marginals_are_sums_over_all_sequences(size: int) -> None:
    random = np.random.default_rng(size)
    emissions, transitions = random.normal(size=(size, 3)), random.normal(size=(3, 3))
    assert np.allclose(marginals(emissions, transitions), by_enumeration(emissions, transitions))


@pytest.mark.parametrize("size", [6, 7, 30, 333])
@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_stretches_make_no_difference(size: int, scale: float) -> None:
    random = np.random.default_rng(size)
    emissions, transitions = scale * random.normal(size=(size, 5)), scale * random.normal(size=(5, 5))
    assert np.allclose(marginals(emissions, transitions), one_by_one(emissions, transitions))


def test_no_text_runs_have_no_marginals() -> None:
    assert marginals(np.zeros((0, 5)), np.zeros((5, 5))).shape == (0, 5)


def test_huge_weights_stay_numbers() -> None:
    """A label that nothing speaks for may vanish; what is left is still a distribution."""
    random = np.random.default_rng(0)
    found = marginals(60_000 * random.normal(size=(200, 5)), 60_000 * random.normal(size=(5, 5)))
    assert np.isfinite(found).all()
    assert np.allclose(found.sum(axis=1), 1)
