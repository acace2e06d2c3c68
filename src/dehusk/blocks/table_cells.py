"""Cells of data tables, and their positions.

A table is for layout, and its cells are ordinary text, if it says so (`role=presentation`), contains another table, or
has only one row or column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dehusk.page.page_columns import Page, Rows
from dehusk.page.tags import TagSet

WIDEST_SPAN = 1000
"""The HTML standard's bound on `colspan`."""


@dataclass(frozen=True, slots=True)
class TablePositions:
    """Per block: rows of the cell and table elements in the page, and grid position; -1 outside data tables."""

    cell: Rows
    table: Rows
    row: Rows
    column: Rows


@dataclass(frozen=True, slots=True)
class _Grid:
    """Per page row: position of each cell element; -1 elsewhere."""

    table: Rows
    row: Rows
    column: Rows


def table_positions(page: Page, owner: Rows) -> TablePositions:
    """Positions for blocks with these owner rows. Spans of columns count, spans of rows do not."""
    nowhere = np.full(len(owner), -1, dtype=np.int32)
    nothing = TablePositions(nowhere, nowhere, nowhere, nowhere)
    cells = np.flatnonzero(page.tagged(TagSet.CELL)).astype(np.int32)
    if not len(cells):
        return nothing
    table = page.climb(cells, page.tagged(TagSet.TABLE))
    is_for_layout = np.zeros(len(page) + 1, dtype=bool)
    is_for_layout[_layout_tables(page)] = True
    may_be_data = ~is_for_layout[table]
    if not may_be_data.any():
        return nothing
    grid = _grid(page, cells[may_be_data], table[may_be_data])
    cell = page.closest(grid.table >= 0)[owner]
    inside = cell >= 0
    return TablePositions(
        cell,
        np.where(inside, grid.table[cell], nowhere),
        np.where(inside, grid.row[cell], nowhere),
        np.where(inside, grid.column[cell], nowhere),
    )


def _grid(page: Page, cells: Rows, table_of: Rows) -> _Grid:
    """Walk the cells in document order, counting rows of their table and columns of their row."""
    row_of = page.climb(cells, page.tagged(TagSet.TABLE_ROW))
    spans = {row: span_of(value) for row, value in page.with_attribute("colspan")}
    rows_seen: dict[int, dict[int, int]] = {}
    width: dict[int, int] = {}
    widest: dict[int, int] = {}
    row_numbers, column_numbers = [], []
    for cell, table, table_row in zip(cells.tolist(), table_of.tolist(), row_of.tolist(), strict=True):
        rows = rows_seen.setdefault(table, {})
        row_numbers.append(rows.setdefault(table_row, len(rows)))
        column = width.get(table_row, 0)
        column_numbers.append(column)
        width[table_row] = column + spans.get(cell, 1)
        widest[table] = max(widest.get(table, 0), width[table_row])
    is_data = np.zeros(len(page), dtype=bool)
    is_data[[table for table in rows_seen if len(rows_seen[table]) > 1 and widest[table] > 1]] = True
    in_data = is_data[table_of]
    grid = _Grid(*(np.full(len(page), -1, dtype=np.int32) for _ in range(3)))
    for of_page, of_cells in ((grid.table, table_of), (grid.row, row_numbers), (grid.column, column_numbers)):
        of_page[cells] = np.where(in_data, of_cells, -1)
    return grid


def _layout_tables(page: Page) -> list[int]:
    """Tables that hold another table or say they are for presentation; the last entry stands for no table."""
    tables = np.flatnonzero(page.tagged(TagSet.TABLE))
    outer = page.climb(page.parent[tables], page.tagged(TagSet.TABLE))
    declared = [row for row, value in page.with_attribute("role") if value.strip().lower() in {"presentation", "none"}]
    return [*outer[outer >= 0].tolist(), *declared, len(page)]


def span_of(value: str, most: int = WIDEST_SPAN, zero: int = 1) -> int:
    """The number in a `colspan` or `rowspan`, from 1 to `most`; `zero` is what 0 stands for."""
    digits = value.strip()[:6]
    number = int(digits) if digits.isascii() and digits.isdigit() else 1
    return max(1, min(number or zero, most))
