"""Data tables: their cells, positions and spans.

Positions follow the HTML standard's algorithm, applied to rows with kept content; spans are cut to the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from dehusk.outputs.document.nodes import MOST_FILLING, Cell, Node, Table
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES, TagSet

_WIDEST_SPAN: Final = 1000
"""The HTML standard's bound on `colspan`."""
_ALWAYS_FINE: Final = 10_000
"""Grid positions that are filled whatever the number of cells."""


class _Position(NamedTuple):
    """The grid position of a cell."""

    cell: int
    column: int
    columns: int
    rows: int


def table_of(page: Page, table: int, content: Mapping[int, Sequence[Node]], caption: Sequence[Node] = ()) -> Table:
    """Build the table at a row of the page; `content` is the kept content of its cells, by row of the cell."""
    lines = _lines_of(page, table, content)
    positions = _positions(page, lines)
    positions = _without_empty_columns(positions, content)
    width = max((position.column + position.columns for line in positions for position in line), default=0)
    if width * len(positions) > MOST_FILLING * max(len(content), 1):
        positions = [_side_by_side(line, content) for line in positions]
        width = max(map(len, positions))
    rows = tuple(tuple(_cell(page, position, content) for position in line) for line in positions)
    return Table(rows, width, tuple(caption), _header_rows(rows))


def _lines_of(page: Page, table: int, content: Mapping[int, Sequence[Node]]) -> list[list[int]]:
    """The cells of each `<tr>` with kept content. Data tables contain no other tables."""
    span = slice(table, int(page.subtree_end[table]))
    cells = np.flatnonzero(page.tagged(TagSet.CELL)[span]) + table
    rows = page.climb(cells.astype(np.int32), page.tagged(TagSet.TABLE_ROW)).tolist()
    lines: dict[int, list[int]] = {}
    for cell, row in zip(cells.tolist(), rows, strict=True):
        lines.setdefault(row, []).append(cell)
    return [line for line in lines.values() if any(cell in content for cell in line)]


def _positions(page: Page, lines: Sequence[Sequence[int]]) -> list[list[_Position]]:
    """Cells from left to right, each in the first column not taken by a cell from above."""
    spans = _spans(page, lines)
    taken_until: dict[int, int] = {}  # column -> the first row that no cell from above takes of it
    found = []
    for number, line in enumerate(lines):
        column, positions = 0, []
        for cell in line:
            while taken_until.get(column, 0) > number:
                column += 1
            columns, rows = spans.get(cell, (1, 1))
            positions.append(_Position(cell, column, columns, rows))
            column += columns
        for position in positions:
            if position.rows > 1:
                reached = range(position.column, position.column + position.columns)
                taken_until |= dict.fromkeys(reached, number + position.rows)
        found.append(positions)
    return found


def _spans(page: Page, lines: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """(columns, rows) of cells that span more than one, up to plausible limits."""
    spans = {}
    for number, line in enumerate(lines):
        for cell in line:
            attributes = page.attributes(cell)
            columns = _span_of(attributes.get("colspan", ""))
            rows = _span_of(attributes.get("rowspan", ""), len(lines) - number, zero=len(lines) - number)
            if columns > 1 or rows > 1:
                spans[cell] = columns, rows
    area = sum(columns * rows for columns, rows in spans.values())
    return spans if area <= max(MOST_FILLING * sum(map(len, lines)), _ALWAYS_FINE) else {}


def _without_empty_columns(
    positions: Sequence[Sequence[_Position]], content: Mapping[int, Sequence[Node]]
) -> list[list[_Position]]:
    """Keep only columns in which a cell with text starts, and renumber them: `colspan` must not add a thousand."""
    used = sorted({position.column for line in positions for position in line if position.cell in content})
    number = {column: position for position, column in enumerate(used)}
    starts = np.array([*used, _WIDEST_SPAN**2])
    kept = []
    for line in positions:
        shown = []
        for position in line:
            first = int(np.searchsorted(starts, position.column))
            behind = int(np.searchsorted(starts, position.column + position.columns))
            if behind > first:
                shown.append(position._replace(column=number[used[first]], columns=behind - first))
        kept.append(shown)
    return kept


def _side_by_side(line: Sequence[_Position], content: Mapping[int, Sequence[Node]]) -> list[_Position]:
    """Only the cells with text, in consecutive columns."""
    shown = [position.cell for position in line if position.cell in content]
    return [_Position(cell, column, 1, 1) for column, cell in enumerate(shown)]


def _cell(page: Page, position: _Position, content: Mapping[int, Sequence[Node]]) -> Cell:
    is_header = bool(page.tag[position.cell] == TAG_CODES["th"])
    return Cell(tuple(content.get(position.cell, ())), position.column, is_header, position.columns, position.rows)


def _header_rows(rows: Sequence[Sequence[Cell]]) -> int:
    """Number of rows at the top whose cells with text are all headers; 1 if the whole table is headers."""
    count = 0
    for row in rows[:-1]:
        if not all(cell.is_header for cell in row if cell.children):
            break
        count += 1
    return count


def _span_of(value: str, most: int = _WIDEST_SPAN, zero: int = 1) -> int:
    """The number in a `colspan` or `rowspan`, from 1 to `most`; `zero` is what 0 stands for."""
    digits = value.strip()[:6]
    number = int(digits) if digits.isascii() and digits.isdigit() else 1
    return max(1, min(number or zero, most))
