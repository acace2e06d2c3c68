"""Where the blocks of a page are cut."""

from __future__ import annotations

import numpy as np
import pytest

from dehusk.methods.page_network.calibration import Calibration, best_cut

LOWEST_CUT = 0.06
"""As in `native/src/deciding/thresholds.rs`."""


def expected_f1(likely: np.ndarray, lengths: np.ndarray, keep: np.ndarray) -> float:
    return float(2 * (likely * lengths)[keep].sum() / (lengths[keep].sum() + (likely * lengths).sum()))


@pytest.mark.parametrize("seed", range(20))
def test_no_other_cut_is_better(seed: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(-1, 2, 30).astype(np.float32)
    lengths = random.integers(1, 200, 30)
    likely = Calibration().probabilities(logits)
    chosen = expected_f1(likely, lengths, likely >= best_cut(likely, lengths))
    assert chosen >= max(expected_f1(likely, lengths, likely >= cut) for cut in likely) - 1e-6


def test_about_a_half_at_most_and_never_far_below() -> None:
    for probability in (0.0, 0.1, 0.5, 0.9, 1.0):
        cut = best_cut(np.full(4, probability, dtype=np.float32), np.full(4, 7))
        assert LOWEST_CUT <= cut <= 0.5


def test_nothing_to_cut() -> None:
    assert best_cut(np.zeros(0, dtype=np.float32), np.zeros(0)) == LOWEST_CUT
    assert best_cut(np.zeros(2, dtype=np.float32), np.zeros(2)) == LOWEST_CUT
