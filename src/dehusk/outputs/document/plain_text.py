"""Document -> plain text: one paragraph per block, list items and table rows on separate lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from dehusk.outputs.document.nodes import (
    UNMARKED,
    CodeBlock,
    Comments,
    Definition,
    DefinitionList,
    Document,
    Figure,
    Heading,
    Item,
    ItemList,
    Node,
    Note,
    Paragraph,
    Quote,
    Span,
    SpanKind,
    Table,
)

_POWER: Final = re.compile(r"[+\N{MINUS SIGN}-]?\d+|[nk]")


@dataclass(frozen=True, slots=True)
class Style:
    """Layout of plain text."""

    bullet: str = "- "
    """Written before each list item."""
    cell_separator: str = "\t"
    """Written between the cells of a table row."""


DEFAULT_STYLE: Final = Style()


def plain_text(document: Document, style: Style = DEFAULT_STYLE) -> str:
    """The whole document; ends with a newline unless it is empty."""
    writer = _Writer(style)
    text = "".join(writer.parts([*document.children, *document.notes]))
    return f"{text}\n" if text else ""


def plain_spans(spans: Sequence[Span]) -> str:
    """Spans as plain text, with the quotation marks and parentheses a browser adds. Line breaks are newlines."""
    if len(spans) == 1 and spans[0].kind is SpanKind.TEXT and spans[0].marks is UNMARKED:
        return spans[0].text
    text = ""
    for ruby, group in groupby(spans, key=lambda span: span.marks.ruby if span.marks.reading else 0):
        inner = ""
        for is_quoted, quoted in groupby(group, key=lambda span: span.marks.quoted):
            shown = ""
            for span in quoted:
                shown += _shown(span, (shown or inner or text)[-1:])
            inner += f"“{shown}”" if is_quoted else shown
        text += f"({inner})" if ruby else inner
    return text


def _shown(span: Span, before: str) -> str:
    if span.kind is SpanKind.FORMULA:
        return f"${span.text}$"
    if span.kind is SpanKind.NOTE:
        return f"[{span.text}]"
    if span.kind is SpanKind.IMAGE:
        return ""
    # 10<sup>6</sup> is not 106.
    is_power = span.marks.superscript and (before.isalnum() or before == ")") and _POWER.fullmatch(span.text)
    return f"^{span.text}" if is_power else span.text


class _Writer:
    """Writes nodes one after the other."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def parts(self, nodes: Sequence[Node | Note], inside_item: bool = False) -> Iterator[str]:
        """Texts and separators: an empty line, but only a newline between lists and inside an item."""
        before: Node | Note | None = None
        for node in nodes:
            text = self._node(node)
            if not text:
                continue
            if before is not None:
                lists = (ItemList, DefinitionList)
                yield "\n" if inside_item or (isinstance(node, lists) and isinstance(before, lists)) else "\n\n"
            yield text
            before = node

    def _node(self, node: Node | Note) -> str:
        match node:
            case Heading(_, spans) | Paragraph(spans):
                return plain_spans(spans)
            case CodeBlock(code):
                return code
            case ItemList(items):
                return "\n".join(filter(None, map(self._item, items)))
            case DefinitionList(definitions):
                return "\n".join(filter(None, map(self._definition, definitions)))
            case Table():
                return self._table(node)
            case Quote(children) | Comments(children):
                return "".join(self.parts(children))
            case Figure(children, caption):
                return "".join(self.parts([*children, *caption]))
            case Note(label, children):
                return f"[{label}] " + "".join(self.parts(children))

    def _item(self, item: Item) -> str:
        return self._indented(self.parts(item.children, inside_item=True))

    def _definition(self, definition: Definition) -> str:
        nodes = [node for children in (*definition.terms, *definition.descriptions) for node in children]
        return self._indented(self.parts(nodes, inside_item=True))

    def _indented(self, parts: Iterator[str]) -> str:
        bullet = self._style.bullet
        text = "".join(parts)
        return bullet + text.replace("\n", "\n" + " " * len(bullet)) if text else ""

    def _table(self, table: Table) -> str:
        """Rows of cells by column, without trailing empty cells."""
        lines = []
        for row in table.rows:
            cells = [""] * (max((cell.column for cell in row), default=-1) + 1)
            for cell in row:
                cells[cell.column] = " ".join("".join(self.parts(cell.children)).split())
            while cells and not cells[-1]:
                cells.pop()
            lines.append(self._style.cell_separator.join(cells))
        above = "".join(self.parts(table.caption))
        return "\n\n".join(filter(None, (above, "\n".join(lines))))
