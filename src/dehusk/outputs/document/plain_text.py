"""Document -> plain text: one paragraph per block, list items and table rows on separate lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from dehusk.outputs.document import nodes as tree

_POWER: Final = re.compile(r"[+\N{MINUS SIGN}-]?\d+|[nk]")


def plain_text(document: tree.Document, bullet: str = "- ", cell_separator: str = "\t") -> str:
    """The whole document; ends with a newline unless it is empty."""
    writer = _Writer(bullet, cell_separator)
    text = "".join(writer.parts([*document.children, *document.notes]))
    return f"{text}\n" if text else ""


def plain_spans(spans: Sequence[tree.Span]) -> str:
    """Spans as plain text, with the quotation marks and parentheses a browser adds. Line breaks are newlines."""
    if len(spans) == 1 and spans[0].kind is tree.SpanKind.TEXT and spans[0].marks is tree.UNMARKED:
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


def _shown(span: tree.Span, before: str) -> str:
    if span.kind is tree.SpanKind.FORMULA:
        return f"${span.text}$"
    if span.kind is tree.SpanKind.NOTE:
        return f"[{span.text}]"
    if span.kind is tree.SpanKind.IMAGE:
        return ""
    # 10<sup>6</sup> is not 106.
    is_power = span.marks.superscript and (before.isalnum() or before == ")") and _POWER.fullmatch(span.text)
    return f"^{span.text}" if is_power else span.text


class _Writer:
    """Writes nodes one after the other."""

    def __init__(self, bullet: str, cell_separator: str) -> None:
        self._bullet, self._cell_separator = bullet, cell_separator

    def parts(self, nodes: Sequence[tree.Node | tree.Note], inside_item: bool = False) -> Iterator[str]:
        """Texts and separators: an empty line, but only a newline between lists and inside an item."""
        before: tree.Node | tree.Note | None = None
        for node in nodes:
            text = self._node(node)
            if not text:
                continue
            if before is not None:
                lists = (tree.ItemList, tree.DefinitionList)
                yield "\n" if inside_item or (isinstance(node, lists) and isinstance(before, lists)) else "\n\n"
            yield text
            before = node

    def _node(self, node: tree.Node | tree.Note) -> str:
        match node:
            case tree.Heading(_, spans) | tree.Paragraph(spans):
                return plain_spans(spans)
            case tree.CodeBlock(code):
                return code
            case tree.ItemList(items):
                return "\n".join(filter(None, (self._indented(item.children) for item in items)))
            case tree.DefinitionList(definitions):
                return "\n".join(filter(None, map(self._definition, definitions)))
            case tree.Table():
                return self._table(node)
            case tree.Quote(children) | tree.Comments(children):
                return "".join(self.parts(children))
            case tree.Figure(children, caption):
                return "".join(self.parts([*children, *caption]))
            case tree.Note(label, children):
                return f"[{label}] " + "".join(self.parts(children))

    def _definition(self, definition: tree.Definition) -> str:
        nodes = [node for children in (*definition.terms, *definition.descriptions) for node in children]
        return self._indented(nodes)

    def _indented(self, nodes: Sequence[tree.Node]) -> str:
        text, indent = "".join(self.parts(nodes, inside_item=True)), " " * len(self._bullet)
        return self._bullet + text.replace("\n", f"\n{indent}") if text else ""

    def _table(self, table: tree.Table) -> str:
        """Rows of cells by column, without trailing empty cells."""
        lines = []
        for row in table.rows:
            cells = [""] * (max((cell.column for cell in row), default=-1) + 1)
            for cell in row:
                cells[cell.column] = " ".join("".join(self.parts(cell.children)).split())
            while cells and not cells[-1]:
                cells.pop()
            lines.append(self._cell_separator.join(cells))
        above = "".join(self.parts(table.caption))
        return "\n\n".join(filter(None, (above, "\n".join(lines))))
