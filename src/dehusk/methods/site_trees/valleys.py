"""Where to cut a distribution of scores in two."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_STEP: Final = 0.01
"""How finely cuts are tried."""
_WIDTH: Final = 0.03
"""Standard deviation of the bell that each score is spread over: a gap narrower than this is chance."""


def deepest_valley(scores: NDArray[np.float64], weights: NDArray[np.float64], lowest: float, highest: float) -> float:
    """The score between `lowest` and `highest` around which least weight lies; of several the first.

    Scores are sorted into steps first, so the time is linear in their number.
    """
    steps = round(1 / _STEP)
    bins = np.clip(np.rint(scores * steps), 0, steps).astype(np.intp)
    heights = np.bincount(bins, weights=weights, minlength=steps + 1)
    cuts = np.arange(round(lowest * steps), round(highest * steps) + 1)
    distance = (cuts[:, None] - np.arange(steps + 1)[None, :]) * _STEP
    density = np.exp(-0.5 * (distance / _WIDTH) ** 2) @ heights
    return float(cuts[int(np.argmin(density))] * _STEP)
