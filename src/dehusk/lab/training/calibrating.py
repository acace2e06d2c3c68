"""Calibrate log-odds on held-out pages, measure the calibration error, and fit the expected F1 of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.training.prepared_pages import PreparedPage
from dehusk.methods.page_network.calibration import Calibration, best_cut, expected_f1

_BINS: Final = 10
_STEPS: Final = 30

Logits = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class JudgedPage:
    """A page with log-odds from a network that was not trained on its site."""

    prepared: PreparedPage
    logits: Logits
    article: float = 0.0
    """The probability that it is an article."""

    @property
    def words(self) -> NDArray[np.float64]:
        return self.prepared.lengths


@dataclass(frozen=True, slots=True)
class Bin:
    """Text with about the same predicted probability."""

    expected: float
    true: float
    share: float
    """The share of all text."""


def calibrate(pages: Sequence[JudgedPage]) -> Calibration:
    """Fit scale and offset of log-odds by Newton's method on cross-entropy; all pages have equal weight."""
    logits = np.concatenate([page.logits for page in pages]).astype(np.float64)
    target = np.concatenate([page.prepared.target for page in pages]).astype(np.float64)
    weight = np.concatenate([page.words / max(page.words.sum(), 1.0) for page in pages])
    columns = np.stack([logits, np.ones(len(logits))])
    found = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(found @ columns, -50, 50)))
        slope = columns @ (weight * (likely - target))
        curve = (columns * (weight * likely * (1 - likely))) @ columns.T + 1e-6 * np.eye(2)
        found = found - np.clip(np.linalg.solve(curve, slope), -1, 1)
    return Calibration(round(float(found[0]), 4), round(float(-found[1]), 4))


def reliability(pages: Sequence[JudgedPage], calibration: Calibration) -> list[Bin]:
    """The share of text that is content, by predicted probability in tenths; all pages have equal weight."""
    if not pages:
        return []
    likely = np.concatenate([calibration.probabilities(page.logits) for page in pages])
    target = np.concatenate([page.prepared.target for page in pages])
    weight = np.concatenate([page.words / max(page.words.sum(), 1.0) for page in pages])
    return _bins(likely.astype(np.float64), target.astype(np.float64), weight)


def expected_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: the mean difference of predicted and true probabilities."""
    return sum(one.share * abs(one.expected - one.true) for one in bins)


def expected_and_reached(page: JudgedPage, calibration: Calibration) -> tuple[float, float]:
    """(expected F1 of a page at its best threshold, its true F1)."""
    likely = calibration.probabilities(page.logits)
    keep = likely >= best_cut(likely, page.words, page.article)
    return expected_f1(likely, page.words, keep), page.prepared.word_f1(keep)


def confidence_curve(pairs: Sequence[tuple[float, float]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(expected, reached): a monotonic curve from the expected F1 of pages to the mean F1 reached."""
    expected, reached = np.array(pairs).T if pairs else np.zeros((2, 0))
    order = np.argsort(expected, kind="stable")
    parts = [part for part in np.array_split(order, _BINS) if len(part)]
    knots = [0.0, *(float(expected[part].mean()) for part in parts)]
    means = np.maximum.accumulate([0.0, *(float(reached[part].mean()) for part in parts)])
    return tuple(round(knot, 4) for knot in knots), tuple(round(float(mean), 4) for mean in means)


def _bins(likely: NDArray[np.float64], target: NDArray[np.float64], weight: NDArray[np.float64]) -> list[Bin]:
    number = np.minimum((likely * _BINS).astype(int), _BINS - 1)
    total = np.bincount(number, weights=weight, minlength=_BINS)
    expected = np.bincount(number, weights=weight * likely, minlength=_BINS)
    true = np.bincount(number, weights=weight * target, minlength=_BINS)
    whole = max(float(total.sum()), 1e-9)
    return [
        Bin(float(expected[one] / total[one]), float(true[one] / total[one]), float(total[one] / whole))
        for one in range(_BINS)
        if total[one] > 0
    ]
