"""Pieces: the runs of text of a page that no tag at all interrupts, in reading order.

Marek, Pecina & Spousta (2007) label what stands between two tags: `<p>Hello <b>world</b>!</p>` is three pieces, where
it is one of our blocks. A piece is a text row that is not blank of a block that shows, so every piece lies in exactly
one block, every block that shows has at least one piece, and hidden blocks have none. The title is a block and
so a piece. The pieces of a block follow each other: no piece of another block stands between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.page.page_columns import Rows, make_read_only


class PieceLabel(IntEnum):
    """What a piece of text is. All but OTHER are content."""

    OTHER = 0
    HEADER = 1
    PARAGRAPH = 2
    LIST = 3
    CONTINUATION = 4
    """Goes on with the content before it, whatever that is."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The k pieces of a page. Arrays are read-only, one entry a piece."""

    blocks: Blocks
    row: Rows
    """int32: its text row in the page; rises."""
    block: NDArray[np.intp]
    """Number of the block it lies in."""
    texts: tuple[str, ...]
    """As written, but without the white space around it; never empty."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"<Pieces of {self.blocks.page.label}: {len(self)} in {len(self.blocks)} blocks>"


@runtime_checkable
class LabelsPieces(Protocol):
    """A model that reads pages in pieces, finer than blocks, and knows what they are."""

    def pieces_of(self, blocks: Blocks) -> Pieces:
        """The pieces of a page."""

    def labels_of(self, blocks: Blocks) -> NDArray[np.uint8]:
        """uint8, one entry a piece: its `PieceLabel`."""

    def restructure(self, blocks: Blocks) -> Blocks:
        """The same blocks, with headings and list items that the markup does not show."""


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
