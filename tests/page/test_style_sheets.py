"""Style sheets in the page: what they declare of an element is part of how it looks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import sized

from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.page.style_sheets import MOST_CHARACTERS, sheet_keys


def first_key(sheet: str, element: str, style: str = "<style>") -> int:
    """The key of the first element in the body."""
    page = read_page(f"{style}{sheet}</style><body>{element}text")
    return int(sheet_keys(page)[page.tag_names.index("body") + 1])


RED = first_key("p { color: red }", "<p>")


@pytest.mark.parametrize(
    ("sheet", "element"),
    [
        ("p{color:red}", "<p>"),
        ("P { COLOR : Red; }", "<p>"),
        (".a { color: red }", "<p class='b a'>"),
        ("#i { color: red }", "<p id=i>"),
        ("p.a { color: red }", "<p class=a>"),
        ("p#i { color: red }", "<p id=i>"),
        ("h1, p { color: red }", "<p>"),
        ("p { color: blue } p { color: red }", "<p>"),
        (".a { color: red } p { color: blue }", "<p class=a>"),
        ("#i { color: red } .a { color: blue }", "<p class=a id=i>"),
        ("p { color: red !important } #i { color: blue }", "<p id=i>"),
        ("p { color: red; } /* p { color: blue } */", "<p>"),
        ("p { color: red; nonsense } }} @import", "<p>"),
        ("<!-- p { color: red } -->", "<p>"),
        ("p { color: red } @media print { p { color: blue } }", "<p>"),
        ("p { color: red } div p, p:hover, p > a, p.a.b, * { color: blue }", "<p class='a b'>"),
    ],
)
def test_what_holds_is_resolved(sheet: str, element: str) -> None:
    assert first_key(sheet, element) == RED


@pytest.mark.parametrize(
    ("sheet", "element"),
    [
        ("", "<p>"),
        ("p { }", "<p>"),
        ("p { color: red }", "<div>"),
        (".A { color: red }", "<p class=a>"),
        ("td.a { color: red }", "<p class=a>"),
        ("p p { color: red }", "<p>"),
        (", { color: red }", "<p>"),
    ],
)
def test_what_nothing_is_declared_of_has_no_key(sheet: str, element: str) -> None:
    assert first_key(sheet, element) == 0


def test_other_declarations_are_another_key() -> None:
    keys = {first_key(f"p {{ {body} }}", "<p>") for body in ("color: red", "color: blue", "width: 1px", "color: red 1")}
    assert len(keys) == 4


def test_sheets_for_other_media_do_not_count() -> None:
    assert first_key("p { color: red }", "<p>", "<style media=print>") == 0
    assert first_key("p { color: red }", "<p>", "<style media='Screen, print'>") == RED


def test_a_rule_changes_the_place_in_exact_matching_only_and_if_asked() -> None:
    body = "<body><div id=a><p>text</p></div><div><p>more</p></div>"
    plain, styled = read_page(body), read_page(f"<head><style>#a {{ width: 10px }}</style></head>{body}")

    def places(page: Page, matching: Matching, style_sheets: bool) -> list[int]:
        placed = find_positions(page, matching, style_sheets=style_sheets)
        keys: list[int] = np.unique(placed.key[placed.node]).tolist()
        return keys

    for matching in Matching:
        assert places(plain, matching, False) == places(styled, matching, False)
        same = places(plain, matching, True) == places(styled, matching, True)
        assert same is (matching is Matching.ALIGNED)


@pytest.mark.parametrize(
    "sheet",
    [
        lambda size: "(" * size,
        lambda size: "p{" * size,
        lambda size: "p{a:" + "f(" * size,
        lambda size: "p{" + "a:b;" * size + "}",
        lambda size: "".join(f"p{{a{number}:b}}" for number in range(size)),
        lambda size: "".join(f"#i{number}{{color:red}}" for number in range(size)),
        lambda size: "p," * size + "p{color:red}",
        lambda size: "/*" * size,
        lambda size: "\\" * size + '"' + "'" * size,
        lambda size: "\ud800{a:\udfff}p{\ud800:\udfff}" * size,
    ],
    ids=lambda sheet: repr(sheet(4)[:12]),
)
def test_hostile_sheets_take_little_work(sheet: Callable[[int], str]) -> None:
    def page_of(size: int) -> Page:
        body = "".join(f"<p id=i{number} class='c{number} d'>x" for number in range(size))
        return read_page(f"<style>{sheet(size)}</style><body>{body}")

    def make_work(size: int) -> Callable[[], object]:
        page = page_of(size)
        return lambda: sheet_keys(page)

    assert_grows_in_step(make_work, sized(5_000))
    page = page_of(sized(100_000) // 10)  # longer than what is read of it
    assert len(sheet_keys(page)) == len(page)


def test_only_so_much_is_read() -> None:
    rule = "p { color: red }"
    assert first_key(" " * (MOST_CHARACTERS - len(rule)) + rule, "<p>") == RED
    assert first_key(" " * MOST_CHARACTERS + rule, "<p>") == 0


@given(
    st.lists(
        st.sampled_from("p { } ( ) [ ] ; : , . # a ! important \\ \" ' @media /* */ url( \0 é <!-- 1px".split(" "))
    )
)
def test_any_sheet_can_be_read(pieces: list[str]) -> None:
    first_key(" ".join(pieces).replace("</", ""), "<p class=a id=a>")
