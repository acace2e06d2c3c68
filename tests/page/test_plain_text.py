"""Pages without markup are text: all of it is kept, and the page says so."""

from __future__ import annotations

import copy
import pickle

import pytest

import dehusk
from dehusk.page.page_reading import read_page

TEXT = "Green tea\n\nSteep the leaves,\nthen pour.\n \nShare | Home | About\r\n\r\nCopyright 2024 by tea.example\n"
PARAGRAPHS = ["Green tea", "Steep the leaves, then pour.", "Share | Home | About", "Copyright 2024 by tea.example"]


@pytest.mark.parametrize("source", [TEXT.encode(), TEXT.encode("utf-16"), b"\xef\xbb\xbf" + TEXT.encode()])
def test_paragraphs_are_divided_by_blank_lines_and_all_kept(source: bytes) -> None:
    page = dehusk.clean(source)
    assert page.text.split("\n\n") == [*PARAGRAPHS[:-1], PARAGRAPHS[-1] + "\n"]
    assert all(block.kept and block.kind == "paragraph" for block in page)
    assert (page.problem, page.page_type, page.confidence) == ("plain-text", "", None)
    assert {block.reasons for block in page} == {("the page is plain text",)}


def test_the_record_says_so() -> None:
    record = dehusk.clean(dehusk.RawPage(TEXT.encode(), headers=(("Content-Type", "text/plain"),))).to_record()
    assert (record["problem"], record["method"], record["page_type"]) == ("plain-text", "plain-text", None)


def test_what_only_looks_like_a_tag_is_text() -> None:
    text = "Write to <tea@example.com>, see <https://tea.example/>, #include <stdio.h>, a < b and c <= d."
    assert dehusk.clean(text.encode()).text == text + "\n"


@pytest.mark.parametrize(
    "html", ["Tea <b>is</b> hot.", "Tea<br>is", "Tea <!-- green -->", "Tea </p> pot", "A <my-tea> b"]
)
def test_a_page_with_markup_is_no_plain_text(html: str) -> None:
    assert dehusk.clean(html.encode()).problem == ""
    assert not read_page(html.encode()).is_plain_text


def test_a_wrong_encoding_is_told_and_the_text_is_kept_all_the_same() -> None:
    russian = "Утренний чай пьют медленно, из тонких чашек, пока над долиной ещё держится лёгкий туман.\n\nДомой"
    page = dehusk.clean(
        dehusk.RawPage(russian.encode("cp1251"), headers=(("Content-Type", "text/plain; charset=utf-8"),))
    )
    assert page.problem == "wrong-encoding"
    assert page.text == russian + "\n"


@pytest.mark.parametrize("favour", ["precision", "recall"])
def test_settings_and_models_for_pages_do_not_matter(favour: str) -> None:
    assert dehusk.clean(TEXT.encode(), favour=favour, comments=True, rules=()).text == dehusk.clean(TEXT.encode()).text
    pages = [f"<title>Tea</title><nav>Home</nav><p>{f'Steep leaf {number}. ' * 9}" for number in range(5)]
    site = dehusk.learn(map(read_page, pages))
    assert dehusk.clean(TEXT.encode(), site).text == dehusk.clean(TEXT.encode()).text


def test_copies_are_plain_text_too() -> None:
    page = read_page(TEXT.encode())
    for other in (copy.copy(page), pickle.loads(pickle.dumps(page))):
        assert other.is_plain_text
        assert dehusk.clean(other).text == dehusk.clean(TEXT.encode()).text


def test_text_that_a_program_gives_as_str_is_html() -> None:
    page = dehusk.clean(TEXT)
    assert (page.problem, page.page.is_plain_text) == ("", False)


def test_nothing_is_still_an_empty_page() -> None:
    for nothing in ("", b"", " \n", b"\xef\xbb\xbf"):
        assert (dehusk.clean(nothing).text, dehusk.clean(nothing).problem) == ("", "")
