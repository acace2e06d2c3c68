"""Where a distribution of scores is cut in two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.methods.site_trees.style_tree_scoring import deepest_valley

scored = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1000)), max_size=30)


def valley(pairs: list[tuple[float, float]], lowest: float = 0.1, highest: float = 0.4) -> float:
    scores, weights = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return deepest_valley(scores, weights, lowest, highest)


def test_the_cut_is_where_least_lies() -> None:
    assert valley([(0.1, 50), (0.4, 50)]) == pytest.approx(0.25)
    assert valley([(0.1, 50), (0.2, 50), (0.4, 50)]) == pytest.approx(0.3)


def test_weights_count_and_not_scores() -> None:
    assert valley([(0.1, 1)] * 5 + [(0.4, 500)]) < 0.25 < valley([(0.1, 500)] + [(0.4, 1)] * 5)


def test_a_gap_narrower_than_chance_is_none() -> None:
    # Nothing lies at 0.16, but both sides of it do; around 0.3 is next to nothing.
    assert valley([(0.15, 50), (0.17, 50), (0.3, 1)]) > 0.25


def test_of_several_the_first_is_taken() -> None:
    assert valley([]) == pytest.approx(0.1)
    assert valley([(0.9, 10)], 0.1, 0.2) == pytest.approx(0.1)


@pytest.mark.parametrize("score", [-0.5, 1.5])
def test_scores_outside_are_taken_to_be_at_the_end(score: float) -> None:
    assert valley([(score, 10)], 0.0, 1.0) == valley([(min(max(score, 0.0), 1.0), 10)], 0.0, 1.0)


@given(scored, st.integers(0, 100), st.integers(0, 100))
def test_the_cut_is_within_its_bounds(pairs: list[tuple[float, float]], one: int, two: int) -> None:
    lowest, highest = min(one, two) / 100, max(one, two) / 100
    assert lowest - 1e-9 <= valley(pairs, lowest, highest) <= highest + 1e-9


@given(scored)
def test_the_order_of_scores_does_not_matter(pairs: list[tuple[float, float]]) -> None:
    whole = [(score, float(round(weight))) for score, weight in pairs]  # sums of whole numbers are exact
    assert valley(whole) == valley(whole[::-1]) == valley(sorted(whole))
