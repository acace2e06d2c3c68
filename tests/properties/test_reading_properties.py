"""What holds for every input: reading and cutting lose nothing, double nothing, and fail only as announced."""

from __future__ import annotations

import unicodedata

import numpy as np
import webencodings
from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup

import dehusk
from dehusk import DehuskError, Limits, Page, RawPage
from dehusk.limits import DEFAULT_LIMITS
from dehusk.page.characters import WITHOUT_CONTROLS
from dehusk.page.page_reading import LINE_SEPARATOR

declarations = st.sampled_from([b"", *(f"<meta charset={label}>".encode() for label in webencodings.LABELS)])
soup_bytes = st.builds(
    lambda html, encoding: html.encode(encoding, "replace"),
    tag_soup,
    st.sampled_from(["utf-8", "utf-16", "utf-16le", "cp1252", "gb18030", "iso2022_jp"]),
)
pages = st.builds(lambda start, rest: start + rest, declarations, st.binary(max_size=400) | soup_bytes)


def without_white_space(text: str) -> str:
    """What must survive: neither white space nor control characters, but what these are in windows-1252."""
    return "".join(c for c in text.translate(WITHOUT_CONTROLS) if not c.isspace() and unicodedata.category(c) != "Cc")


def text_in_rows(page: Page, *, hidden: bool) -> str:
    rows = np.flatnonzero(page.is_text & (page.hidden == hidden)).tolist()
    return without_white_space("".join(page.text[page.text_start[row] : page.text_end[row]] for row in rows))


def text_in_blocks(page: Page, *, hidden: bool) -> str:
    blocks = dehusk.segment(page)
    own = [text for text, is_hidden in zip(blocks.texts, blocks.hidden, strict=True) if is_hidden == hidden]
    return without_white_space("".join(own))


def clean_and_render(source: bytes | str | RawPage, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """Every rendering, or none where the page is refused."""
    try:
        cleaned = dehusk.clean(source, url="https://a.example/", limits=limits)
        return [cleaned.render(name) for name in dehusk.OUTPUTS]
    except DehuskError:
        return []


@given(pages)
def test_bytes_never_raise_anything_but_our_own_errors(body: bytes) -> None:
    assert all(isinstance(rendered, str) for rendered in clean_and_render(body))


@given(tag_soup)
def test_tag_soup_is_never_refused(html: str) -> None:
    assert len(clean_and_render(html)) == len(dehusk.OUTPUTS)


@given(html=tag_soup, size=st.integers(0, 200), depth=st.integers(1, 8))
def test_small_limits_never_raise_anything_but_our_own_errors(html: str, size: int, depth: int) -> None:
    limits = Limits(bytes=size * 10, tags=size, nodes=size * 2, depth=depth)
    assert all(isinstance(rendered, str) for rendered in clean_and_render(html.encode("utf-8", "replace"), limits))


@given(body=pages, content_type=st.text(max_size=60))
def test_no_header_makes_a_page_unreadable(body: bytes, content_type: str) -> None:
    assert len(dehusk.read_page(RawPage(body, headers=(("content-type", content_type),)))) > 0


@given(tag_soup)
def test_every_visible_character_is_in_one_block(html: str) -> None:
    page = dehusk.read_page(html)
    assert text_in_blocks(page, hidden=False) == text_in_rows(page, hidden=False)


@given(tag_soup)
def test_every_hidden_character_is_in_one_hidden_block(html: str) -> None:
    page = dehusk.read_page(html)
    assert text_in_blocks(page, hidden=True) == text_in_rows(page, hidden=True)


@given(pages)
def test_every_character_of_random_bytes_is_in_one_block(body: bytes) -> None:
    page = dehusk.read_page(body)
    for hidden in (False, True):
        assert text_in_blocks(page, hidden=hidden) == text_in_rows(page, hidden=hidden)


@given(html=tag_soup, depth=st.integers(1, 6))
def test_flattening_changes_no_block(html: str, depth: int) -> None:
    flat = dehusk.segment(dehusk.read_page(html, limits=Limits(depth=depth)))
    whole = dehusk.segment(dehusk.read_page(html))
    assert flat.texts == whole.texts
    assert flat.hidden.tolist() == whole.hidden.tolist()


@given(tag_soup)
def test_no_block_text_holds_a_mark_of_the_reader(html: str) -> None:
    for text in dehusk.segment(dehusk.read_page(html)).texts:
        assert LINE_SEPARATOR not in text
        assert "\0" not in text


@given(pages)
def test_segmenting_is_a_function_of_the_page(body: bytes) -> None:
    first, second = (dehusk.segment(dehusk.read_page(body)) for _ in range(2))
    assert first.texts == second.texts
    for name in ("first_row", "last_row", "owner", "hidden", "length", "link_length", "kind", "level"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


@given(tag_soup)
def test_bytes_and_text_give_the_same_blocks(html: str) -> None:
    # A lone surrogate cannot be written as bytes; a byte order mark leaves no doubt about the encoding.
    writable = html.encode("utf-8", "replace").decode()
    assert dehusk.segment(dehusk.read_page(b"\xef\xbb\xbf" + writable.encode())).texts == (
        dehusk.segment(dehusk.read_page(writable)).texts
    )
