"""Plain text: one paragraph a block, list items and table rows on lines of their own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from dehusk.blocks.columns import Blocks, Kind
from dehusk.labels import LabelledBlocks


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
    parts = [writer.block(index) for index in labelled.kept[:1]]
    for before, index in pairwise(labelled.kept):
        parts += (writer.separator(before, index), writer.block(index))
    return "".join(parts) + "\n" if parts else ""


class _Writer:
    """Renders the blocks of one page."""

    def __init__(self, blocks: Blocks, options: TextOptions) -> None:
        self.options = options
        self.texts = blocks.texts
        self.is_item: list[bool] = (blocks.kind == Kind.LIST_ITEM).tolist()
        self.level: list[int] = blocks.level.tolist()
        self.table = blocks.table.table.tolist()
        self.cell = blocks.table.cell.tolist()
        self.row = blocks.table.row.tolist()

    def block(self, index: int) -> str:
        text = self.texts[index]
        if self.is_item[index]:
            indent = "  " * (self.level[index] - 1)
            return indent + self.options.bullet + text.replace("\n", f"\n{indent}  ")
        return text if self.cell[index] < 0 else " ".join(text.split())

    def separator(self, before: int, index: int) -> str:
        if self.table[index] >= 0 and self.table[index] == self.table[before]:
            if self.cell[index] == self.cell[before]:
                return " "
            return self.options.cell_separator if self.row[index] == self.row[before] else "\n"
        return "\n" if self.is_item[index] and self.is_item[before] else "\n\n"
