"""Markdown (CommonMark with tables): headings, nested lists, tables, fenced code, quotes, emphasis, links, images.

What CommonMark lacks follows common extensions: footnotes as `[^1]`, formulas between dollars, definition lists as
nested lists, subscripts and the like as HTML elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document import nodes as tree
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.document.reshaping import definitions_as_items
from dehusk.outputs.markdown_inline import LINE_BREAK, code_span, inline_markdown

_TICKS: Final = re.compile(r"`+")
# What would make a line a heading, list item, rule, table or code fence.
_LINE_START: Final = re.compile(r"^(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=|:][-=|:\s]*$)")
_NUMBER_START: Final = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_STARTS: Final = frozenset("#-+=|:0123456789")
_CLOSING_HASHES: Final = re.compile(r"(?:(?<=\s)|^)(#+)$")
_LIKE_A_DEFINITION: Final = re.compile(r"(\S+)(\s*$|\s+(?=[\"'(]))")
_RULE: Final = "---"


def render_markdown(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty."""
    document = build_document(labelled, options or OutputOptions())
    lines = list(_lines(document.children))
    for note in document.notes:
        lines += ["", *_note(note)] if lines else _note(note)
    return "\n".join(lines) + "\n" if lines else ""


def _lines(nodes: Sequence[tree.Node], in_item: bool = False) -> Iterator[str]:
    """The lines of consecutive nodes, with empty lines between them where needed."""
    before: tree.Node | None = None
    is_other_list = False
    for node in nodes:
        node = definitions_as_items(node) if isinstance(node, tree.DefinitionList) else node
        # A list right after another of its kind uses the other marker, or both would be read as one.
        is_other_list = not is_other_list and _is_same_kind_of_list(before, node)
        if before is not None and not (in_item and _is_tight(before, node)):
            yield ""
        if before is not None and isinstance(node, tree.Comments) != isinstance(before, tree.Comments):
            yield from (_RULE, "")
        if isinstance(node, tree.ItemList):
            for item in node.items:
                yield from _item(item, _marker(item, node.is_ordered, is_other_list))
        else:
            yield from _node(node)
        before = node


def _is_same_kind_of_list(before: tree.Node | None, node: tree.Node) -> bool:
    return (
        isinstance(before, tree.ItemList) and isinstance(node, tree.ItemList) and before.is_ordered == node.is_ordered
    )


def _is_tight(before: tree.Node, node: tree.Node) -> bool:
    """Whether no empty line is needed: a nested list may follow its item's text directly if it starts with 1."""
    if not isinstance(before, tree.Paragraph) or not isinstance(node, tree.ItemList):
        return False
    return not node.is_ordered or node.items[0].number == 1


def _node(node: tree.Node) -> Iterator[str]:
    match node:
        case tree.Heading(level, spans):
            yield f"{'#' * level} {_heading(inline_markdown(spans))}"
        case tree.Paragraph(spans):
            yield from map(_guarded, inline_markdown(spans).split("\n"))
        case tree.CodeBlock(code, language):
            yield from _code(code, language)
        case tree.Quote(children):
            yield from (f"> {line}" if line else ">" for line in _lines(children))
        case tree.Figure(children, caption):
            yield from _lines([*children, *caption])
        case tree.Comments(children):
            yield from _lines(children)
        case tree.Table():
            yield from _table(node)


def _marker(item: tree.Item, is_ordered: bool, is_other: bool) -> str:
    if not is_ordered:
        return "* " if is_other else "- "
    return f"{item.number}{')' if is_other else '.'} "


def _item(item: tree.Item, marker: str) -> Iterator[str]:
    mark = marker
    for line in _lines(item.children, in_item=True):
        yield mark + line if line else ""
        mark = " " * len(marker)


def _code(code: str, language: str) -> Iterator[str]:
    longest = max(map(len, _TICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    yield fence + language
    yield from code.split("\n")
    yield fence


def _table(table: tree.Table) -> Iterator[str]:
    if table.caption:
        yield from (*_lines(table.caption), "")
    width = 0 if table.is_ragged else table.width
    rows = [_row(row, width if number else table.width) for number, row in enumerate(table.rows)]
    if not table.header_rows and any(cell.is_header for row in table.rows for cell in row):
        rows.insert(0, [""] * table.width)  # its headers are elsewhere, so it gets an empty header row
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    # Parsers ignore cells beyond the number in the first row.
    yield from (lines[0], "|" + " --- |" * table.width, *lines[1:])


def _row(row: Sequence[tree.Cell], width: int) -> list[str]:
    """The cells of a row, padded to `width`."""
    cells = [""] * max(width, max((cell.column for cell in row), default=0) + 1)
    for cell in row:
        cells[cell.column] = "<br>".join(_cell(cell.children)).replace("|", "\\|")
    return cells


def _cell(nodes: Sequence[tree.Node]) -> Iterator[str]:
    """The content of a cell, which must fit on one line: the parts to join by line breaks."""
    for node in nodes:
        match node:
            case tree.Heading(_, spans) | tree.Paragraph(spans):
                yield inline_markdown(spans).replace(LINE_BREAK, "<br>")
            case tree.CodeBlock(code):
                yield from (code_span(line) for line in code.split("\n") if line.strip())
            case tree.ItemList(items):
                yield from ("- " + " ".join(_cell(item.children)) for item in items)
            case tree.DefinitionList():
                yield from _cell([definitions_as_items(node)])
            case tree.Quote(children) | tree.Comments(children):
                yield from _cell(children)
            case tree.Figure(children, caption):
                yield from _cell([*children, *caption])
            case tree.Table():
                pass  # data tables are not nested


def _note(note: tree.Note) -> Iterator[str]:
    lines = list(_lines(note.children))
    if not note.children or not isinstance(note.children[0], tree.Paragraph):
        lines = ["&nbsp; &nbsp;", "", *lines]
    # One word, alone or before quotes, would be read as a link definition and not be shown.
    if _LIKE_A_DEFINITION.match(lines[0]):
        lines[0] = _LIKE_A_DEFINITION.sub(r"\1 &nbsp;", lines[0], count=1)
    yield f"[^{note.label}]: {lines[0]}"
    yield from (f"    {line}" if line else "" for line in lines[1:])


def _guarded(line: str) -> str:
    """Escape a line that would start another kind of block."""
    if not line or line[0] not in _STARTS:
        return line
    numbered = _NUMBER_START.sub(r"\1\\\2", line)
    return numbered if numbered != line else _LINE_START.sub(r"\\\1", line)


def _heading(text: str) -> str:
    """Escape trailing hashes, which would be read as a closing sequence."""
    return _CLOSING_HASHES.sub(r"\\\1", text.replace(LINE_BREAK, " "))
