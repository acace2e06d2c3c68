"""Formulas: where a page tells their LaTeX, and that each is shown once, in its place."""

from __future__ import annotations

import pytest
from document_nodes import DISPLAY, Document, Paragraph, Span, SpanKind
from keep_visible import document_of
from shown_spans import plain_spans

from dehusk.outputs.document.output_options import OutputOptions

ANNOTATED = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>"
FALLBACK = "<img class=mwe-math-fallback-image-inline aria-hidden=true src=/x.svg alt='{\\displaystyle x^2}'>"


def lines(document: Document) -> list[str]:
    return [plain_spans(node.spans) for node in document.children if isinstance(node, Paragraph)]


def formulas(document: Document) -> list[Span]:
    spans = [span for node in document.children if isinstance(node, Paragraph) for span in node.spans]
    return [span for span in spans if span.kind is SpanKind.FORMULA]


FORMULAS = {
    "MathML with an annotation": ANNOTATED,
    "MathML of LaTeXML": "<math alttext='x^2'><mi>x</mi></math>",
    "KaTeX": f"<span class=katex-mathml>{ANNOTATED}</span><span class=katex-html aria-hidden=true>x2</span>",
    "script for MathJax": "<script type=math/tex>x^2</script>",
    "image of an encyclopedia, and hidden MathML": f"<span style='display:none'>{ANNOTATED}</span>{FALLBACK}",
    "image of an encyclopedia alone": FALLBACK,
    "image of a blog": "<img class=latex src=/x.png alt='x^2'>",
}


@pytest.mark.parametrize("options", [OutputOptions(), OutputOptions(images=True)], ids=["", "with images"])
@pytest.mark.parametrize("markup", FORMULAS.values(), ids=FORMULAS)
def test_a_formula_is_shown_once(markup: str, options: OutputOptions) -> None:
    assert lines(document_of(f"<p>a {markup} b</p>", options)) == ["a $x^2$ b"]
    assert lines(document_of(f"<p>a {markup}</p><p>b</p>", options)) == ["a $x^2$", "b"]
    assert lines(document_of(f"<p>{markup} a</p><p>b</p>", options)) == ["$x^2$ a", "b"]


@pytest.mark.parametrize("name", [name for name in FORMULAS if name != "KaTeX"])
def test_a_formula_may_stand_alone(name: str) -> None:
    assert lines(document_of(f"<p>a</p><p>{FORMULAS[name]}</p><p>b</p>")) == ["a", "$x^2$", "b"]


@pytest.mark.parametrize(
    "markup",
    [
        "<math display=block><semantics><mi>x</mi><annotation encoding=TeX>x^2</annotation></semantics></math>",
        "<script type='math/tex; mode=display'>x^2</script>",
        "<img class=mwe-math-fallback-image-display src=/x.svg alt='x^2'>",
    ],
)
def test_displayed_formulas(markup: str) -> None:
    assert [span.address for span in formulas(document_of(f"<p>a {markup} b</p>"))] == [DISPLAY]


def test_formulas_differ() -> None:
    html = "<p>a <script type=math/tex>x</script><script type=math/tex>y</script> b</p>"
    assert lines(document_of(html)) == ["a $x$$y$ b"]


def test_hidden_formulas_stay_hidden() -> None:
    html = "<p>a</p><div hidden><img class=latex src=/x.png alt='x^2'></div><p>b</p>"
    assert lines(document_of(html, OutputOptions(images=True))) == ["a", "b"]


def test_hidden_text_elsewhere_moves_no_formula() -> None:
    html = "<p><i hidden>h</i>a <img class=latex src=/x.png alt='x^2'> b <i hidden>h</i>c</p><p>d</p>"
    assert lines(document_of(html)) == ["a $x^2$ b c", "d"]


def test_images_that_are_no_formulas() -> None:
    assert not formulas(document_of("<p>a <img class=latex src=/x.png alt=cat> b <img src=/y.png alt='x^2'> c</p>"))


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("$x$", "x"),
        ("$$ x $$", "x"),
        (r"\(x\)", "x"),
        (r"\[ x \]", "x"),
        (r"{\displaystyle x}", "x"),
        ("a\n  b", "a b"),
        ("$", "$"),
        ("", ""),
    ],
)
def test_what_says_that_it_is_a_formula_goes(text: str, latex: str) -> None:
    found = formulas(document_of(f"<p>a <script type=math/tex>{text}</script> b</p>"))
    assert [span.text for span in found] == ([latex] if latex else [])
