"""What Markdown makes of formulas and definition lists, in Python: twins of `native/src/document`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import document_nodes as tree

_LATEX = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"<(?=[A-Za-z/!?])"), r"\\lt "),
    # Only an underscore that can open emphasis: without one, none is closed.
    (re.compile(r"(?<![^\W_])_(?!\s)"), "_ "),
    # The same of stars. At the end, a blank would be before the dollar, where some parsers allow none.
    (re.compile(r"(?<!\\)\*$"), "{* }"),
    (re.compile(r"(?<!\\)\*(?=[^\W_])|(?<![^\W_])(?<!\\)\*(?!\s)"), "* "),
    (re.compile(r"`"), r"\\grave{}"),
    (re.compile(r"(?<!\\)\$"), r"\\$"),
    (re.compile(r"&(?=#?\w+;)"), "& "),
    (re.compile(r"\](?=[(\[:])"), "] "),
    (re.compile(r"\[(?=\^)"), "[ "),
    (re.compile(r"\^(?=\[)"), "^ "),
    (re.compile(r"~(?=~)"), "~ "),
)


def safe_latex(latex: str) -> str:
    """The same formula without anything that a parser without formula support would read as markup."""
    for pattern, substitute in _LATEX:
        latex = pattern.sub(substitute, latex)
    # A backslash at the end would escape the dollar.
    return f"{latex} " if latex.endswith("\\") else latex


def definitions_as_items(definitions: tree.DefinitionList) -> tree.ItemList:
    """A definition list as a list of terms, each with a nested list of its descriptions."""
    items: list[tree.Item] = []
    for definition in definitions.definitions:
        descriptions = tuple(map(tree.Item, definition.descriptions))
        if not definition.terms:
            items += descriptions
            continue
        below = (tree.ItemList(descriptions),) if descriptions else ()
        items.append(tree.Item((*_joined(definition.terms), *below)))
    return tree.ItemList(tuple(items))


def _joined(terms: Sequence[tuple[tree.Node, ...]]) -> tuple[tree.Node, ...]:
    """Join terms into one paragraph if each is one; otherwise concatenate them."""
    paragraphs: list[tree.Spans] = []
    for term in terms:
        if len(term) != 1 or not isinstance(term[0], tree.Paragraph):
            return tuple(chain.from_iterable(terms))
        paragraphs.append(term[0].spans)
    spans = chain.from_iterable((tree.LINE_BREAK, *spans) for spans in paragraphs)
    return (tree.Paragraph(tuple(spans)[1:]),)
