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

_WIDEST: Final = 1000
"""The HTML standard's bound on `colspan`."""

_ALWAYS_FINE: Final = 10_000
"""Grid positions that are filled whatever the number of cells."""


class _Place(NamedTuple):
    """The grid position of a cell."""

    cell: int
    column: int
    columns: int
    rows: int


def table_of(page: Page, table: int, content: Mapping[int, Sequence[Node]], caption: Sequence[Node] = ()) -> Table:
    """Build the table at a row of the page; `content` is the kept content of its cells, by row of the cell."""
    lines = _lines_of(page, table, content)
    places = _places(page, lines)
    places = _without_empty_columns(places, content)
    width = max((place.column + place.columns for line in places for place in line), default=0)
    if width * len(places) > MOST_FILLING * max(len(content), 1):
        places = [_side_by_side(line, content) for line in places]
        width = max(map(len, places))
    rows = tuple(tuple(_cell(page, place, content) for place in line) for line in places)
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


def _places(page: Page, lines: Sequence[Sequence[int]]) -> list[list[_Place]]:
    """Cells from left to right, each in the first column not taken by a cell from above."""
    spans = _spans(page, lines)
    taken_until: dict[int, int] = {}  # column -> the first row that no cell from above takes of it
    placed = []
    for number, line in enumerate(lines):
        column, places = 0, []
        for cell in line:
            while taken_until.get(column, 0) > number:
                column += 1
            columns, rows = spans.get(cell, (1, 1))
            places.append(_Place(cell, column, columns, rows))
            column += columns
        for place in places:
            if place.rows > 1:
                reached = range(place.column, place.column + place.columns)
                taken_until |= dict.fromkeys(reached, number + place.rows)
        placed.append(places)
    return placed


def _spans(page: Page, lines: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """(columns, rows) of cells that span more than one, up to plausible limits."""
    spans = {}
    for number, line in enumerate(lines):
        for cell in line:
            attributes = page.attributes(cell)
            columns = _span(attributes.get("colspan", ""), _WIDEST)
            rows = _span(attributes.get("rowspan", ""), len(lines) - number, zero=len(lines) - number)
            if columns > 1 or rows > 1:
                spans[cell] = columns, rows
    area = sum(columns * rows for columns, rows in spans.values())
    return spans if area <= max(MOST_FILLING * sum(map(len, lines)), _ALWAYS_FINE) else {}


def _span(value: str, most: int, zero: int = 1) -> int:
    digits = value.strip()[:6]
    number = int(digits) if digits.isascii() and digits.isdigit() else 1
    return max(1, min(number or zero, most))


def _without_empty_columns(
    places: Sequence[Sequence[_Place]], content: Mapping[int, Sequence[Node]]
) -> list[list[_Place]]:
    """Keep only columns in which a cell with text starts, and renumber them: `colspan` must not add a thousand."""
    used = sorted({place.column for line in places for place in line if place.cell in content})
    number = {column: position for position, column in enumerate(used)}
    starts = np.array([*used, _WIDEST * _WIDEST])
    kept = []
    for line in places:
        shown = []
        for place in line:
            first = int(np.searchsorted(starts, place.column))
            behind = int(np.searchsorted(starts, place.column + place.columns))
            if behind > first:
                shown.append(place._replace(column=number[used[first]], columns=behind - first))
        kept.append(shown)
    return kept


def _side_by_side(line: Sequence[_Place], content: Mapping[int, Sequence[Node]]) -> list[_Place]:
    """Only the cells with text, in consecutive columns."""
    shown = [place.cell for place in line if place.cell in content]
    return [_Place(cell, column, 1, 1) for column, cell in enumerate(shown)]


def _cell(page: Page, place: _Place, content: Mapping[int, Sequence[Node]]) -> Cell:
    is_header = bool(page.tag[place.cell] == TAG_CODES["th"])
    return Cell(tuple(content.get(place.cell, ())), place.column, is_header, place.columns, place.rows)


def _header_rows(rows: Sequence[Sequence[Cell]]) -> int:
    """Number of rows at the top whose cells with text are all headers; 1 if the whole table is headers."""
    count = 0
    for row in rows[:-1]:
        if not all(cell.is_header for cell in row if cell.children):
            break
        count += 1
    return count
