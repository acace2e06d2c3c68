"""The structure of a Document, and the one that a Markdown parser finds: nested tuples that can be compared.

A list is (`ul`, None) or (`ol`, number of the first item) with its items, a table its rows of texts. Texts are without
white space: blanks around marks may move. Bullets inside cells, where Markdown has no lists, do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from document_nodes import (
    DISPLAY,
    Callout,
    CodeBlock,
    Comments,
    DefinitionList,
    Document,
    Figure,
    Heading,
    ItemList,
    Node,
    Note,
    Paragraph,
    Quote,
    Span,
    SpanKind,
    Table,
    inner_nodes,
)
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_twins import definitions_as_items, safe_latex
from mdit_py_plugins.footnote import footnote_plugin
from shown_spans import plain_spans

Shape = tuple[Any, ...]
PARSER = MarkdownIt("commonmark", {"maxNesting": 400}).enable("table").use(footnote_plugin)
"""By default it drops what is nested deeper than 20 elements, which ten lists in each other are."""
OWN_ELEMENTS = frozenset({"<br>", *(f"<{end}{name}>" for name in ("del", "sub", "sup") for end in ("", "/"))})


def structure_of_document(document: Document) -> tuple[Shape, dict[str, Shape]]:
    """(the text, the notes by label) as Markdown should say it."""
    notes = {note.label: _note(note) for note in document.notes}
    return tuple(_shapes(document.children)), notes


def _note(note: Note) -> Shape:
    shapes = tuple(_shapes(note.children))
    # A note has to begin with a paragraph.
    return shapes if note.children and isinstance(note.children[0], Paragraph) else (("p", ""), *shapes)


def _shapes(nodes: Sequence[Node]) -> Iterator[Shape]:
    for before, node in zip([None, *nodes], nodes, strict=False):
        if before is not None and isinstance(node, Comments) != isinstance(before, Comments):
            yield ("hr",)
        yield from _shapes_of(node)


def _shapes_of(node: Node) -> Iterator[Shape]:
    match node:
        case Heading(level, spans):
            yield (f"h{level}", shown(spans))
        case Paragraph(spans):
            yield ("p", shown(spans))
        case CodeBlock(code, language):
            yield ("code", language, code + "\n")
        case Quote() | Callout():
            yield ("quote", *(_shapes(node.children) if isinstance(node, Quote) else _callout(node)))
        case ItemList(items, is_ordered):
            number = items[0].number if is_ordered else None
            yield ("ol" if is_ordered else "ul", number, *(tuple(_shapes(item.children)) for item in items))
        case DefinitionList():
            yield from _shapes_of(definitions_as_items(node))
        case Table():
            yield from _shapes(node.caption)
            yield ("table", *_rows(node))
        case Figure(children, caption):
            yield from _shapes([*children, *caption])
        case Comments(children):
            yield from _shapes(children)


def _callout(callout: Callout) -> Iterator[Shape]:
    """A paragraph with the kind, the title and the first text, and the rest."""
    titles = [text for text in map(_text_within, callout.title) if text.lower().rstrip(":") != callout.kind]
    shapes = list(_shapes(callout.children))
    first = shapes.pop(0)[1:] if callout.children and isinstance(callout.children[0], Paragraph) else ()
    yield ("p", _folded(" ".join([f"[!{callout.kind.upper()}]", *titles, *first])))
    yield from shapes


def _rows(table: Table) -> Iterator[Shape]:
    if not table.header_rows and any(cell.is_header for row in table.rows for cell in row):
        yield ("",) * table.width
    for row in table.rows:
        texts = {cell.column: _without_bullets("".join(map(_text_within, cell.children))) for cell in row}
        yield tuple(texts.get(column, "") for column in range(table.width))


def _text_within(node: Node) -> str:
    match node:
        case Heading(_, spans) | Paragraph(spans):
            return shown(spans)
        case CodeBlock(code):
            return _folded(code)
    return "".join(map(_text_within, inner_nodes(node)))


def shown(spans: Sequence[Span]) -> str:
    """Spans as a reader of Markdown sees them."""
    return _folded(plain_spans([_readable(span) for span in spans]))


def _readable(span: Span) -> Span:
    if span.kind is not SpanKind.FORMULA:
        return span
    fence = "$$" if span.address == DISPLAY else "$"
    # A parser that knows no formulas takes some backslashes for escapes.
    return Span(f"{fence}{safe_latex(span.text)}{fence}".replace("\\", ""), span.marks)


def _folded(text: str) -> str:
    return "".join(text.split()).replace("^", "")


def _without_bullets(text: str) -> str:
    return text.replace("-", "")


def structure_of_markdown(markdown: str, has_formulas: bool = False) -> tuple[Shape, dict[str, Shape]]:
    """The same from what the parser finds. Nothing may be taken for html but our own elements."""
    reader = _Reader(PARSER.parse(markdown), has_formulas)
    shapes = tuple(reader.shapes(until=""))
    return shapes, reader.notes


class _Reader:
    """Reads tokens from the first to the last."""

    def __init__(self, tokens: Sequence[Token], has_formulas: bool) -> None:
        self._tokens = iter(tokens)
        self._has_formulas = has_formulas
        self.notes: dict[str, Shape] = {}

    def shapes(self, until: str) -> Iterator[Shape]:
        for token in self._tokens:
            if token.type == until:
                return
            assert token.type in _READERS, token
            yield from _READERS[token.type](self, token)

    def text(self, until: str) -> str:
        return "".join(self.inline(token) for token in self._until(until))

    def inline(self, token: Token) -> str:
        text = "".join(map(_text_of, token.children or ()))
        return _folded(text.replace("\\", "") if self._has_formulas else text)

    def _until(self, kind: str) -> Iterator[Token]:
        for token in self._tokens:
            if token.type == kind:
                return
            yield token

    def heading(self, token: Token) -> Iterator[Shape]:
        yield (token.tag, self.text("heading_close"))

    def paragraph(self, token: Token) -> Iterator[Shape]:
        yield ("p", self.text("paragraph_close"))

    def fence(self, token: Token) -> Iterator[Shape]:
        yield ("code", token.info, token.content)

    def quote(self, token: Token) -> Iterator[Shape]:
        yield ("quote", *self.shapes("blockquote_close"))

    def item_list(self, token: Token) -> Iterator[Shape]:
        number = int(token.attrs.get("start", 1)) if token.tag == "ol" else None
        kind = token.type.replace("open", "close")
        yield (token.tag, number, *(tuple(self.shapes("list_item_close")) for _ in self._until(kind)))

    def table(self, token: Token) -> Iterator[Shape]:
        rows: list[list[str]] = []
        for inner in self._until("table_close"):
            if inner.type == "tr_open":
                rows.append([])
            elif inner.type == "inline":
                rows[-1].append(_without_bullets(self.inline(inner)))
        yield ("table", *map(tuple, rows))

    def rule(self, token: Token) -> Iterator[Shape]:
        yield ("hr",)

    def all_notes(self, token: Token) -> Iterator[Shape]:
        for inner in self._until("footnote_block_close"):
            assert inner.type == "footnote_open"
            self.notes[inner.meta["label"]] = tuple(self.shapes("footnote_close"))
        yield from ()

    def nothing(self, token: Token) -> Iterator[Shape]:
        yield from ()


_READERS: dict[str, Callable[[_Reader, Token], Iterator[Shape]]] = {
    "heading_open": _Reader.heading,
    "paragraph_open": _Reader.paragraph,
    "fence": _Reader.fence,
    "blockquote_open": _Reader.quote,
    "bullet_list_open": _Reader.item_list,
    "ordered_list_open": _Reader.item_list,
    "table_open": _Reader.table,
    "hr": _Reader.rule,
    "footnote_block_open": _Reader.all_notes,
    "footnote_anchor": _Reader.nothing,
}


def _text_of(token: Token) -> str:
    if token.type == "html_inline":
        assert token.content in OWN_ELEMENTS, token.content
        return ""
    if token.type == "footnote_ref":
        return f"[{token.meta['label']}]"
    return "" if token.type == "image" else token.content


def has_formulas(document: Document) -> bool:
    return bool(re.search("FORMULA", repr(document)))
