# ruff: noqa: E501 - markup as tools write it
"""Formulas that MathJax 3 has drawn, as elements or as SVG, without MathML for screen readers."""

from __future__ import annotations

import pytest
from keep_visible import clean_visible

_LAYOUT = {
    "mfrac": "<mjx-frac><mjx-num>{0}</mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den>{1}"
    "</mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac>",
    "atop": "<mjx-frac><mjx-num>{0}</mjx-num><mjx-dbox><mjx-dtable><mjx-row><mjx-den>{1}</mjx-den></mjx-row></mjx-dtable>"
    "</mjx-dbox></mjx-frac>",
    "msqrt": "<mjx-sqrt><mjx-surd><mjx-mo><mjx-c class='mjx-c221A'></mjx-c></mjx-mo></mjx-surd><mjx-box>{0}</mjx-box></mjx-sqrt>",
    "mroot": "<mjx-sqrt><mjx-root>{1}</mjx-root><mjx-surd></mjx-surd><mjx-box>{0}</mjx-box></mjx-sqrt>",
    "msup": "{0}<mjx-script>{1}</mjx-script>",
    "msub": "{0}<mjx-script>{1}</mjx-script>",
    "msubsup": "{0}<mjx-script>{2}<mjx-spacer></mjx-spacer>{1}</mjx-script>",
    "munder": "<mjx-row><mjx-base>{0}</mjx-base></mjx-row><mjx-row><mjx-under>{1}</mjx-under></mjx-row>",
    "mover": "<mjx-over>{1}</mjx-over><mjx-base>{0}</mjx-base>",
    "munderover": "<mjx-over>{2}</mjx-over><mjx-box><mjx-munder><mjx-row><mjx-base>{0}</mjx-base></mjx-row><mjx-row>"
    "<mjx-under>{1}</mjx-under></mjx-row></mjx-munder></mjx-box>",
    "mtable": "<mjx-table><mjx-itable>{0}{1}</mjx-itable></mjx-table>",
}
_DRAWING = {
    "mfrac": "{0}{1}<rect></rect>",
    "atop": "{0}{1}",
    "msqrt": "<g transform='translate(853,0)'>{0}</g><g data-mml-node='mo'><path data-c='221A'></path></g><rect></rect>",
    "mroot": "<g>{0}</g>{1}<g data-mml-node='mo'><path data-c='221A'></path></g><rect></rect>",
    "msubsup": "{0}{2}{1}",
}
_TOKENS = {"mi", "mo", "mn", "mtext"}
Tree = tuple[object, ...]
"""The name of an element, and its text or the elements in it."""


def _as_elements(tree: Tree) -> str:
    name, *inside = tree
    tag = "mfrac" if name == "atop" else name
    if name in _TOKENS:
        parts = "".join(f"<mjx-c class='mjx-c{ord(sign):X} TEX-I'></mjx-c>" for sign in str(inside[0]))
    else:
        parts = _LAYOUT.get(str(name), "{0}{1}{2}").format(*map(_as_elements, inside), *("",) * 3)  # type: ignore[arg-type]
    return f"<mjx-{tag}>{parts}</mjx-{tag}>"


def _as_drawing(tree: Tree) -> str:
    name, *inside = tree
    tag = "mfrac" if name == "atop" else name
    if name in _TOKENS:
        parts = "".join(f"<path data-c='{ord(sign):X}' d='M1'></path>" for sign in str(inside[0]))
    else:
        parts = _DRAWING.get(str(name), "{0}{1}{2}").format(*map(_as_drawing, inside), *("",) * 3)  # type: ignore[arg-type]
    return f"<g data-mml-node='{tag}'>{parts}</g>"


_A, _B, _N = ("mi", "𝑎"), ("mi", "𝑏"), ("mi", "𝑛")
_FORMULAS: list[tuple[list[Tree], str]] = [
    ([("mi", "𝐸"), ("mo", "="), ("mi", "𝑚"), ("msup", ("mi", "𝑐"), ("mn", "2"))], "E = mc^{2}"),
    ([("mfrac", _A, ("mrow", _B, ("mo", "+"), ("mn", "1")))], r"\frac{a}{b + 1}"),
    ([("mo", "("), ("atop", _A, _B), ("mo", ")")], r"\binom{a}{b}"),
    ([("msqrt", _A), ("mroot", _B, ("mn", "3"))], r"\sqrt{a}\sqrt[3]{b}"),
    ([("msubsup", _A, _B, ("mn", "2"))], "a_{b}^{2}"),
    ([("munderover", ("mo", "∑"), _A, _N), _B], r"\sum_{a}^{n}b"),
    ([("munder", ("mi", "lim"), _A), ("mover", _B, ("mo", "^"))], r"\lim_{a}\hat{b}"),
    (
        [("mtable", ("mtr", ("mtd", _A), ("mtd", _B)), ("mtr", ("mtd", _N)))],
        r"\begin{aligned} a & b \\ n \end{aligned}",
    ),
    ([("mi", "sin"), ("mo", "\u2061"), ("TeXAtom", _A)], r"\sin a"),
    ([("mi", "d"), ("mi", "ℝ"), ("mtext", "if"), ("mo", "<")], r"\mathrm{d}\mathbb{R}\text{if} <"),
    ([("mo", "⎛⎜⎝"), _A, ("mo", "⎞⎟⎠")], "(a)"),
]


@pytest.mark.parametrize(("trees", "latex"), _FORMULAS)
def test_elements_become_latex(trees: list[Tree], latex: str) -> None:
    drawn = "".join(map(_as_elements, trees))
    formula = f"<mjx-container class=MathJax jax=CHTML display=true><mjx-math aria-hidden=true>{drawn}</mjx-math></mjx-container>"
    assert (
        clean_visible(f"<p>Hence</p>{formula}<p>holds.</p>").render("markdown") == f"Hence\n\n$${latex}$$\n\nholds.\n"
    )


@pytest.mark.parametrize(("trees", "latex"), _FORMULAS)
def test_drawings_become_latex(trees: list[Tree], latex: str) -> None:
    drawn = "".join(map(_as_drawing, trees))
    formula = f"<mjx-container class=MathJax jax=SVG display=true><svg><g><g data-mml-node=math>{drawn}</g></g></svg></mjx-container>"
    assert (
        clean_visible(f"<p>Hence</p>{formula}<p>holds.</p>").render("markdown") == f"Hence\n\n$${latex}$$\n\nholds.\n"
    )


def test_a_drawing_amid_a_sentence_has_its_limits_the_other_way_round() -> None:
    parts = "".join(map(_as_drawing, [("mo", "∑"), _N, _A]))
    drawn = f"<svg><g data-mml-node=math><g data-mml-node=munderover>{parts}</g></g></svg>"
    html = f"<p>If <mjx-container jax=SVG>{drawn}</mjx-container> holds.</p>"
    assert clean_visible(html).render("markdown") == "If $\\sum_{a}^{n}$ holds.\n"


def test_letters_in_script_are_told_by_their_class() -> None:
    html = "<p>a <mjx-container><mjx-math><mjx-mi><mjx-c class='mjx-c4C TEX-C'></mjx-c></mjx-mi></mjx-math></mjx-container></p>"
    assert clean_visible(html).render("markdown") == "a $\\mathcal{L}$\n"
    drawn = "<svg><g data-mml-node=math><g data-mml-node=mi data-mjx-variant=-tex-calligraphic><path data-c=4C></path></g></g></svg>"
    assert clean_visible(f"<p>a <mjx-container>{drawn}</mjx-container></p>").render("markdown") == "a $\\mathcal{L}$\n"


def test_containers_without_characters_show_nothing() -> None:
    html = "<p>a <mjx-container><mjx-math><mjx-mi></mjx-mi></mjx-math></mjx-container> b</p>"
    assert clean_visible(html).render("markdown") == "a b\n"


def test_deep_drawings_are_read_in_part() -> None:
    deep = "<mjx-mrow>" * 3_000
    html = f"<p>a <mjx-container><mjx-math><mjx-mi><mjx-c class=mjx-c1D44E></mjx-c></mjx-mi>{deep}</mjx-container></p><p>b</p>"
    assert "$a$" in clean_visible(html).render("markdown")
