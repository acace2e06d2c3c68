"""Marginals of a linear-chain CRF: the probability of each label for each text run, given the whole sequence.

The forward and backward passes multiply one small matrix per text run (labels x labels: transition times emission).
One run at a time is a slow loop, but matrix products can be regrouped: the sequence is split into about sqrt(n)
segments of about sqrt(n) runs, all segments advance together, and the results are then chained from segment to segment.
The work stays linear and takes only a few dozen array operations per page.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_LEAST: Final = -300.0
"""Smallest log factor: the product of two such factors is still representable as a double."""


def marginals(emissions: Values, transitions: Values) -> Values:
    """float64, runs x labels: P(label) from log-linear scores of runs x labels and of label x next label."""
    if not len(emissions):
        return np.zeros(emissions.shape)
    emitted, moved = factors(emissions, axis=1), factors(transitions)
    forward = _prefixes(emitted, moved)
    # Read from its end, a chain has the transposed transitions. Both passes include the emission; divide by it once.
    backward = _prefixes(emitted[::-1], moved.T)[::-1]
    both = forward * backward / np.maximum(emitted, np.finfo(np.float64).tiny)
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def factors(scores: Values, axis: int | None = None) -> Values:
    """exp up to a constant factor along an axis, but never quite 0.

    Constant factors cancel, so scores are shifted to keep exp from overflowing; and some sequence must stay possible
    whatever the weights are.
    """
    return np.asarray(np.exp(np.maximum(scores - scores.max(axis=axis, keepdims=True), _LEAST)))


def _prefixes(emitted: Values, moved: Values) -> Values:
    """runs x labels: the forward algorithm's sums over all earlier labels, each row up to a constant factor."""
    size, labels = emitted.shape
    length = max(1, int(np.sqrt(size)))
    segments = -(-size // length)
    padded = np.ones((segments * length, labels))
    padded[:size] = emitted
    steps = padded.reshape(segments, length, labels)
    # Within each segment: products of the matrices from its second text run on, applied to every possible first label.
    inside = np.empty((length, segments, labels, labels))
    inside[0] = np.eye(labels) * steps[:, 0, None, :]
    for step in range(1, length):
        # One product of a tall matrix is much faster than many small ones.
        product = (inside[step - 1].reshape(-1, labels) @ moved).reshape(segments, labels, labels)
        product *= steps[:, step, None, :]
        inside[step] = product / product.sum(axis=(1, 2), keepdims=True)
    # Between segments: what enters at the first text run of each.
    entering = np.ones((segments, labels))
    for number in range(1, segments):
        leaving = entering[number - 1] @ inside[-1, number - 1] @ moved
        entering[number] = leaving / leaving.sum()
    found = np.zeros((length, segments, labels))
    for label in range(labels):
        found += inside[:, :, label] * entering[:, label, None]
    found = found.transpose(1, 0, 2).reshape(-1, labels)[:size]
    return np.asarray(found / found.sum(axis=1, keepdims=True))
