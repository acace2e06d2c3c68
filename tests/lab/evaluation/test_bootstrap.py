"""Intervals of means."""

from __future__ import annotations

import numpy as np
import pytest

from dehusk.lab.evaluation.bootstrap import Estimate, clusters_of, draw_means, estimate


def test_pages_of_a_site_are_drawn_together() -> None:
    sites = ["a", "b", "a", "", "", "c", "d"]
    assert clusters_of(sites).tolist() == [0, 1, 0, 2, 3, 4, 5]


def test_with_few_sites_pages_are_drawn() -> None:
    assert clusters_of(["a"] * 6).tolist() == [0, 1, 2, 3, 4, 5]
    assert clusters_of(["a", "b", "c", "d"] * 2).tolist() == list(range(8))


def test_sites_weigh_as_many_pages_as_they_have() -> None:
    # One site of two pages (0, 1) and one of one page (1): draws are both, the first twice, or the second twice.
    drawn = draw_means(np.array([[0.0], [1.0], [1.0]]), np.array([0, 0, 1]), [0], draws=200)
    assert {round(mean, 6) for mean in drawn[:, 0].tolist()} == {0.5, round(2 / 3, 6), 1.0}


def test_draws_are_repeatable_and_shared_by_all_columns() -> None:
    values = np.random.default_rng(0).random((40, 1))
    both = np.hstack([values, values + 0.1])
    clusters = np.arange(40)
    drawn = draw_means(both, clusters, [3])
    assert np.array_equal(drawn, draw_means(both, clusters, [3]))
    assert not np.array_equal(drawn, draw_means(both, clusters, [4]))
    assert np.allclose(drawn[:, 1] - drawn[:, 0], 0.1), "the same pages are drawn for both"


def test_the_interval_is_about_that_of_the_normal_distribution() -> None:
    values = np.tile([0.0, 1.0], 200)[:, np.newaxis]
    found = estimate(0.5, draw_means(values, np.arange(400), [0])[:, 0], 400)
    half = 1.96 * 0.5 / np.sqrt(400)
    assert found.low == pytest.approx(0.5 - half, abs=0.006)
    assert found.high == pytest.approx(0.5 + half, abs=0.006)


def test_alike_pages_of_few_sites_make_no_certainty() -> None:
    values = np.repeat(np.linspace(0, 1, 8), 50)[:, np.newaxis]
    by_site = estimate(0.5, draw_means(values, np.repeat(np.arange(8), 50), [0])[:, 0], 8)
    by_page = estimate(0.5, draw_means(values, np.arange(400), [0])[:, 0], 400)
    assert by_site.low is not None
    assert by_page.low is not None
    assert by_site.low < by_page.low - 0.1


def test_of_few_pages_nothing_is_said() -> None:
    assert estimate(0.5, np.array([0.5, 0.5]), 4) == Estimate(0.5, None, None)


@pytest.mark.parametrize(
    ("low", "high", "excludes"), [(0.1, 0.2, True), (-0.2, -0.1, True), (-0.1, 0.1, False), (None, None, False)]
)
def test_a_sign_beyond_chance(low: float | None, high: float | None, excludes: bool) -> None:
    assert Estimate(0.0, low, high).excludes_zero is excludes
