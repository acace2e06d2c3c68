"""What the network sees: always finite, of one shape, the same every time, and right where we can count by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given
from tag_soup import tag_soup
from thoroughness import sized
from written_pages import ARTICLE, SENTENCE, WRITTEN, blocks_of

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.page_network.network_inputs import (
    LEVELS,
    PARTS,
    TABLE_SIZE,
    PageInputs,
    feature_names,
    page_inputs,
    token_of,
)

NAMES = feature_names()


def check(blocks: Blocks, inputs: PageInputs) -> None:
    size = len(blocks)
    assert inputs.dense.shape == (size, len(NAMES))
    assert inputs.dense.dtype == np.float32
    assert np.isfinite(inputs.dense).all()
    assert np.abs(inputs.dense).max(initial=0) <= 4
    tokens = inputs.tokens
    assert tokens.levels.shape == (size, LEVELS)
    assert tokens.word_start.shape == (size + 1,)
    assert tokens.word_start[-1] == len(tokens.word_tokens)
    assert tokens.element_start[-1] == tokens.element_start[-2] == len(tokens.element_tokens)
    assert tokens.levels.max(initial=0) < len(tokens.element_start) - 1
    assert max(tokens.element_tokens.max(initial=0), tokens.word_tokens.max(initial=0)) < TABLE_SIZE
    assert inputs.part_first.shape == inputs.part_last.shape == (size, PARTS)
    assert (inputs.part_first >= 0).all()
    assert (inputs.part_last <= size).all()
    assert (inputs.part_first < inputs.part_last).all()


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_written_pages(name: str) -> None:
    blocks = blocks_of(WRITTEN[name])
    check(blocks, page_inputs(blocks))


@given(tag_soup)
def test_tag_soup(html: str) -> None:
    blocks = blocks_of(html)
    check(blocks, page_inputs(blocks))


def test_work_is_linear_in_the_blocks() -> None:
    def make_work(size: int) -> Callable[[], object]:
        blocks = blocks_of("<div class=a>" + f"<p>{SENTENCE}</p>" * size)
        return lambda: check(blocks, page_inputs(blocks))

    assert_grows_in_step(make_work, sized(10_000))


def test_the_same_every_time() -> None:
    first, second = page_inputs(blocks_of(ARTICLE)), page_inputs(blocks_of(ARTICLE))
    assert np.array_equal(first.dense, second.dense)
    assert np.array_equal(first.tokens.element_tokens, second.tokens.element_tokens)
    assert np.array_equal(first.tokens.word_tokens, second.tokens.word_tokens)


def column(html: str, name: str) -> list[float]:
    return [round(float(value), 4) for value in page_inputs(blocks_of(html)).dense[:, NAMES.index(name)]]


def test_names_are_distinct() -> None:
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    ("html", "name", "values"),
    [
        ("<p>One two, three.", "words", [round(0.25 * np.log(4), 4)]),
        ("<p>One two, three.", "characters", [round(0.25 * np.log(16), 4)]),
        ("<p>One two, three.", "upper share", [round(1 / 11, 4)]),
        ("<p>One two, three.", "commas per word", [round(4 / 3, 4)]),
        ("<p>One two, three.<p>4", "ends sentence", [1, 0]),
        ("<p>the tea of 1999", "function words", [1.0]),
        ("<p>the tea of 1999", "digit share", [round(4 / 15, 4)]),
        ("<p><a href=x>tea</a>pot", "link share", [0.5]),
        ("<p><a href=x>a</a><a href=x>b</a><p>c", "links", [round(0.25 * np.log(3), 4), 0]),
        ("<title>Old tea</title><p>tea cup<p>cup", "share IN_TITLE", [1, 0.5, 0]),
        ("<title>Old tea</title><p>tea cup<p>cup", "share of IN_TITLE", [1, 0.5, 0]),
        ("<h1>A b</h1><p>c<h2>d</h2>", "h1", [1, 0, 0]),
        ("<h1>A b</h1><p>c<h2>d</h2>", "after h1", [1, 1, 1]),
        ("<nav>a</nav><p>b", "in nav", [1, 0]),
        ("<p>a<p>b<p>a", "same text", [round(0.25 * np.log(2), 4), 0, round(0.25 * np.log(2), 4)]),
        ("<ul><li>a<li>b</ul><p>c", "part 0 blocks", [round(0.25 * np.log(n), 4) for n in (3, 3, 4)]),
        ("<ul><li>a<li>b</ul><p>c", "part 1 share of page", [1, 1, 1]),
        ("<ul><li>a<li>b</ul><p>c", "part 0 place", [0, 0.5, round(2 / 3, 4)]),
        (f"<div><p>{SENTENCE}<p>{SENTENCE}</div><p>end", "in centre", [1, 1, 0]),
        ("<p>a<p>b<p>c<p>d", "position", [0, 0.25, 0.5, 0.75]),
    ],
)
def test_values_counted_by_hand(html: str, name: str, values: list[float]) -> None:
    assert column(html, name) == pytest.approx(values, abs=1e-4)


def test_names_of_elements_are_split_into_words() -> None:
    inputs = page_inputs(blocks_of("<div class='postBody wide-2' id=POST_MAIN><p>text"))
    tokens = inputs.tokens
    above = set()
    for element in tokens.levels[0].tolist():
        above |= set(tokens.element_tokens[slice(*tokens.element_start[element : element + 2])].tolist())
    assert {token_of(word) for word in ("<p", "<div", "post", "body", "wide", "main")} <= above


def test_words_at_both_ends() -> None:
    words = " ".join(f"word{letter}" for letter in "abcdefghijklmnop")
    inputs = page_inputs(blocks_of(f"<p>{words}</p><p>Worda wordb"))
    tokens = inputs.tokens
    assert tokens.word_start.tolist() == [0, 10, 12]
    assert tokens.word_tokens[10:].tolist() == tokens.word_tokens[:2].tolist()
