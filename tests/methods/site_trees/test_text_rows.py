"""Text by row and by block: one key for the text of each block, its size, its words."""

from __future__ import annotations

import numpy as np
import pytest

import dehusk
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.methods.site_trees.text_rows import TextRows, find_text_rows


def text_rows_of(body: str) -> TextRows:
    page = dehusk.read_page(f"<title>Title</title><body>{body}")
    return find_text_rows(dehusk.segment(page), find_positions(page, Matching.ALIGNED).leaf >= 0)


def text_of(body: str) -> int:
    """The key of the first block after the title."""
    return int(text_rows_of(body).text[1])


@pytest.mark.parametrize(
    "body",
    [
        "<p>Green  \n\t tea </p>",
        "<p>green <b>tea</b></p>",
        "<p><i><b>GREEN</b></i> <a href=x>tea</a></p>",
        "<p>Green <span hidden>and black</span> tea</p>",
        "<p>Green<script>x()</script> tea</p>",
        "<section><div><ul><li>Green tea</li></ul></div></section>",
    ],
)
def test_what_reads_the_same_is_the_same_text(body: str) -> None:
    assert text_of(body) == text_of("<p>Green tea</p>")


@pytest.mark.parametrize(
    "body", ["<p>tea green</p>", "<p>green teas</p>", "<p>green</p>", "<p>greentea</p>", "<p>!</p>"]
)
def test_what_reads_otherwise_is_another_text(body: str) -> None:
    assert text_of(body) != text_of("<p>Green tea</p>")


def test_words_belong_to_their_blocks_and_hidden_ones_to_none() -> None:
    rows = text_rows_of("<p>one two</p><p hidden>secret</p><p>***</p><p>three <i hidden>secret</i> four</p>five")
    assert rows.words.word == ("one", "two", "three", "four", "five")
    texts = rows.blocks.texts
    sizes = {texts[block]: int(size) for block, size in enumerate(rows.size)}
    assert sizes == {"Title": 0, "one two": 7, "secret": 0, "***": 3, "three four": 9, "five": 4}
    of_words = [texts[block] for block in rows.words.block.tolist()]
    assert of_words == ["one two", "one two", "three four", "three four", "five"]
    assert len(rows.words.key) == 5


def test_blocks_without_shown_text_share_the_key_0() -> None:
    assert text_rows_of("<p hidden>word</p>").text.tolist() == [0, 0]


@pytest.mark.parametrize("body", ["", "<img src=x>", "<p hidden>x</p>", "<script>x</script>"])
def test_a_page_without_text_has_none(body: str) -> None:
    rows = text_rows_of(body)
    assert rows.words.word == ()
    assert len(rows.words.key) == len(rows.row) == 0
    assert len(rows.text) == len(rows.size) == len(rows.blocks)


def test_the_mean_of_a_block_is_over_the_characters_that_have_a_value() -> None:
    rows = text_rows_of("<p>one <b>twenty</b></p><p>three <i>four</i></p><p>five</p>")
    nan = float("nan")
    means = rows.mean_of_blocks(np.array([0.2, 0.5, nan, 0.5, nan]))
    np.testing.assert_allclose(means, [nan, (3 * 0.2 + 6 * 0.5) / 9, 0.5, nan])  # the first is the title
