"""Marginals of a linear chain: how likely each label is for each piece, given the whole sequence.

Forward and backward passes multiply one small matrix a piece (labels x labels: transition times emission). Piece by
piece that is a slow loop; products of matrices may be grouped, however: the sequence is folded into about as many
stretches as a stretch has pieces, all stretches go forward together, and then each is told what lay before it. The work
stays linear, and there are only some dozens of array operations for a page.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_LEAST: Final = -300.0
"""The product of two such factors is still a number that doubles have."""


def marginals(emissions: Values, transitions: Values) -> Values:
    """float64, pieces x labels: P(label) from log-linear scores of pieces x labels and of label x next label."""
    if not len(emissions):
        return np.zeros(emissions.shape)
    # Constants do not matter: each row by itself is moved so that exp cannot overflow.
    emitted = _exp(emissions - emissions.max(axis=1, keepdims=True))
    moved = _exp(transitions - transitions.max())
    forward = _prefixes(emitted, moved)
    # A chain read from its end has the transposed transitions. Without its own emission, forward * backward is wanted.
    backward = _prefixes(emitted[::-1], moved.T)[::-1]
    both = forward * backward / np.maximum(emitted, np.finfo(np.float64).tiny)
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def _exp(scores: Values) -> Values:
    """Never quite 0: whatever the weights are, some sequence must be possible."""
    return np.asarray(np.exp(np.maximum(scores, _LEAST)))


def _prefixes(emitted: Values, moved: Values) -> Values:
    """pieces x labels, each row up to a factor: the sum over all labels before, as in the forward algorithm."""
    size, labels = emitted.shape
    stretch = max(1, int(np.sqrt(size)))
    stretches = -(-size // stretch)
    padded = np.ones((stretches * stretch, labels))
    padded[:size] = emitted
    steps = padded.reshape(stretches, stretch, labels)
    # Within each stretch: products of the matrices from its second piece on, applied to every possible first label.
    inside = np.empty((stretch, stretches, labels, labels))
    inside[0] = np.eye(labels) * steps[:, 0, None, :]
    for step in range(1, stretch):
        # One product of a tall matrix: many small ones are slower by far.
        product = (inside[step - 1].reshape(-1, labels) @ moved).reshape(stretches, labels, labels)
        product *= steps[:, step, None, :]
        inside[step] = product / product.sum(axis=(1, 2), keepdims=True)
    # Between stretches: what comes in at the first piece of each.
    entering = np.ones((stretches, labels))
    for number in range(1, stretches):
        leaving = entering[number - 1] @ inside[-1, number - 1] @ moved
        entering[number] = leaving / leaving.sum()
    found = np.zeros((stretch, stretches, labels))
    for label in range(labels):
        found += inside[:, :, label] * entering[:, label, None]
    found = found.transpose(1, 0, 2).reshape(-1, labels)[:size]
    return np.asarray(found / found.sum(axis=1, keepdims=True))
