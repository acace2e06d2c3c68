"""Text that comes a second time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import sized

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.reader_posts import find_repeated
from dehusk.page.page_reading import read_page

POST = [
    "I have had this kettle for two years, and it still takes four minutes for a litre of water.",
    "Does anybody know whether the newer one is any faster?",
    "Thanks!",
]
ANSWER = "Mine takes three minutes, but then our water is softer than most."


def blocks_of(texts: list[str]) -> Blocks:
    return segment(read_page("".join(f"<p>{text}</p>" for text in texts)))


def repeated(texts: list[str], keep: list[int] | None = None) -> list[int]:
    blocks = blocks_of(texts)
    mask = np.ones(len(blocks), dtype=bool) if keep is None else np.isin(np.arange(len(blocks)), keep)
    return np.flatnonzero(find_repeated(blocks, mask)).tolist()


def test_a_post_that_is_quoted_is_repeated() -> None:
    assert repeated([*POST, "Somebody wrote:", *POST, ANSWER]) == [4, 5, 6]


def test_a_part_of_a_post_is_repeated_if_it_is_long_enough() -> None:
    assert repeated([*POST, *POST[:2], ANSWER]) == [3, 4]
    assert repeated([*POST, POST[1], ANSWER]) == []


def test_every_further_time_is_one() -> None:
    assert repeated([*POST, ANSWER, *POST, ANSWER, *POST]) == [4, 5, 6, 7, 8, 9, 10]


def test_what_is_dropped_above_is_not_repeated() -> None:
    assert repeated([*POST, ANSWER, *POST], keep=[3, 4, 5, 6]) == []


def test_equal_rows_of_facts_are_not_repeated_text() -> None:
    facts = [f"{name}: included" for name in "flash zoom screen battery charger strap case cable lens cap".split()]
    assert len("".join(facts)) > 120
    assert repeated(facts * 2) == []


@given(st.lists(st.sampled_from([*POST, ANSWER, "x", "one more line of text that is not short"]), max_size=40))
def test_nothing_is_lost_that_does_not_stand_elsewhere(texts: list[str]) -> None:
    blocks = blocks_of(texts)
    gone = find_repeated(blocks, np.ones(len(blocks), dtype=bool))
    left = {text for text, is_gone in zip(blocks.texts, gone, strict=True) if not is_gone}
    assert left == set(blocks.texts)


@pytest.mark.parametrize("period", [["x"], ["x", "y"], [*POST, ANSWER]])
def test_periodic_text_takes_linear_work(period: list[str]) -> None:
    blocks = blocks_of(period * (sized(30_000) // len(period)))

    def make_work(size: int) -> Callable[[], object]:
        keep = np.arange(len(blocks)) < size
        return lambda: find_repeated(blocks, keep)

    assert_grows_in_step(make_work, len(blocks))
