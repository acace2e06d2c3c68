"""Blocks -> Pieces."""

from __future__ import annotations

import numpy as np

from dehusk.blocks.columns import Blocks
from dehusk.pieces.columns import Pieces


def find_pieces(blocks: Blocks) -> Pieces:
    """The pieces of all blocks that show, in document order."""
    page = blocks.page
    shown = np.flatnonzero(~blocks.hidden)
    rows = np.flatnonzero((page.text_length > 0) & ~page.hidden).astype(np.int32)
    position = np.searchsorted(blocks.first_row[shown], rows, side="right") - 1
    # Text of control characters alone is in no block: it would be after the last row of the block before it.
    is_in_block = position >= 0
    is_in_block[is_in_block] = rows[is_in_block] <= blocks.last_row[shown[position[is_in_block]]]
    rows = rows[is_in_block]
    return Pieces(
        blocks=blocks,
        row=rows,
        block=shown[position[is_in_block]],
        texts=tuple([text.strip() for text in page.texts(rows)]),
    )
