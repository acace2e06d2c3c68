"""From which log-odds on the blocks of a page are kept: where the expected word F1 of the page is highest.

On a page that the network understands, that is where content is as likely as not. Where it doubts everything, as on
lists of links, keeping what is likely at all is better than keeping nothing: the best cut lies at half of the highest
F1 that can be expected (Lipton, Elkan, Naryanaswamy: Optimal Thresholding of Classifiers to Maximize F1 Measure,
ECML PKDD 2014).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

LOWEST_CUT: Final = -3.0
"""Log-odds below which nothing is kept, whatever the rest of the page is: five in a hundred."""
_SURENESS: Final = 0.8
_OPTIMISM: Final = 0.4
"""Trained on F1 as well, the network is surer than it is right, and sees a little more content than there is: its
log-odds are multiplied by the one and lowered by the other. Chosen on sites that were not trained on."""


def best_cut(logits: NDArray[np.float32], lengths: NDArray[np.generic]) -> float:
    """The cut for m blocks: log-odds of being content, and lengths in words or characters.

    >>> round(best_cut(np.array([9, 9, -9], dtype=np.float32), np.array([50, 50, 3])), 1)
    0.5
    >>> round(best_cut(np.array([-1, -1, -1], dtype=np.float32), np.array([5, 5, 5])), 1)
    -1.3
    """
    likely = 1 / (1 + np.exp(-np.clip(_calibrated(logits.astype(np.float64)), -50, 50)))
    order = np.argsort(-likely, kind="stable")
    length = lengths.astype(np.float64)[order]
    kept, right = np.cumsum(length), np.cumsum(likely[order] * length)
    highest = float((2 * right / np.maximum(kept + right[-1:], 1e-9)).max(initial=0.0))
    cut = float(np.log(max(highest, 1e-9) / (2 - highest)))
    return max((cut + _OPTIMISM) / _SURENESS, LOWEST_CUT)


def _calibrated(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(_SURENESS * logits - _OPTIMISM)
