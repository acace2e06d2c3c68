"""Pieces: the runs of text of a page that no tag at all interrupts, in reading order.

Marek, Pecina & Spousta (2007) label what stands between two tags: `<p>Hello <b>world</b>!</p>` is three pieces, where
it is one of our blocks. A piece is a text row that is not blank of a block that shows, so every piece lies in exactly
one block, every block that shows has at least one piece, and hidden blocks have none. The title is a block and
so a piece. The pieces of a block follow each other: no piece of another block stands between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks
from dehusk.page.columns import Rows, make_read_only


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
