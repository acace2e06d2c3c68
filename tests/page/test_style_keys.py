"""Style keys: what looks the same has the same key, on every machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dehusk.page.page_reading import read_page

EXAMPLE = '<div class="post-17 wide" style="color: red" bgcolor="#FFF" id="x">text</div>'
EXAMPLE_KEY = 6206032357063314688
EXAMPLE_CLASSES = 1369208486456385098
"""Keys are stored in models and compared between machines: if this number changes, every stored model is void."""


def style_of(html: str) -> int:
    """The key of the first element in the body."""
    page = read_page(html)
    return int(page.style[page.tag_names.index("body") + 1])


def classes_of(html: str) -> int:
    """The key of its tag and class names."""
    page = read_page(html)
    return int(page.class_keys[page.tag_names.index("body") + 1])


_SPELT_ANEW = [
    ("<div class=post-1>", "<div class=post-22>"),
    ("<div class=item2b>", "<div class=item77b>"),
    ("<div class=css-1x2y3z>", "<div class=css-9a8b7c>"),
    ("<div class=sc-bdVaJa>", "<div class=sc-gZMcBi>"),
]
"""Class names that count something or that a build tool generated."""


@pytest.mark.parametrize(("one", "other"), _SPELT_ANEW)
def test_class_names_are_normalised_where_they_stand_alone(one: str, other: str) -> None:
    assert classes_of(one) == classes_of(other)
    assert style_of(one) != style_of(other), "the papers compare attributes as they are"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('<div class="a b c">', '<div class="c a  b">'),
        ('<div class="a a b">', '<div class="a b">'),
        ('<div class="">', "<div>"),
        ("<div id=a>", "<div id=b>"),
        ("<div id=a>", "<div>"),
        ("<div title=a href=x lang=en>", "<div>"),
        ("<div bgcolor=#FFF>", '<div bgcolor=" #fff ">'),
        ('<div style="color:red;width:1px">', '<div style="WIDTH: 1px; color : RED;">'),
        ("<div width=1 align=left>", "<div align=left width=1>"),
    ],
)
def test_elements_that_look_alike_share_a_key(one: str, other: str) -> None:
    assert style_of(one) == style_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<div class=a>", "<div class=b>"),
        ("<div class=a>", "<div>"),
        ('<div class="a b">', "<div class=a>"),
        ('<div class="a b">', "<div class=ab>"),
        ("<div class=post-1>", "<div class=page-1>"),
        ("<div class=site-header>", "<div class=site-footer>"),
        ("<div class=a>", "<section class=a>"),
        ("<div>", "<my-widget>"),
        ("<my-widget>", "<our-widget>"),
        ("<div bgcolor=red>", "<div bgcolor=blue>"),
        ("<div bgcolor=red>", "<div color=red>"),
        ("<div width=100>", "<div width=200>"),
        ("<div class=red>", "<div style=red>"),
        ('<div style="color:red">', '<div style="color:blue">'),
    ],
)
def test_elements_that_look_different_have_different_keys(one: str, other: str) -> None:
    assert style_of(one) != style_of(other)


def test_text_rows_share_one_key() -> None:
    page = read_page("<p>one<b class=x>two</b></p><div>three</div>")
    assert len(set(page.style[page.is_text].tolist())) == 1
    assert not set(page.style[page.is_text]) & set(page.style[~page.is_text])


def test_keys_do_not_depend_on_the_rest_of_the_page() -> None:
    page = read_page("<my-a></my-a><my-b></my-b><ul><li class=x></ul><div class=wide>text</div>")
    assert int(page.style[page.tag_names.index("div")]) == style_of("<div class=wide>")


def test_class_tokens_are_normalised() -> None:
    page = read_page("<p class=' post-1234  wide\tcol-md-6 '><b>")
    assert page.class_names[page.tag_names.index("p") :] == ["col-md-0.post-0.wide", ""]


def test_a_lone_surrogate_is_no_obstacle() -> None:
    assert style_of("<div class=\ud800>") != style_of("<div>")


def test_the_key_of_the_example_never_changes() -> None:
    assert style_of(EXAMPLE) == EXAMPLE_KEY
    assert classes_of(EXAMPLE) == EXAMPLE_CLASSES


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_keys_are_the_same_in_another_process(hash_seed: str) -> None:
    # Python salts its own hashes differently in each process; keys must not depend on them.
    script = "import sys, dehusk; print(*dehusk.read_page(sys.argv[1]).style)"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", script, EXAMPLE], env=environment, capture_output=True, check=True)
    assert [int(key) for key in done.stdout.split()] == read_page(EXAMPLE).style.tolist()
