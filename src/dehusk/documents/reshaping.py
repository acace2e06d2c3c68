"""The same document in other shapes, for formats that lack some."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from dehusk.documents.nodes import (
    LINE_BREAK,
    Comments,
    DefinitionList,
    Figure,
    Item,
    ItemList,
    Node,
    Paragraph,
    Quote,
    Spans,
    Table,
)


def definitions_as_items(definitions: DefinitionList) -> ItemList:
    """A list of terms, in each of which there is a list of what is said of them."""
    items: list[Item] = []
    for definition in definitions.definitions:
        descriptions = tuple(map(Item, definition.descriptions))
        if not definition.terms:
            items += descriptions
            continue
        below = (ItemList(descriptions),) if descriptions else ()
        items.append(Item((*_joined(definition.terms), *below)))
    return ItemList(tuple(items))


def inner_nodes(node: Node) -> tuple[Node, ...]:
    """What is directly in a node, in reading order; nothing in headings, paragraphs and code."""
    match node:
        case ItemList(items):
            return tuple(chain.from_iterable(item.children for item in items))
        case DefinitionList(definitions):
            parts = chain.from_iterable((*definition.terms, *definition.descriptions) for definition in definitions)
            return tuple(chain.from_iterable(parts))
        case Table(rows, _, caption):
            return (*caption, *(node for row in rows for cell in row for node in cell.children))
        case Figure(children, caption):
            return (*children, *caption)
        case Quote(children) | Comments(children):
            return children
    return ()


def _joined(terms: Sequence[tuple[Node, ...]]) -> tuple[Node, ...]:
    """Terms of one paragraph each, as one; others one after the other."""
    paragraphs: list[Spans] = []
    for term in terms:
        if len(term) != 1 or not isinstance(term[0], Paragraph):
            return tuple(chain.from_iterable(terms))
        paragraphs.append(term[0].spans)
    spans = chain.from_iterable((LINE_BREAK, *spans) for spans in paragraphs)
    return (Paragraph(tuple(spans)[1:]),)
