"""Keys of blocks are those that Python would make of their texts: site models that were learnt before hold them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.page.stable_hashing import keys_of

_LETTERS = "aBzÄßẞİıΣσςΩǅﬁЖѢაႠᎠԱև漢ไ𐐀𝒳1٣ .-"
"""Letters whose lower case depends on their neighbours, is longer, or is of another script."""


@given(st.lists(st.text(_LETTERS, min_size=1, max_size=60), min_size=1, max_size=5))
def test_texts_are_hashed_in_lower_case(texts: list[str]) -> None:
    blocks = dehusk.segment(dehusk.read_page("".join(f"<p>{text}</p>" for text in texts)))
    assert blocks.text_keys.tolist() == keys_of([text.lower() for text in blocks.texts]).tolist()


def test_a_page_without_text_has_no_keys() -> None:
    blocks = dehusk.segment(dehusk.read_page(""))
    assert len(blocks.text_keys) == len(blocks.signatures) == 0


def test_siblings_share_a_signature_and_the_title_has_none() -> None:
    html = "<title>Tea</title><ul class='menu item-1'><li>Home<li>Teas</ul><ul class='item-2 menu'><li>More</ul><p>Text"
    title, home, teas, more, text = dehusk.segment(dehusk.read_page(html)).signatures.tolist()
    assert title == 0
    assert home == teas == more != text
