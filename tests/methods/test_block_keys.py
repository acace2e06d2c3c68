"""A block's position key is the same on all pages with a block there, and unique within a page."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from tag_soup import tag_soup

import dehusk
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.methods.block_keys import keys_of_blocks, positions_of_blocks


def read(html: str) -> Blocks:
    return segment(dehusk.read_page(html))


def positions(html: str) -> dict[str, int]:
    blocks = read(html)
    return dict(zip(blocks.texts, positions_of_blocks(blocks).tolist(), strict=True))


@given(tag_soup)
def test_no_two_blocks_share_a_position(html: str) -> None:
    keys = positions_of_blocks(read(html))
    assert len(np.unique(keys)) == len(keys)
    assert keys.dtype == np.uint64


def test_the_same_position_on_another_page_whatever_its_text() -> None:
    first = positions("<title>T</title><nav><p>menu</p></nav><main><p>one</p><p>two <b>bold</b></p>after</main>")
    second = positions("<title>U</title><nav><p>other</p></nav><div>new</div><main><p>uno</p><p>due</p>dopo</main>")
    pairs = {"T": "U", "menu": "other", "one": "uno", "two bold": "due", "after": "dopo"}
    for here, there in pairs.items():
        assert first[here] == second[there], here
    assert second["new"] not in first.values()


def test_classes_and_order_distinguish_positions() -> None:
    found = positions("<p>a</p><p>b</p><p class=x>c</p><div><p>d</p></div>")
    assert len(set(found.values())) == 4
    assert found["c"] == positions("<p class=x>z</p>")["z"]


def test_texts_around_an_element_have_a_position_each() -> None:
    found = positions("<div>before<p>in</p>after</div>")
    assert found["before"] != found["after"]
    assert found["before"] == positions("<div>x<p>y</p>z</div>")["x"]


def test_hidden_text_has_its_own_position() -> None:
    first = positions("<p>shown <span hidden>secret</span></p><div hidden>gone</div>")
    second = positions("<p>other <span hidden>word</span></p><div hidden>away</div>")
    assert first["secret"] == second["word"]
    assert first["gone"] == second["away"]
    assert len(set(first.values())) == 3


def test_a_page_of_nothing_has_no_positions() -> None:
    assert len(positions_of_blocks(read(""))) == 0


@given(tag_soup)
def test_containers_hold_the_blocks_that_are_in_them(html: str) -> None:
    blocks = read(html)
    keys = keys_of_blocks(blocks)
    assert np.array_equal(keys.position, positions_of_blocks(blocks))
    assert (np.diff(blocks.first_row) >= 0).all(), "blocks are in document order"
    assert (keys.containers.first < keys.containers.end).all()
    assert (keys.containers.end <= len(blocks)).all()
    assert (np.diff(keys.containers.first) >= 0).all(), "outer elements come first"


def test_a_container_has_the_same_key_on_another_page() -> None:
    one = keys_of_blocks(read("<main><p>one</p></main><footer><p>note</p><ul><li>a</li></ul></footer>"))
    other = keys_of_blocks(
        read("<main><p>uno</p><p>due</p></main><footer><p>nota</p><ul><li>x</li><li>y</li></ul></footer>")
    )
    footers = [
        (int(keys.first[number]), int(keys.end[number]))
        for keys in (one.containers, other.containers)
        for number in np.flatnonzero(keys.key == one.containers.key[one.containers.first.tolist().index(1)])
    ]
    assert footers == [(1, 3), (2, 5)]


def test_a_block_on_a_page_has_a_key_of_its_own() -> None:
    one, other = (keys_of_blocks(read(f"<p>menu</p><p>{text}</p>")) for text in ("one", "two"))
    assert one.position[0] == other.position[0]
    assert one.on_page[0] != other.on_page[0]
    assert one.on_page[0] == keys_of_blocks(read("<p>menu</p><p>one</p>")).on_page[0]
