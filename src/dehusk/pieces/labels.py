"""The labels of Marek, Pecina & Spousta (2007)."""

from __future__ import annotations

from enum import IntEnum


class PieceLabel(IntEnum):
    """What a piece of text is. All but OTHER are content."""

    OTHER = 0
    HEADER = 1
    PARAGRAPH = 2
    LIST = 3
    CONTINUATION = 4
    """Goes on with the content before it, whatever that is."""
