"""Input that wants to break us: every page gives a result or a DehuskError, in time and space that fit its size."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Sequence

import pytest
from counted_work import assert_grows_in_step
from growing_pages import GROWING, KEPT, Source, counted
from thoroughness import sized

import dehusk
from dehusk import DehuskError

ALL_FORMATS = ("text", "markdown", "html", "json")
# 50 MB of Markdown or JSON would only measure the machine.
CHEAP_FORMATS = ("text", "html")

BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(9))
    + "]><html><body><p>&a9;</p></body></html>"
)


def random_soup(pieces: int) -> bytes:
    generator = random.Random(7)
    return b"<p>".join(generator.randbytes(20) for _ in range(pieces))


def unclosed_formatting(elements: int, paragraphs: int) -> str:
    return "<p>" + "".join(f"<b id={i}>" for i in range(elements)) + "</p>" + "<p>x</p>" * paragraphs


HOSTILE: dict[str, Callable[[], Source]] = {
    "empty bytes": lambda: b"",
    "empty text": lambda: "",
    "one NUL": lambda: b"\0",
    "only NULs": lambda: b"\0" * 100_000,
    "NULs in text": lambda: "<p>\0a\0</p><title>\0</title><textarea>\0</textarea><svg>\0</svg>" * 100,
    "random bytes": lambda: random.Random(7).randbytes(300_000),
    "random bytes between tags": lambda: random_soup(5_000),
    "truncated UTF-8": lambda: b"<meta charset=utf-8><p>" + ("中" * 1_000).encode()[:-1],
    "wrong charset": lambda: "<meta charset=shift_jis><p>Привет".encode("koi8-r") * 500,
    "charset that is none": lambda: b"<meta charset=undefined><p>caf\xe9" * 100,
    "UTF-16 undeclared": lambda: ("<p>" + KEPT * 3).encode("utf-16le"),
    "UTF-16 cut in half a character": lambda: ("<p>" + KEPT * 3).encode("utf-16be")[:-1],
    "lone surrogates": lambda: "<p>\ud800 " + KEPT * 3 + "<a href='\udfff'>\udfff</a>",
    "nested divs": lambda: "<div>" * 200_000 + KEPT * 3,
    "attributes on one tag": lambda: "<p " + " ".join(f"a{i}=1" for i in range(20_000)) + f">{KEPT * 3}",
    "known attributes on many tags": lambda: "<a href=x title=y class=z id=w>x</a>" * 20_000,
    "long attribute": lambda: f"<p title={'x' * 10_000_000}>{KEPT * 3}",
    "long class": lambda: f"<p class='{'x ' * 1_000_000}'>{KEPT * 3}",
    "long style": lambda: f"<p style='{'display:' * 500_000}'>{KEPT * 3}",
    "long tag name": lambda: f"<{'x' * 1_000_000}>{KEPT * 3}",
    "only <": lambda: "<" * 1_000_000,
    "only </": lambda: "</" * 500_000,
    "only <a": lambda: "<a " * 100_000,
    "unclosed comment": lambda: f"<p>{KEPT * 3}<!-- " + "-" * 1_000_000,
    "unclosed attribute": lambda: f"<p>{KEPT * 3}<a href='" + "x" * 1_000_000,
    "unclosed script": lambda: f"<p>{KEPT * 3}<script>" + "<p>x" * 100_000,
    "many <!-- in the head": lambda: b"\xff" + b"<!--" * 100_000,
    "many charset=": lambda: b"\xff" + b"charset=" * 100_000,
    "many declarations": lambda: b"\xff" + b"<meta charset=x>" * 20_000,
    "paragraphs": lambda: "<p>x</p>" * sized(100_000),
    "table rows": lambda: "<table>" + "<tr><td>one<td>two" * sized(25_000) + "</table>",
    "column spans": lambda: "<table>" + f"<tr><td colspan=1000>{KEPT}<td colspan=9999999>{KEPT}" * 1_000,
    "entities": lambda: "<p>" + "&amp;amp;" * 200_000,
    "long numeric entities": lambda: "<p>" + f"&#x{'0' * 1_000_000}41;" + f"&#{'9' * 1_000_000};" + KEPT,
    "entities without end": lambda: "<p>" + "&CounterClockwiseContourIntegra" * 20_000,
    "billion laughs": lambda: BILLION_LAUGHS,
    "frameset": lambda: "<frameset>" + "<frame src=x>" * 10_000 + "<noframes>none</noframes></frameset>",
    "no body": lambda: "<html><head><title>only a title</title></head></html>",
    "unclosed formatting": lambda: unclosed_formatting(600, 40_000),
    "misnested formatting": lambda: "<b><i><p>x</b></i></p>" * 3_000,
    "unclosed links": lambda: "<a href=x><p>y" * 10_000,
    "nested inline elements": lambda: "<span>" * 20_000 + KEPT * 3,
    "nested tables": lambda: "<table><tr><td>" * 5_000 + KEPT * 3,
    "nested lists": lambda: "<ul><li>" * 30_000 + KEPT * 3,
    "nested lists with text": lambda: "<ul><li>x" * 2_000 + KEPT * 3,
    "nested quotes": lambda: "<blockquote>" * 30_000 + KEPT * 3,
    "one list": lambda: "<ul>" + "<li>x" * sized(50_000),
    "one cell": lambda: "<table><tr><td>a<td>b<tr><td>c<td>" + f"<p>{KEPT}" * sized(20_000),
    "foster parents": lambda: "<table>" + "x<b>y</b>" * sized(20_000) + "</table>",
    "hidden and shown in turn": lambda: f"<p>{KEPT * 3}" + "x<i hidden>y</i>" * sized(20_000),
    "invalid addresses": lambda: (
        f"<base href='http://[x'><p>{KEPT * 3}" + "<a href='//[::1'>x</a><img src='http://[]'>" * 1_000
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_page_gives_a_result_or_one_of_our_errors(name: str) -> None:
    assert_cleaned_or_refused(HOSTILE[name](), ALL_FORMATS)


LARGE: dict[str, Callable[[int], Source]] = {
    "one text": lambda size: b"<p>" + b"word " * (size // 5),
    "paragraphs": lambda size: b"".join(
        b"<p>%d " % number + b"word " * 200 + b"</p>" for number in range(size // 1_000)
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_page_gives_a_result(name: str) -> None:
    size = sized(50_000_000)
    cleaned = dehusk.clean(LARGE[name](size))
    for format_name in CHEAP_FORMATS:
        assert len(cleaned.render(format_name)) > 0.9 * size


def test_a_page_beyond_the_limit_is_refused() -> None:
    with pytest.raises(dehusk.PageTooLarge, match="70,000,000 bytes"):
        dehusk.clean(bytes(70_000_000))


def test_unclosed_formatting_does_not_multiply() -> None:
    # By the standard this third of a megabyte makes 20 million elements.
    html = unclosed_formatting(600, 40_000)
    try:
        nodes = len(dehusk.read_page(html))
    except dehusk.PageTooLarge:
        return
    assert nodes <= dehusk.Limits().nodes + 4 * html.count("<")


def test_laughs_are_not_multiplied() -> None:
    assert len(dehusk.clean(BILLION_LAUGHS).page.text) < len(BILLION_LAUGHS)


def assert_cleaned_or_refused(source: Source, formats: Sequence[str]) -> None:
    try:
        cleaned = dehusk.clean(source, url="https://a.example/")
    except DehuskError:
        return
    for format_name in formats:
        assert isinstance(cleaned.render(format_name), str)


def attempted(work: Callable[[], object]) -> None:
    with contextlib.suppress(DehuskError):
        work()


@pytest.mark.parametrize("name", GROWING)
def test_cleaning_grows_with_the_page_and_not_with_its_square(name: str) -> None:
    def make_work(size: int) -> Callable[[], object]:
        source = GROWING[name].generate(size)
        return lambda: attempted(lambda: dehusk.clean(source))

    assert_grows_in_step(make_work, counted(GROWING[name].cleaned))


@pytest.mark.parametrize("format_name", ALL_FORMATS)
@pytest.mark.parametrize("name", [name for name, growing in GROWING.items() if growing.rendered])
def test_rendering_grows_with_the_page_and_not_with_its_square(name: str, format_name: str) -> None:
    # Formats apart: a cheap one must not make up for a dear one.
    def make_work(size: int) -> Callable[[], object]:
        # Cleaned anew each time: reasons and kinds are derived once a page, on first use.
        cleaned = dehusk.clean(GROWING[name].generate(size), url="https://a.example/")
        return lambda: cleaned.render(format_name)

    assert_grows_in_step(make_work, counted(GROWING[name].rendered))


MULTIPLYING: dict[str, Callable[[str], str]] = {
    "class around blocks": lambda name: f"<div class={name}>" + f"<p>{KEPT}</p>" * 200,
    "tag around blocks": lambda name: f"<{name}>" + f"<p>{KEPT}</p>" * 200,
    "language of code": lambda name: f"<div class=language-{name}>" + f"<pre>{KEPT}</pre>" * 200,
    "base of links": lambda name: f"<base href=/{name}/><p>{KEPT * 30}" + "<a href=x>y</a> " * 200,
    "start of a list": lambda name: f"<ol start={name}>" + f"<li>{KEPT}" * 200,
    "formatting around blocks": lambda name: f"<p><b title={name}></p>" + f"<p>{KEPT}</p>" * 200,
}


@pytest.mark.parametrize("format_name", ALL_FORMATS)
@pytest.mark.parametrize("name", MULTIPLYING)
def test_no_output_repeats_a_long_name_for_every_block(name: str, format_name: str) -> None:
    html = MULTIPLYING[name]("x" * 50_000)
    length = len(dehusk.clean(html, url="https://a.example/").render(format_name))
    assert length < 10 * len(html)


def test_a_table_with_one_wide_row_is_not_filled_up_with_empty_cells() -> None:
    html = f"<table><tr><td>{KEPT * 2}" + "<td>x" * 2_000 + f"<tr><td>{KEPT * 2}" * 2_000
    length = len(dehusk.clean(html).render("markdown"))
    assert length < 10 * len(html)
