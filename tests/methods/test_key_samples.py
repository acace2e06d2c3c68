"""Samples: one text a key, the same in whatever order they come."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.methods.key_samples import NO_SAMPLES, SAMPLE_LENGTH, Samples, add_samples, samples
from dehusk.methods.site_trees.style_tree import StyleTree

# Few keys, ranks and texts, so that they meet.
entries = st.tuples(st.integers(0, 5), st.integers(0, 2), st.sampled_from(["a", "A", "a!", "", "é", "𝒳"]))


def made(pairs: list[tuple[int, int, str]]) -> Samples:
    keys, ranks, texts = zip(*pairs, strict=True) if pairs else ((), (), ())
    return samples(np.array(keys, dtype=np.uint64), np.array(ranks, dtype=np.uint64), texts)


def one(text: str) -> str:
    return str(made([(1, 1, text)]).text[0])


@given(st.lists(st.lists(entries, max_size=6).map(made), min_size=1, max_size=4), st.integers(0, 5), st.randoms())
def test_the_order_of_parts_does_not_matter(parts: list[Samples], most: int, chooser: random.Random) -> None:
    whole = add_samples(parts, most)
    shuffled = chooser.sample(parts, len(parts))
    assert add_samples(shuffled, most) == whole
    cut = chooser.randrange(len(parts))
    halves = [add_samples([NO_SAMPLES, *half], most) for half in (shuffled[:cut], shuffled[cut:])]
    assert add_samples(halves, most) == whole


@given(st.lists(entries, max_size=20).map(made), st.integers(0, 5))
def test_the_smallest_keys_stay(part: Samples, most: int) -> None:
    assert add_samples([part], most).key.tolist() == sorted(set(part.key.tolist()))[:most]


def test_the_text_of_the_smallest_rank_stays() -> None:
    added = add_samples([made([(1, 7, "later"), (2, 1, "two")]), made([(1, 3, "first")])], 10)
    assert added.key.tolist() == [1, 2]
    assert added.rank.tolist() == [3, 1]
    assert added.text.tolist() == ["first", "two"]


def test_of_equal_ranks_the_text_decides() -> None:
    one, other = made([(1, 3, "Tea!")]), made([(1, 3, "tea")])
    assert add_samples([one, other], 10) == add_samples([other, one], 10)


@pytest.mark.parametrize("bodies", [("<p>Tea!</p>", "<p>tea</p>"), ("<p>***</p>", "<p>---</p>")])
def test_pages_of_the_same_words_add_up_in_any_order(bodies: tuple[str, str]) -> None:
    first, second = (StyleTree().fit([dehusk.read_page(f"<body>{body}")]) for body in bodies)
    assert (first + second).counts == (second + first).counts


def test_of_equal_keys_in_one_page_the_first_counts() -> None:
    assert made([(4, 1, "first"), (4, 0, "second")]).text.tolist() == ["first"]


def test_texts_are_cut() -> None:
    assert one("x" * (SAMPLE_LENGTH + 1)) == "x" * SAMPLE_LENGTH


def test_zeros_within_a_text_stay_and_those_at_its_end_go() -> None:
    assert one("a\0b\0\0") == "a\0b"


def test_lone_surrogates_become_something_that_can_be_written() -> None:
    assert one("a\ud800b") == "a\ufffdb"
    assert one("x" * (SAMPLE_LENGTH - 1) + "\ud83d\ude00").encode() == b"x" * (SAMPLE_LENGTH - 1) + "\ufffd".encode()
