"""Text runs: the stretches of text between tags, in document order.

Marek, Pecina & Spousta (2007) label the text between two tags: `<p>Hello <b>world</b>!</p>` is one block but three text
runs. A text run is a non-blank text row of a visible block, so every text run lies in exactly one block, every visible
block has at least one text run, and hidden blocks have none. The title is a block and so a text run. The text runs of a
block are consecutive.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.page.page_columns import Rows, make_read_only


class RunLabel(IntEnum):
    """The label of a text run. All but OTHER are content."""

    OTHER = 0
    HEADER = 1
    PARAGRAPH = 2
    LIST = 3
    CONTINUATION = 4
    """Continues the preceding content, whatever that is."""


@dataclass(frozen=True, eq=False)
class TextRuns:
    """The text runs of a page. Arrays are read-only, one entry per text run."""

    blocks: Blocks
    row: Rows
    """int32, ascending: its text row in the page."""
    block: NDArray[np.intp]
    """The index of its block."""
    texts: tuple[str, ...]
    """As written, stripped of surrounding white space; never empty."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"<TextRuns of {self.blocks.page.label}: {len(self)} in {len(self.blocks)} blocks>"


def find_text_runs(blocks: Blocks) -> TextRuns:
    """Find the text runs of all visible blocks, in document order."""
    page = blocks.page
    shown = np.flatnonzero(~blocks.hidden)
    rows = np.flatnonzero((page.text_length > 0) & ~page.hidden).astype(np.int32)
    position = np.searchsorted(blocks.first_row[shown], rows, side="right") - 1
    # Text of control characters only is in no block: it comes after the last row of the preceding block.
    is_in_block = position >= 0
    is_in_block[is_in_block] = rows[is_in_block] <= blocks.last_row[shown[position[is_in_block]]]
    rows = rows[is_in_block]
    return TextRuns(
        blocks=blocks,
        row=rows,
        block=shown[position[is_in_block]],
        texts=tuple([text.strip() for text in page.texts(rows)]),
    )
