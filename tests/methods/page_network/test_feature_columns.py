"""Features computed together are what each is by itself, in the order they were given."""

from __future__ import annotations

import numpy as np
import pytest

from dehusk.methods.page_network.feature_columns import Feature, Log, Plain, Share, compute_columns

COUNTS = np.array([0, 1, 7])
TWO_OF_EACH = np.array([[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize(
    ("feature", "rows"),
    [
        (Plain(COUNTS), [[0, 1, 7]]),
        (Plain(COUNTS > 0), [[0, 1, 1]]),
        (Plain(TWO_OF_EACH), [[1, 2, 3], [4, 5, 6]]),
        (Log(COUNTS), [[0, 0.25 * np.log(2), 0.25 * np.log(8)]]),
        (Log(-COUNTS), [[0, -0.25 * np.log(2), -0.25 * np.log(8)]]),
        (Share(COUNTS, 14.0), [[0, 1 / 14, 0.5]]),
        (Share(COUNTS, 0.0), [[0, 1, 7]]),
        (Share(COUNTS, np.array([0, 4, 7])), [[0, 0.25, 1]]),
        (Share(TWO_OF_EACH, 2.0), [[0.5, 1, 1.5], [2, 2.5, 3]]),
    ],
)
def test_one_feature(feature: Feature, rows: list[list[float]]) -> None:
    computed = compute_columns([feature], 3)
    assert computed.dtype == np.float32
    assert computed == pytest.approx(np.array(rows))


def test_many_keep_their_order() -> None:
    features = [
        Share(COUNTS, 7.0),
        Plain(TWO_OF_EACH),
        Log(COUNTS),
        Plain(COUNTS),
        Share(TWO_OF_EACH, 6.0),
        Log(-COUNTS),
    ]
    one_by_one = np.concatenate([compute_columns([feature], 3) for feature in features])
    assert np.array_equal(compute_columns(features, 3), one_by_one)


def test_a_page_without_blocks() -> None:
    nothing = np.zeros(0)
    assert compute_columns([Log(nothing), Share(nothing, 1.0), Plain(np.zeros((2, 0)))], 0).shape == (4, 0)
