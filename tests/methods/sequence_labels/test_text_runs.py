"""Text runs and the blocks they lie in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tag_soup import tag_soup

import dehusk
from dehusk.methods.sequence_labels.text_runs import TextRuns, find_text_runs


def text_runs_of(html: str) -> TextRuns:
    return find_text_runs(dehusk.segment(dehusk.read_page(html)))


def test_any_tag_separates_text_runs() -> None:
    runs = text_runs_of("<p>Hello <b>world</b>!</p>")
    assert runs.texts == ("Hello", "world", "!")
    assert runs.block.tolist() == [0, 0, 0]
    assert runs.blocks.texts == ("Hello world!",)


def test_text_runs_know_their_block() -> None:
    runs = text_runs_of("<title>Title</title><p>one <i>two</i></p><p>three<br>four</p><ul><li>five</ul>")
    assert runs.texts == ("Title", "one", "two", "three", "four", "five")
    assert [runs.blocks.texts[block] for block in runs.block] == [
        *("Title", "one two", "one two", "three\nfour", "three\nfour", "five"),
    ]


def test_hidden_text_is_no_text_run() -> None:
    runs = text_runs_of(
        "<p>one <span hidden>secret</span> two</p><p hidden>secret</p><noscript>secret</noscript><p>three"
    )
    assert runs.texts == ("one", "two", "three")
    assert [runs.blocks.texts[block] for block in runs.block] == ["one two", "one two", "three"]


def test_white_space_inside_stays_as_written() -> None:
    assert text_runs_of("<p>\n  one \n two </p>").texts == ("one \n two",)


def test_control_characters_alone_are_no_text_run() -> None:
    assert text_runs_of("<p>one</p><p>&#x1;</p><p>two</p>").texts == ("one", "two")


@pytest.mark.parametrize("html", ["", "<img src=x>", "<p> &nbsp; </p>", "<p hidden>x</p>", "<script>x</script>"])
def test_pages_without_text_runs(html: str) -> None:
    runs = text_runs_of(html)
    assert len(runs) == 0
    assert runs.row.shape == runs.block.shape == (0,)


@given(tag_soup)
def test_every_text_run_is_in_its_block_and_every_block_that_shows_has_one(html: str) -> None:
    runs = text_runs_of(html)
    blocks = runs.blocks
    assert (np.diff(runs.row) > 0).all()
    assert (np.diff(runs.block) >= 0).all()
    assert (blocks.first_row[runs.block] <= runs.row).all()
    assert (runs.row <= blocks.last_row[runs.block]).all()
    assert set(runs.block.tolist()) == set(np.flatnonzero(~blocks.hidden).tolist())
    assert all(text and text == text.strip() for text in runs.texts)
