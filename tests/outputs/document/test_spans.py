"""Running text: marks, ruby, line breaks, and what is hidden."""

from __future__ import annotations

import pytest
from document_nodes import LINE_BREAK, Marks, Paragraph, Span, SpanKind
from keep_visible import clean_visible, document_of
from shown_spans import plain_spans

from dehusk.outputs.document.output_options import OutputOptions


def spans_of(html: str, options: OutputOptions | None = None) -> list[tuple[str, set[str]]]:
    """(text, names of its marks) of one paragraph."""
    (paragraph,) = document_of(f"<p>{html}</p>", options).children
    assert isinstance(paragraph, Paragraph)
    return [
        (span.text, {name for name, value in zip(Marks._fields, span.marks, strict=True) if value})
        for span in paragraph.spans
    ]


def line_of(html: str) -> str:
    """One paragraph as plain text, which says the same as its spans."""
    (paragraph,) = document_of(f"<p>{html}</p>").children
    assert isinstance(paragraph, Paragraph)
    line = clean_visible(f"<p>{html}</p>").render("text").removesuffix("\n")
    assert line == plain_spans(paragraph.spans)
    return line


@pytest.mark.parametrize(
    ("tag", "mark"),
    [
        *[(tag, "strong") for tag in ("b", "strong")],
        *[(tag, "emphasis") for tag in ("i", "em")],
        *[(tag, "deleted") for tag in ("s", "strike", "del")],
        *[(tag, "code") for tag in ("code", "tt", "kbd", "samp")],
        ("sub", "subscript"),
        ("sup", "superscript"),
        ("q", "quoted"),
    ],
)
def test_marks(tag: str, mark: str) -> None:
    assert spans_of(f"a <{tag}>b</{tag}> c") == [("a ", set()), ("b", {mark}), (" c", set())]


def test_the_order_of_marks_does_not_matter() -> None:
    assert spans_of("<b><i>a</i></b><i><b>b</b></i>") == [("ab", {"strong", "emphasis"})]


def test_code_has_no_marks_inside_it() -> None:
    assert spans_of("<b><code>a<i>b</i></code></b>") == [("ab", {"strong", "code"})]


def test_links_are_marks_if_asked_for() -> None:
    assert spans_of("a <a href=/x>b</a>") == [("a b", set())]
    assert spans_of("a <a href=/x>b</a>", OutputOptions(links=True)) == [("a ", set()), ("b", {"link"})]


def test_links_that_do_harm_are_text() -> None:
    assert spans_of("a <a href='javascript:x'>b</a>", OutputOptions(links=True)) == [("a b", set())]


def test_without_formatting_what_a_browser_shows_as_signs_stays() -> None:
    options = OutputOptions(formatting=False)
    assert spans_of("<b>a</b> <sup>b</sup> <q>c</q>", options) == [("a b ", set()), ("c", {"quoted"})]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢(かん)"),
        ("<ruby>漢字<rt></rt></ruby>", "漢字"),
        ("a <ruby><b>漢</b><rt>k</rt></ruby> b", "a 漢(k) b"),
        ("a <rt>b</rt> c", "a b c"),
    ],
)
def test_ruby(html: str, expected: str) -> None:
    assert line_of(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("10<sup>6</sup> and m<sup>-2</sup>", "10^6 and m^-2"),
        ("(a+b)<sup>2</sup>", "(a+b)^2"),
        ("1<sup>st</sup>, <sup>2</sup>H and CO<sub>2</sub>", "1st, 2H and CO2"),
        ("<q>a <b>b</b></q> c", "“a b” c"),
    ],
)
def test_signs_of_plain_text(html: str, expected: str) -> None:
    assert line_of(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("a<span hidden>x</span>b", "ab"),
        ("a <b><span hidden>x</span>b</b>", "a b"),
        ("a <b hidden>x</b> b", "a b"),
        ("<b>a</b><span aria-hidden=true>·</span><b>b</b>", "a b"),
    ],
)
def test_hidden_text_leaves_nothing(html: str, expected: str) -> None:
    assert line_of(html) == expected


def test_blanks_are_folded_over_the_borders_of_marks() -> None:
    assert spans_of(" a <b> b </b> <i> </i> c ") == [("a ", set()), ("b ", {"strong"}), ("c", set())]


def test_no_line_break_begins_or_ends_a_paragraph() -> None:
    assert line_of("<br> <b> <br>a <br></b> ") == "a"
    (paragraph,) = document_of("<p>a <b> </b><br> <i>b</i></p>").children
    assert isinstance(paragraph, Paragraph)
    assert paragraph.spans == (Span("a"), LINE_BREAK, Span("b", Marks(emphasis=True)))


def test_a_hidden_image_is_not_shown() -> None:
    html = "<p>a <img src=/i.png hidden> b <img src=/j.png> c</p>"
    (paragraph,) = document_of(html, OutputOptions(images=True)).children
    assert isinstance(paragraph, Paragraph)
    addresses = [span.address for span in paragraph.spans if span.kind is SpanKind.IMAGE]
    assert addresses == ["https://site.example/j.png"]
