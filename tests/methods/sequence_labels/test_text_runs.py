"""Pieces and the blocks they lie in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tag_soup import tag_soup

import dehusk
from dehusk.methods.sequence_labels.text_runs import Pieces, find_pieces


def pieces_of(html: str) -> Pieces:
    return find_pieces(dehusk.segment(dehusk.read_page(html)))


def test_any_tag_separates_pieces() -> None:
    pieces = pieces_of("<p>Hello <b>world</b>!</p>")
    assert pieces.texts == ("Hello", "world", "!")
    assert pieces.block.tolist() == [0, 0, 0]
    assert pieces.blocks.texts == ("Hello world!",)


def test_pieces_know_their_block() -> None:
    pieces = pieces_of("<title>Title</title><p>one <i>two</i></p><p>three<br>four</p><ul><li>five</ul>")
    assert pieces.texts == ("Title", "one", "two", "three", "four", "five")
    assert [pieces.blocks.texts[block] for block in pieces.block] == [
        *("Title", "one two", "one two", "three\nfour", "three\nfour", "five"),
    ]


def test_hidden_text_is_no_piece() -> None:
    pieces = pieces_of(
        "<p>one <span hidden>secret</span> two</p><p hidden>secret</p><noscript>secret</noscript><p>three"
    )
    assert pieces.texts == ("one", "two", "three")
    assert [pieces.blocks.texts[block] for block in pieces.block] == ["one two", "one two", "three"]


def test_white_space_inside_stays_as_written() -> None:
    assert pieces_of("<p>\n  one \n two </p>").texts == ("one \n two",)


def test_control_characters_alone_are_no_piece() -> None:
    assert pieces_of("<p>one</p><p>&#x1;</p><p>two</p>").texts == ("one", "two")


@pytest.mark.parametrize("html", ["", "<img src=x>", "<p> &nbsp; </p>", "<p hidden>x</p>", "<script>x</script>"])
def test_pages_without_pieces(html: str) -> None:
    pieces = pieces_of(html)
    assert len(pieces) == 0
    assert pieces.row.shape == pieces.block.shape == (0,)


@given(tag_soup)
def test_every_piece_is_in_its_block_and_every_block_that_shows_has_one(html: str) -> None:
    pieces = pieces_of(html)
    blocks = pieces.blocks
    assert (np.diff(pieces.row) > 0).all()
    assert (np.diff(pieces.block) >= 0).all()
    assert (blocks.first_row[pieces.block] <= pieces.row).all()
    assert (pieces.row <= blocks.last_row[pieces.block]).all()
    assert set(pieces.block.tolist()) == set(np.flatnonzero(~blocks.hidden).tolist())
    assert all(text and text == text.strip() for text in pieces.texts)
