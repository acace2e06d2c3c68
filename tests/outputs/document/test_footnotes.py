"""Footnotes: which links are marks, which parts of the page are notes, and what they are called."""

from __future__ import annotations

import pytest
from document_nodes import Document, Note, Paragraph, SpanKind
from keep_visible import clean_visible, document_of
from shown_spans import plain_spans

from dehusk.outputs.document.output_options import OutputOptions


def said(document: Document) -> list[str]:
    """The paragraphs of the text; marks of footnotes are their labels in brackets."""
    return [plain_spans(node.spans) for node in document.children if isinstance(node, Paragraph)]


def notes(document: Document) -> dict[str, str]:
    return {note.label: _said(note) for note in document.notes}


def _said(note: Note) -> str:
    return " / ".join(plain_spans(node.spans) for node in note.children if isinstance(node, Paragraph))


MARKS = {
    "raised link": "<sup><a href=#n>1</a></sup>",
    "link with a raised number": "<a href=#n><sup>1</sup></a>",
    "in brackets": "<a href=#n>[1]</a>",
    "in round brackets": "<a href=#n>(1)</a>",
    "says so": "<a href=#n role=doc-noteref>1</a>",
    "brackets apart": "<sup><a href=#n><span>[</span>1<span>]</span></a></sup>",
    "with the address of the page": "<sup><a href='https://site.example/news/today.html#n'>1</a></sup>",
    "bold inside": "<a href=#n>[<b>1</b>]</a>",
    "a word before the number": "<sup><a href=#n>note 1</a></sup>",
}


@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_marks(mark: str) -> None:
    document = document_of(f"<p>Pins{mark} rust.</p><p id=n>Steel.</p>")
    assert said(document) == ["Pins[1] rust."]
    assert notes(document) == {"1": "Steel."}


NO_MARKS = {
    "neither raised nor in brackets": "<p>Pins <a href=#n>1</a> rust.</p><p id=n>Steel.</p>",
    "a word": "<p>Pins <sup><a href=#n>steel</a></sup> rust.</p><p id=n>Steel.</p>",
    "leads nowhere": "<p>Pins<sup><a href=#m>1</a></sup> rust.</p><p id=n>Steel.</p>",
    "leads to another page": "<p>Pins<sup><a href=/other#n>1</a></sup> rust.</p><p id=n>Steel.</p>",
    "leads to a heading": "<p>Pins<sup><a href=#n>1</a></sup> rust.</p><h2 id=n>Steel</h2>",
    "leads to what is around it": "<p id=n>Pins<sup><a href=#n>1</a></sup> rust.</p>",
    "leads backwards": "<p id=n>Steel.</p><p>Pins<sup><a href=#n>1</a></sup> rust.</p>",
    "leads to half the page": f"<p>Pins<sup><a href=#n>1</a></sup> rust.</p><div id=n>{'<p>Steel.</p>' * 13}</div>",
}


@pytest.mark.parametrize("html", NO_MARKS.values(), ids=NO_MARKS)
def test_no_marks(html: str) -> None:
    document = document_of(html)
    assert not document.notes
    assert any("1 rust." in text or "steel rust." in text for text in said(document))


def test_what_is_dropped_is_no_note() -> None:
    document = document_of("<p>Pins<sup><a href=#n>1</a></sup> rust.</p><p id=n>noise</p>", drop="noise")
    assert said(document) == ["Pins^1 rust."]
    assert not document.notes


def test_one_note_may_have_several_marks() -> None:
    document = document_of("<p>a<sup><a href=#n>1</a></sup> b<sup><a href=#n>1</a></sup></p><p id=n>Both.</p>")
    assert said(document) == ["a[1] b[1]"]
    assert notes(document) == {"1": "Both."}


BACK_LINKS = {
    "arrow": "<li id=n>Steel. <a href=#r>↩</a></li>",
    "number in brackets before the text": "<li id=n><a href=#r>[1]</a> Steel.</li>",
    "raised number before the text": "<li id=n><sup><a href=#r>1</a></sup> Steel.</li>",
    "in a paragraph of its own": "<li id=n><p>Steel.</p><p><a href=#r>back</a></p></li>",
}


@pytest.mark.parametrize("note", BACK_LINKS.values(), ids=BACK_LINKS)
def test_links_back_show_nothing_and_make_no_note_of_the_text(note: str) -> None:
    document = document_of(f"<p>Pins<sup id=r><a href=#n>1</a></sup> rust.</p><ol>{note}</ol>")
    assert said(document) == ["Pins[1] rust."]
    assert notes(document) == {"1": "Steel."}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1] Steel.", "Steel."),
        ("(1) Steel.", "Steel."),
        ("1. Steel.", "Steel."),
        ("<sup>1</sup> Steel.", "Steel."),
        ("<sup>1</sup><b>Steel</b>.", "Steel."),
        ("1 pin is enough.", "1 pin is enough."),
        ("1.5 pins are enough.", "1.5 pins are enough."),
        ("[2] Steel.", "[2] Steel."),
        ("[1]", "[1]"),
    ],
)
def test_a_note_does_not_repeat_its_mark(text: str, expected: str) -> None:
    assert notes(document_of(f"<p>Pins<sup><a href=#n>1</a></sup> rust.</p><p id=n>{text}</p>")) == {"1": expected}


def test_a_star_is_no_label_and_takes_none_away() -> None:
    html = "<p>a<sup><a href=#s>*</a></sup> b<sup><a href=#n>1</a></sup></p><p id=s>* Star.</p><p id=n>One.</p>"
    document = document_of(html)
    assert said(document) == ["a[2] b[1]"]
    assert notes(document) == {"2": "Star.", "1": "One."}


def test_numbers_that_begin_anew_are_told_apart() -> None:
    html = "<p>a<sup><a href=#m>1</a></sup></p><p id=m>First.</p><p>b<sup><a href=#n>1</a></sup></p><p id=n>Second.</p>"
    document = document_of(html)
    assert said(document) == ["a[1]", "b[2]"]
    assert notes(document) == {"1": "First.", "2": "Second."}


def test_hidden_text_before_a_note_does_not_hide_it() -> None:
    html = "<p>a<sup><a href=#n>1</a></sup></p><p id=n><span hidden>x</span>Steel.</p>"
    assert notes(document_of(html)) == {"1": "Steel."}


def test_an_image_in_a_mark_does_not_double_it() -> None:
    html = "<p>a<a href=#n>[<img src=i.png>1]</a></p><p id=n>Steel.</p>"
    (paragraph,) = document_of(html, OutputOptions(images=True)).children
    assert isinstance(paragraph, Paragraph)
    assert [span.kind for span in paragraph.spans].count(SpanKind.NOTE) == 1


def test_footnotes_can_stay_as_they_stand() -> None:
    html = "<p>Pins<sup><a href=#n>1</a></sup> rust.</p><p id=n>1. Steel. <a href=#r>↩</a></p>"
    document = document_of(html, OutputOptions(footnotes=False))
    assert said(document) == ["Pins^1 rust.", "1. Steel. ↩"]
    assert not document.notes


def test_a_broken_address_of_the_page_does_no_harm() -> None:
    page = clean_visible("<p>Pins<sup><a href=#n>1</a></sup> rust.</p><p id=n>Steel.</p>", url="http://[broken#x")
    assert page.render("text") == "Pins[1] rust.\n\n[1] Steel.\n"
