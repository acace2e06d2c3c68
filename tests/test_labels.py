"""Scores -> keep or drop, for any method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk import Blocks
from dehusk.labels import LabelledBlocks, label_blocks
from dehusk.methods.base import Reasons, Scores


class FixedModel:
    """Says what it was told to say."""

    method = "fixed"

    def __init__(self, scores: list[float], threshold: float) -> None:
        self.threshold = threshold
        self._scores = np.array(scores, dtype=np.float32)

    def score_blocks(self, blocks: Blocks) -> Scores:
        return self._scores.copy()

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        return (("told so",),) * len(blocks)


def label(scores: list[float], threshold: float) -> LabelledBlocks:
    page = dehusk.read_page("<p>x</p>" * len(scores))
    return label_blocks(dehusk.segment(page), FixedModel(scores, threshold))


def test_what_scores_the_threshold_is_kept() -> None:
    assert label([0.0, 0.49, 0.5, 0.51, 1.0], 0.5).kept == (2, 3, 4)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7])
def test_the_threshold_is_met_by_a_score_that_was_rounded_like_it(threshold: float) -> None:
    # 0.7 is not the same number in 32 and 64 bits.
    assert label([threshold], threshold).kept == (0,)


def test_what_the_model_has_no_opinion_on_is_kept() -> None:
    assert label([float("nan"), 0.0], 1.0).kept == (0,)


def test_labels_cannot_be_written_to() -> None:
    labelled = label([0.0, 1.0], 0.5)
    assert not labelled.scores.flags.writeable
    assert not labelled.keep.flags.writeable


def test_reasons_are_those_of_the_model() -> None:
    assert label([0.0, 1.0], 0.5).reasons == (("told so",), ("told so",))


@given(
    scores=st.lists(st.just(float("nan")) | st.floats(0, 1, width=32), max_size=20),
    low=st.floats(0, 1, width=32),
    high=st.floats(0, 1, width=32),
)
def test_a_higher_threshold_never_keeps_more(scores: list[float], low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert set(label(scores, high).kept) <= set(label(scores, low).kept)
