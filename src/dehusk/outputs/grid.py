"""The kept blocks of a data table, row by row and cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from dehusk.blocks.columns import Blocks

Cell = list[int]
"""Indexes of the blocks in a cell; none in an empty one."""

_MOST_FILLING: Final = 20
"""Empty cells for each block of text. Beyond that (one wide row, stray colspans) cells do not keep their columns."""


def table_grid(blocks: Blocks, indexes: Sequence[int]) -> list[list[Cell]]:
    """Rows of cells for blocks of one table. Columns without any text are left out; the first row is the longest."""
    row_of, column_of = blocks.table.row, blocks.table.column
    rows: list[dict[int, Cell]] = []
    for _, group in groupby(indexes, key=lambda index: int(row_of[index])):
        cells: dict[int, Cell] = {}
        for index in group:
            cells.setdefault(int(column_of[index]), []).append(index)
        rows.append(cells)
    columns = sorted({column for cells in rows for column in cells})
    if len(columns) * len(rows) > _MOST_FILLING * len(indexes):
        return _padded([list(cells.values()) for cells in rows])
    return [[cells.get(column, []) for column in columns] for cells in rows]


def _padded(rows: list[list[Cell]]) -> list[list[Cell]]:
    """The first row as long as the longest, so that it has a place for every cell."""
    rows[0] += [[] for _ in range(max(map(len, rows)) - len(rows[0]))]
    return rows
