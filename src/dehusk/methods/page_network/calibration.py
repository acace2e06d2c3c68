"""Log-odds -> calibrated probabilities, and the threshold of each page.

The network is trained on F1 as well as on probabilities, so it is overconfident: its log-odds are scaled and shifted
to fit sites it has not seen.

The compiled part does the arithmetic, for pages and for training alike: `native/src/deciding/probabilities.rs`, and
`thresholds.rs` for the threshold of each page and its constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dehusk.native.calculations import Question, ask
from dehusk.native.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Probabilities: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Turns log-odds into probabilities. The defaults are about right for networks on sites they have not seen."""

    scale: float = 0.62
    """Factor on the log-odds."""
    offset: float = 0.0
    """Subtracted from the scaled log-odds."""

    def probabilities(self, logits: NDArray[np.float32]) -> Probabilities:
        """float32, one entry per block, from 0 to 1."""
        numbers = np.array([self.scale, self.offset], dtype=np.float64)
        return ask(Question.PROBABILITIES, (_single(logits), numbers)).column(0)


def expected_f1(probabilities: Probabilities, lengths: NDArray[np.generic], keep: NDArray[np.bool_]) -> float:
    """The expected F1 of keeping some blocks, weighted by length; 0 if nothing is kept."""
    arrays = (_single(probabilities), lengths.astype(np.float64), keep.view(np.uint8))
    return float(ask(Question.EXPECTED_F1, arrays).column(0)[0])


def best_cut(probabilities: Probabilities, lengths: NDArray[np.generic], article: float = 0.0) -> float:
    """The threshold of a page: half of the highest expected F1, weighted by length; higher on articles.

    >>> round(best_cut(np.array([0.999, 0.999, 0.001], dtype=np.float32), np.array([50, 50, 3])), 2)
    0.5
    >>> round(best_cut(np.array([0.999, 0.999, 0.001], dtype=np.float32), np.array([50, 50, 3]), article=1.0), 2)
    0.65
    >>> round(best_cut(np.array([0.25, 0.25, 0.25], dtype=np.float32), np.array([5, 5, 5])), 2)
    0.2
    """
    arrays = (_single(probabilities), lengths.astype(np.float64), np.array([article], dtype=np.float64))
    return float(ask(Question.BEST_CUT, arrays).column(0)[0])


def _single(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    return numbers.astype(np.float32, copy=False)
