"""Formulas as LaTeX, where a page provides it: in MathML, MathJax scripts, and the alternative text of images.

MathML without LaTeX stays plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dehusk.page.page_columns import Page
from dehusk.page.page_reading import MATH_SCRIPT
from dehusk.page.tags import TAG_CODES, TAGS

_ANNOTATION: Final = "annotation"
_OF_A_FORMULA: Final = re.compile(
    r"(?:^|\s)(?:tex|latex|math|mwe-math-fallback-image-\w+|ee_img|math-tex)(?:\s|$)", re.I
)
"""Classes of images of formulas, with LaTeX as alternative text."""
_IS_LATEX: Final = re.compile(r"[\\^_{]")
_DELIMITERS: Final = (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)"), (r"{\displaystyle ", "}"))


@dataclass(frozen=True, slots=True)
class Formulas:
    """The formulas of a page by the row of their element."""

    latex: dict[int, str] = field(default_factory=dict)
    displayed: frozenset[int] = frozenset()
    """Display formulas, which have a line of their own."""
    textless: frozenset[int] = frozenset()
    """Rows of images and scripts, which contain no text of the page."""


def find_formulas(page: Page) -> Formulas:
    """All formulas of a page that have LaTeX."""
    textless = {row: latex for row, latex in (*_images(page), *_scripts(page)) if latex}
    latex = {row: text for row, text in _elements(page) if text} | textless
    if not latex:
        return Formulas()
    displayed = {row for row, value in page.with_attribute("display") if value.strip().lower() == "block"}
    displayed |= {row for row, value in page.with_attribute("type") if "mode=display" in value.lower()}
    displayed |= {
        row for row, value in page.with_attribute("class") if "image-display" in value or "image-block" in value
    }
    return Formulas(latex, frozenset(displayed & latex.keys()), frozenset(textless))


def _elements(page: Page) -> Iterator[tuple[int, str]]:
    """`<math>` elements: their annotation, or the attribute that LaTeXML writes."""
    is_math = page.tag == TAG_CODES["math"]
    if not is_math.any():
        return
    for row, value in page.with_attribute("alttext"):
        if is_math[row]:
            yield row, bare_latex(value)
    if _ANNOTATION in page.other_tags:
        code = len(TAGS) + page.other_tags.index(_ANNOTATION)
        notes = [
            row for row, value in page.with_attribute("encoding") if page.tag[row] == code and "tex" in value.lower()
        ]
        owners = page.climb(np.array(notes, dtype=np.int32), is_math).tolist()
        for row, owner in zip(notes, owners, strict=True):
            if owner >= 0:
                yield owner, bare_latex(page.text[page.text_start[row] : page.text_end[row]])


def _images(page: Page) -> Iterator[tuple[int, str]]:
    for row, value in page.with_attribute("alt"):
        # The cheapest check first.
        if not _IS_LATEX.search(value) or page.tag[row] != TAG_CODES["img"]:
            continue
        # The image itself may be hidden from screen readers, which read the MathML beside it.
        if page.hidden[page.parent[row]]:
            continue
        if _OF_A_FORMULA.search(page.attributes(row).get("class", "")):
            yield row, bare_latex(value)


def _scripts(page: Page) -> Iterator[tuple[int, str]]:
    for row, text in page.embedded:
        if page.tag[row] == TAG_CODES["script"] and page.attributes(row).get("type", "").lower().startswith(
            MATH_SCRIPT
        ):
            yield row, bare_latex(text)


def bare_latex(text: str) -> str:
    """LaTeX on one line, without delimiters."""
    latex = " ".join(text.split())
    for begin, end in _DELIMITERS:
        if latex.startswith(begin) and latex.endswith(end) and len(latex) >= len(begin) + len(end):
            latex = latex[len(begin) : -len(end)].strip()
    return latex
