"""Fitting a chain: its loss against the sum over all sequences, its minimum against crfsuite's."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk.lab.training import chain_training
from dehusk.lab.training.chain_training import ChainWeights, TrainingSettings, fit_chains, join_pages, objective
from dehusk.methods.sequence_labels.feature_templates import Attributes
from dehusk.methods.sequence_labels.text_runs import RunLabel

pytest.importorskip("scipy")

LABELS = len(RunLabel)
VALUES = 3
COLUMNS = 4
ATTRIBUTES = VALUES * COLUMNS
Pages = list[tuple[Attributes, NDArray[np.uint8]]]


def random_pages(lengths: tuple[int, ...], seed: int) -> Pages:
    """Pages whose labels follow the attributes, more or less; each column has attributes of its own."""
    random = np.random.default_rng(seed)
    pages: Pages = []
    for length in lengths:
        values = random.integers(0, VALUES, size=(length, COLUMNS))
        labels = (values.sum(axis=1) + random.integers(0, 2, size=length)) % LABELS
        pages.append(((values + VALUES * np.arange(COLUMNS)).astype(np.int32), labels.astype(np.uint8)))
    return pages


def random_weights(seed: int, scale: float = 1.0) -> ChainWeights:
    random = np.random.default_rng(seed)
    return ChainWeights(scale * random.normal(size=(ATTRIBUTES, LABELS)), scale * random.normal(size=(LABELS, LABELS)))


def score(page: Attributes, labels: tuple[int, ...], weights: ChainWeights) -> float:
    """The log-linear score of a sequence of labels."""
    of_runs = sum(weights.attributes[row, label].sum() for row, label in zip(page, labels, strict=True))
    return float(of_runs + sum(weights.transitions[pair] for pair in pairwise(labels)))


def loss_by_enumeration(pages: Pages, weights: ChainWeights) -> float:
    """The definition: P(labels) is their share of all sequences."""
    loss = 0.0
    for page, labels in pages:
        every = [score(page, sequence, weights) for sequence in product(range(LABELS), repeat=len(page))]
        loss += float(np.logaddexp.reduce(every)) - score(page, tuple(labels.tolist()), weights)
    return loss


@pytest.mark.parametrize("lengths", [(1,), (1, 1), (4,), (2, 4, 1, 3, 4)])
@pytest.mark.parametrize("most_combinations", [1, 10, 4000])
def test_the_loss_is_that_of_the_definition(
    lengths: tuple[int, ...], most_combinations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain_training, "_MOST_COMBINATIONS", most_combinations)
    pages, weights = random_pages(lengths, seed=1), random_weights(2)
    assert join_pages(pages, ATTRIBUTES).loss(weights)[0] == pytest.approx(loss_by_enumeration(pages, weights))


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    chains, weights = join_pages(random_pages((5, 9, 1, 7), seed=3), ATTRIBUTES), random_weights(4)
    vector, gradient = weights.as_vector(), chains.loss(weights)[1].as_vector()
    for at, slope in enumerate(gradient):
        step = np.zeros(len(vector))
        step[at] = 1e-5
        higher, lower = (chains.loss(ChainWeights.from_vector(vector + sign * step))[0] for sign in (1, -1))
        assert (higher - lower) / 2e-5 == pytest.approx(slope, abs=1e-6)


def test_weights_that_are_far_off_have_a_loss() -> None:
    chains = join_pages(random_pages((30, 20), seed=5), ATTRIBUTES)
    loss, gradient = chains.loss(random_weights(6, scale=1e4))
    assert np.isfinite(loss)
    assert np.isfinite(gradient.as_vector()).all()


@pytest.mark.parametrize("penalty", [0.1, 1.0, 50.0])
def test_weights_are_those_of_crfsuite(penalty: float, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pycrfsuite")
    from crfsuite_training import fit_by_crfsuite

    pages, settings = random_pages((40, 3, 25, 1, 60, 12), seed=7), TrainingSettings(penalty, iterations=1000)
    chains = join_pages(pages, ATTRIBUTES)
    reference = fit_by_crfsuite(pages, ATTRIBUTES, settings, epsilon=1e-9, delta=1e-12)
    least, found = (objective(chains, one, penalty) for one in (reference, fit_chains(chains, settings)))
    assert least * (1 - 1e-9) <= found <= least * (1 + chain_training._CLOSE)
    monkeypatch.setattr(chain_training, "_CLOSE", 1e-12)
    assert np.allclose(fit_chains(chains, settings).as_vector(), reference.as_vector(), atol=1e-4)


def test_attributes_that_are_switched_off_are_as_good_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the weights of all attributes the search ends where one without the others does."""
    monkeypatch.setattr(chain_training, "_CLOSE", 1e-12)
    pages, settings = random_pages((40, 30, 2), seed=8), TrainingSettings(1.0, iterations=500)
    chains, enabled = join_pages(pages, ATTRIBUTES), np.arange(ATTRIBUTES) < ATTRIBUTES - VALUES
    found = fit_chains(chains, settings, start=fit_chains(chains, settings), enabled=enabled)
    without = fit_chains(join_pages([(page[:, :-1], labels) for page, labels in pages], ATTRIBUTES), settings)
    assert not found.attributes[~enabled].any()
    assert np.allclose(found.as_vector(), without.as_vector(), atol=1e-5)


def test_iterations_are_reported_and_bounded() -> None:
    chains = join_pages(random_pages((40, 30), seed=9), ATTRIBUTES)
    seen: list[tuple[int, float]] = []
    fit_chains(chains, TrainingSettings(0.1, iterations=4), on_iteration=lambda *one: seen.append(one))
    assert [number for number, _ in seen] == [1, 2, 3, 4]
    assert [loss for _, loss in seen] == sorted((loss for _, loss in seen), reverse=True)
