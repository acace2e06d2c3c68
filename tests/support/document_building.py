"""Labelled blocks -> Document: the document that the compiled part writes formats from, node by node.

It hands over columns (`native/src/document/document_columns.rs`): strings, spans, and entries in the order of the text,
each before what is in it. This module makes nodes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import document_nodes as tree
from numpy.typing import NDArray

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_calls import Form, document_in_form
from dehusk.outputs.document.output_options import OutputOptions

_DEFAULT: Final = OutputOptions()
_FLAGS: Final = tree.Marks._fields[tree.Marks._fields.index("reading") :]
"""Marks that are either there or not, in the order of their bits."""
_DISPLAY_FORMULA: Final = 6
"""The kind of a span that is a display formula."""
_TASK: Final = 7
"""The kind of a span that is the box of a task: text, but no markup of Markdown to escape."""
_COLUMNS: Final = 9


def build_document(labelled: LabelledBlocks, options: OutputOptions = _DEFAULT) -> tree.Document:
    """The document of the kept blocks, with languages and directions."""
    return _Columns(document_in_form(Form.COLUMNS, labelled, options).columns(_COLUMNS)).document()


class _Columns:
    """Columns of a document being read, entry by entry."""

    def __init__(self, columns: Sequence[NDArray[Any]]) -> None:
        strings, counts, locales, kind, children, values, span_kind, span_flags, span_values = columns
        # Each string ends with a NUL: no page contains one.
        self._strings = strings.tobytes().decode().split("\0")
        self._counts: list[int] = counts.tolist()
        pairs = locales.reshape(-1, 2).tolist()
        self._locales = [tree.Locale(self._strings[language], self._strings[way]) for language, way in pairs]
        self._entries = zip(kind.tolist(), children.tolist(), values.reshape(-1, 4).tolist(), strict=True)
        spans = zip(span_kind.tolist(), span_flags.tolist(), span_values.reshape(-1, 4).tolist(), strict=True)
        self._known_marks: dict[tuple[int, int, int], tree.Marks] = {(0, 0, 0): tree.UNMARKED}
        self._spans = tuple(self._span(*span) for span in spans)

    def document(self) -> tree.Document:
        """The document: its nodes, then its notes."""
        title, language, direction = self._strings[:3]
        children, notes, _ = self._counts
        return tree.Document(
            title, tree.Locale(language, direction), self._nodes(children), tuple(self._note() for _ in range(notes))
        )

    def _span(self, kind: int, flags: int, values: Sequence[int]) -> tree.Span:
        text, link, address, ruby = values
        if kind == tree.SpanKind.LINE_BREAK.value:
            return tree.LINE_BREAK
        marks = self._marks(link, ruby, flags)
        if kind == _DISPLAY_FORMULA:
            return tree.Span(self._strings[text], marks, tree.SpanKind.FORMULA, tree.DISPLAY)
        of_kind = tree.SpanKind.TEXT if kind == _TASK else _SPAN_KINDS[kind]
        return tree.Span(self._strings[text], marks, of_kind, self._address(address))

    def _marks(self, link: int, ruby: int, flags: int) -> tree.Marks:
        known = self._known_marks.get((link, ruby, flags))
        if known is None:
            set_flags = {name: True for bit, name in enumerate(_FLAGS) if flags >> bit & 1}
            known = self._known_marks[link, ruby, flags] = tree.Marks(self._address(link), ruby, **set_flags)
        return known

    def _address(self, number: int) -> str:
        """An address: they follow the title, the language and the direction of the page."""
        return self._strings[3 + number]

    def _nodes(self, count: int) -> tuple[tree.Node, ...]:
        return tuple(self._node() for _ in range(count))

    def _node(self) -> tree.Node:
        kind, children, values = next(self._entries)
        return _MAKERS[kind](self, children, *values)

    def _heading(self, _: int, first: int, end: int, level: int, locale: int) -> tree.Node:
        return tree.Heading(level, self._spans[first:end], self._locales[locale])

    def _paragraph(self, _: int, first: int, end: int, __: int, locale: int) -> tree.Node:
        return tree.Paragraph(self._spans[first:end], self._locales[locale])

    def _code(self, _: int, text: int, language: int, *__: int) -> tree.Node:
        return tree.CodeBlock(self._strings[text], self._strings[language])

    def _quote(self, children: int, *_: int) -> tree.Node:
        return tree.Quote(self._nodes(children))

    def _callout(self, children: int, kind: int, title: int, *_: int) -> tree.Node:
        return tree.Callout(_CALLOUTS[kind], self._nodes(title), self._nodes(children - title))

    def _comments(self, children: int, *_: int) -> tree.Node:
        return tree.Comments(self._nodes(children))

    def _list(self, children: int, is_ordered: int, *_: int) -> tree.Node:
        return tree.ItemList(tuple(self._item() for _ in range(children)), bool(is_ordered))

    def _item(self) -> tree.Item:
        _, children, (number, *_) = next(self._entries)
        return tree.Item(self._nodes(children), number)

    def _definitions(self, children: int, *_: int) -> tree.Node:
        return tree.DefinitionList(tuple(self._definition() for _ in range(children)))

    def _definition(self) -> tree.Definition:
        _, children, (terms, *_) = next(self._entries)
        groups = tuple(self._group() for _ in range(children))
        return tree.Definition(groups[:terms], groups[terms:])

    def _group(self) -> tuple[tree.Node, ...]:
        return self._nodes(next(self._entries)[1])

    def _table(self, children: int, caption: int, width: int, header_rows: int, _: int) -> tree.Node:
        above = self._nodes(caption)
        return tree.Table(tuple(self._row() for _ in range(children - caption)), width, above, header_rows)

    def _row(self) -> tuple[tree.Cell, ...]:
        return tuple(self._cell() for _ in range(next(self._entries)[1]))

    def _cell(self) -> tree.Cell:
        _, children, (column, is_header, columns, rows) = next(self._entries)
        return tree.Cell(self._nodes(children), column, bool(is_header), columns, rows)

    def _figure(self, children: int, content: int, *_: int) -> tree.Node:
        return tree.Figure(self._nodes(content), self._nodes(children - content))

    def _note(self) -> tree.Note:
        _, children, (label, *_) = next(self._entries)
        return tree.Note(self._strings[label], self._nodes(children))


_MAKERS: Final[dict[int, Callable[..., tree.Node]]] = {
    0: _Columns._heading,
    1: _Columns._paragraph,
    2: _Columns._code,
    3: _Columns._quote,
    4: _Columns._list,
    6: _Columns._definitions,
    9: _Columns._table,
    11: _Columns._figure,
    12: _Columns._comments,
    20: _Columns._callout,
}
"""Kinds of entries that are nodes, the numbers of `native/src/document/document_columns.rs`, and what reads each."""
_CALLOUTS: Final = ("note", "tip", "important", "warning", "caution")
"""Kinds of callouts by the numbers of `native/src/document/callouts.rs`."""
_SPAN_KINDS: Final = {kind.value: kind for kind in tree.SpanKind}
