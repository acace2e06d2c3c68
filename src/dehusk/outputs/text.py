"""Plain text: one paragraph a block, list items and table rows on lines of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from dehusk.blocks.columns import Blocks, Kind
from dehusk.labels import LabelledBlocks
from dehusk.outputs.grid import table_grid

_MOST_INDENTED: Final = 16
"""Levels of lists that are indented. Deeper ones would only indent more: hostile pages nest hundreds."""


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How plain text looks."""

    bullet: str = "- "
    """What stands before a list item."""
    cell_separator: str = "\t"
    """What stands between the cells of a table row."""


def render_text(labelled: LabelledBlocks, options: TextOptions | None = None) -> str:
    """The kept blocks as text; ends with a newline unless it is empty."""
    writer = _Writer(labelled.blocks, options or TextOptions())
    parts: list[str] = []
    item_before = False
    for (table, code), group in groupby(labelled.kept, key=writer.belongs_to):
        indexes = list(group)
        if table >= 0 or code >= 0:
            texts, are_items = [writer.table(indexes) if table >= 0 else writer.code(indexes)], [False]
        else:
            texts, are_items = list(map(writer.block, indexes)), [writer.is_item[index] for index in indexes]
        for text, is_item in zip(texts, are_items, strict=True):
            parts += (("\n" if is_item and item_before else "\n\n"), text)
            item_before = is_item
    return "".join(parts[1:]) + "\n" if parts else ""


class _Writer:
    """Renders the blocks of one page."""

    def __init__(self, blocks: Blocks, options: TextOptions) -> None:
        self._options = options
        self._blocks = blocks
        self._texts = blocks.texts
        self.is_item: list[bool] = (blocks.kind == Kind.LIST_ITEM).tolist()
        self._code_row: list[int] = np.where(blocks.kind == Kind.CODE, blocks.kind_row, -1).tolist()
        self._item_row: list[int] = blocks.kind_row.tolist()
        self._items_seen: set[int] = set()
        self._level: list[int] = blocks.level.tolist()
        self._table: list[int] = blocks.table.table.tolist()

    def belongs_to(self, index: int) -> tuple[int, int]:
        """The table, or else the preformatted element, that a block is part of; -1 for neither."""
        table = self._table[index]
        return table, self._code_row[index] if table < 0 else -1

    def block(self, index: int) -> str:
        text = self._texts[index]
        if not self.is_item[index]:
            return text
        bullet = self._options.bullet
        mark = " " * len(bullet) if self._item_row[index] in self._items_seen else bullet
        self._items_seen.add(self._item_row[index])
        indent = "  " * min(self._level[index] - 1, _MOST_INDENTED)
        return indent + mark + text.replace("\n", f"\n{indent}{' ' * len(bullet)}")

    def code(self, indexes: Sequence[int]) -> str:
        return "\n".join(self._texts[index] for index in indexes)

    def table(self, indexes: Sequence[int]) -> str:
        """Cells in their columns, nothing after the last one of a row."""
        lines = []
        for row in table_grid(self._blocks, indexes):
            cells = [" ".join(word for index in cell for word in self._texts[index].split()) for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            lines.append(self._options.cell_separator.join(cells))
        return "\n".join(lines)
