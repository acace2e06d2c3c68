"""Document transformations for formats that lack some structures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, groupby

from dehusk.outputs.document import nodes as tree

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
        case tree.Callout(_, title, children):
            return (*title, *children)
        case tree.Quote(children) | tree.Comments(children):
            return children
    return ()
