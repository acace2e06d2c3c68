"""A block's position key is the same on all pages with a block there, and unique within a page."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from tag_soup import tag_soup

import dehusk
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.webapp.site_index import positions_of_blocks


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
