"""Document transformations for formats that lack some structures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, groupby

from dehusk.outputs.document import nodes as tree


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


Runs = list[tuple[bool, list[tree.Span]]]


def outer_quotations(spans: Sequence[tree.Span], mark_of: Callable[[tree.Marks], object]) -> Runs:
    """Split spans into runs; True marks a quotation that contains text both with and without the given mark.

    Such a quotation must enclose the mark, so its spans are no longer marked as quoted. Otherwise a quotation around a
    link would become three: before, inside and after the link. Ruby text is left as it is.
    """
    runs: Runs = []
    for is_quoted, group in groupby(spans, key=lambda span: span.marks.quoted):
        run = list(group)
        is_outer = is_quoted and len({mark_of(span.marks) for span in run}) > 1
        if is_outer and not any(span.marks.ruby for span in run):
            runs.append((True, [span._replace(marks=span.marks._replace(quoted=False)) for span in run]))
        elif runs and not runs[-1][0]:
            runs[-1][1].extend(run)
        else:
            runs.append((False, run))
    return runs


def inner_nodes(node: tree.Node) -> tuple[tree.Node, ...]:
    """The children of a node in reading order; none for headings, paragraphs and code."""
    match node:
        case tree.ItemList(items):
            return tuple(chain.from_iterable(item.children for item in items))
        case tree.DefinitionList(definitions):
            parts = chain.from_iterable((*definition.terms, *definition.descriptions) for definition in definitions)
            return tuple(chain.from_iterable(parts))
        case tree.Table(rows, _, caption):
            return (*caption, *(node for row in rows for cell in row for node in cell.children))
        case tree.Figure(children, caption):
            return (*children, *caption)
        case tree.Quote(children) | tree.Comments(children):
            return children
    return ()


def _joined(terms: Sequence[tuple[tree.Node, ...]]) -> tuple[tree.Node, ...]:
    """Join terms into one paragraph if each is one; otherwise concatenate them."""
    paragraphs: list[tree.Spans] = []
    for term in terms:
        if len(term) != 1 or not isinstance(term[0], tree.Paragraph):
            return tuple(chain.from_iterable(terms))
        paragraphs.append(term[0].spans)
    spans = chain.from_iterable((tree.LINE_BREAK, *spans) for spans in paragraphs)
    return (tree.Paragraph(tuple(spans)[1:]),)


def without_mark(note: tuple[tree.Node, ...], mark: str) -> tuple[tree.Node, ...]:
    """A footnote without the mark at its start, which its label replaces.

    A bare number may be part of a sentence: it counts as a mark only if superscript, in brackets or before a full stop.
    """
    first = note[0] if note else None
    if not isinstance(first, tree.Paragraph):
        return note
    spans = _after(first.spans, _length_of_mark(first.spans, mark))
    return (replace(first, spans=spans), *note[1:]) if spans else note


def _length_of_mark(spans: tree.Spans, mark: str) -> int:
    """Length of the mark at the start of the first span; 0 if there is none."""
    text, sign = spans[0].text, re.escape(mark)
    if spans[0].kind is not tree.SpanKind.TEXT:
        return 0
    if spans[0].marks.superscript and text.strip() == mark:
        return len(text)
    bare = "" if mark.isalnum() else f"|{sign}"
    found = re.match(rf"\[{sign}\]|\({sign}\)|{sign}[.):](?=\s){bare}", text)
    return found.end() if found else 0


def _after(spans: tree.Spans, length: int) -> tree.Spans:
    """Spans without the first `length` characters and the blanks after them."""
    if not length:
        return spans
    rest, others = spans[0].text[length:].lstrip(), spans[1:]
    if rest:
        return (spans[0]._replace(text=rest), *others)
    if others and others[0].kind is tree.SpanKind.TEXT:
        return (others[0]._replace(text=others[0].text.lstrip()), *others[1:])
    return others
