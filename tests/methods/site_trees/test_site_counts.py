"""Counts add up: in any order, in any parts, whatever is dropped."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks.segmentation import segment
from dehusk.methods.site_models import add_counts, add_up
from dehusk.methods.site_trees.site_counts import NOTHING_COUNTED, SiteCounts, count_page
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.methods.tallies import Tally, add_tallies, tally
from dehusk.page.page_reading import read_page
from dehusk.page.stable_hashing import combine, key_of, keys_of


def count(html: str, matching: Matching = Matching.ALIGNED) -> SiteCounts:
    page = read_page(html)
    return count_page(find_positions(page, matching), segment(page))


WORDS = "tea pot leaf water steam cup the of and".split()


@cache
def counts_of_pages() -> tuple[SiteCounts, ...]:
    """Twelve pages of one template, with words that come again."""
    chooser = random.Random(7)
    counted = []
    for number in range(12):
        words = " ".join(chooser.choices(WORDS, k=20))
        html = (
            f"<nav><ul><li><a href=/>Home</a></ul></nav><div class=p{number}><p>{words}</p><img src={number}.png></div>"
        )
        counted.append(count(html))
    return tuple(counted)


@given(st.permutations(range(12)), st.integers(0, 12))
def test_parts_add_up_to_the_whole_in_any_order(order: list[int], cut: int) -> None:
    pages = counts_of_pages()
    parts = [[pages[number] for number in order[:cut]], [pages[number] for number in order[cut:]]]
    halves = [add_counts([NOTHING_COUNTED, *part]) for part in parts]
    assert add_counts(halves) == add_counts(pages)
    assert add_up(iter([pages[number] for number in order]), NOTHING_COUNTED, most_at_once=3) == add_counts(pages)


keys = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), max_size=60)


@given(keys, keys, st.integers(1, 20))
def test_bounded_tallies_add_up_exactly(one: list[tuple[int, int]], two: list[tuple[int, int]], most: int) -> None:
    def count(pairs: list[tuple[int, int]]) -> Tally:
        columns = np.array(pairs, dtype=np.uint64).reshape(-1, 2).T
        return tally(list(columns), [np.ones(len(pairs), dtype=np.int64)])

    bounded = add_tallies([add_tallies([count(one)], most), add_tallies([count(two)], most)], most)
    assert bounded == add_tallies([count(one + two)], most)
    assert len(bounded) <= most


def test_tallies_sum_equal_keys() -> None:
    first, second = np.array([2, 1, 2], dtype=np.uint64), np.array([5, 5, 5], dtype=np.uint64)
    summed = tally([first, second], [np.array([1, 10, 100]), np.array([0, 1, 1])])
    assert summed.keys.tolist() == [[1, 5], [2, 5]]
    assert summed.counts.tolist() == [[10, 1], [101, 1]]


def test_keys_are_the_same_everywhere() -> None:
    # These numbers are stored in models: if they change, every stored model is void.
    assert key_of("body") == 4632776558058876652
    long = "word" * 100
    assert keys_of(["body", long, "body"]).tolist() == [key_of("body"), key_of(long), key_of("body")]
    assert keys_of([]).tolist() == []
    combined = combine(np.array([1], dtype=np.uint64), np.array([2], dtype=np.uint64))
    assert combined.tolist() == [15917075774989399165]
    assert combined.tolist() != combine(np.array([2], dtype=np.uint64), np.array([1], dtype=np.uint64)).tolist()


@pytest.mark.parametrize("matching", list(Matching))
@pytest.mark.parametrize("html", ["", "<p>", "<frameset>", "<body>text", "<div>" * 600 + "x", "<script>x</script>"])
def test_odd_pages_have_positions_too(html: str, matching: Matching) -> None:
    assert count(html, matching).pages == 1


def test_every_place_of_a_page_is_another() -> None:
    placed = find_positions(
        read_page("<ul>" + "<li><p>a</p><p>b</p></li>" * 20 + "</ul>" + "<div><i><b>x</b></i></div>" * 5),
        Matching.ALIGNED,
    )
    nodes = placed.key[placed.node]
    assert len(set(nodes.tolist())) == len(nodes)
