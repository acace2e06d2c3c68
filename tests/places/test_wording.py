"""Words of a page, and one key for the text of each block."""

from __future__ import annotations

import numpy as np
import pytest

import dehusk
from dehusk.places.placing import Matching, place_page
from dehusk.places.wording import Wording, read_wording


def wording_of(body: str) -> Wording:
    page = dehusk.read_page(f"<title>Title</title><body>{body}")
    return read_wording(dehusk.segment(page), place_page(page, Matching.ALIGNED).leaf >= 0)


def text_of(body: str) -> int:
    """The key of the first block after the title."""
    return int(wording_of(body).text[1])


@pytest.mark.parametrize(
    "body",
    [
        "<p>Green  \n\t tea </p>",
        "<p>green <b>tea</b></p>",
        "<p><i><b>GREEN</b></i> <a href=x>tea</a></p>",
        "<p>Green<br>tea</p>",
        "<p>Green &nbsp; tea!</p>",
        "<p>Green <span hidden>and black</span> tea</p>",
        "<p>Green<script>x()</script> tea</p>",
        "<section><div><ul><li>Green tea</li></ul></div></section>",
    ],
)
def test_the_same_words_in_the_same_order_are_the_same_text(body: str) -> None:
    assert text_of(body) == text_of("<p>Green tea</p>")


@pytest.mark.parametrize(
    "body", ["<p>tea green</p>", "<p>green teas</p>", "<p>green</p>", "<p>greentea</p>", "<p>!</p>"]
)
def test_other_words_or_another_order_are_another_text(body: str) -> None:
    assert text_of(body) != text_of("<p>Green tea</p>")


def test_words_belong_to_their_blocks_and_hidden_ones_to_none() -> None:
    wording = wording_of("<p>one two</p><p hidden>secret</p><p>***</p><p>three <i hidden>secret</i> four</p>five")
    assert wording.word == ("one", "two", "three", "four", "five")
    texts = wording.blocks.texts
    by_block = {texts[block]: int(number) for block, number in enumerate(wording.number)}
    assert by_block == {"Title": 0, "one two": 2, "secret": 0, "***": 0, "three four": 2, "five": 1}
    assert [texts[block] for block in wording.block.tolist()] == [
        "one two",
        "one two",
        "three four",
        "three four",
        "five",
    ]


def test_blocks_without_words_share_the_key_0() -> None:
    assert wording_of("<p>***</p><p>—</p><p hidden>word</p>").text.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("body", ["", "<img src=x>", "<p hidden>x</p>", "<script>x</script>"])
def test_a_page_without_words_has_none(body: str) -> None:
    wording = wording_of(body)
    assert wording.word == ()
    assert len(wording.key) == len(wording.row) == 0
    assert len(wording.text) == len(wording.number) == len(wording.blocks)


def test_the_mean_of_a_block_is_over_the_words_that_have_a_value() -> None:
    wording = wording_of("<p>one two</p><p>three four</p><p>five</p><p>***</p>")
    nan = float("nan")
    means = wording.block_means(np.array([0.2, 0.4, nan, 0.5, nan]))
    np.testing.assert_allclose(means, [nan, 0.3, 0.5, nan, nan])  # the first is the title
