"""The title of a page, and headings that repeat it."""

from __future__ import annotations

from typing import Final

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.page.characters import words_of

_SAME: Final = 0.8
"""Share of a heading's words in the title from which the heading repeats the title."""
_FEWEST_WORDS: Final = 3
"""Words that a heading needs to be compared."""


def title_of(blocks: Blocks) -> str:
    """The text of the `<title>`; empty if there is none."""
    # Markup alone makes a title: no model reads another block as one.
    found = blocks.markup_kind_bytes.find(Kind.TITLE)
    return blocks.texts[found] if found >= 0 else ""


class Title:
    """The words of the title of a page."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._words = frozenset(words_of(title_of(blocks)))

    def is_repeated_by(self, heading: int) -> bool | None:
        """Whether a block repeats the title; None if it is too short to tell."""
        words = words_of(self._blocks.texts[heading])
        if len(words) < _FEWEST_WORDS:
            return None
        return sum(word in self._words for word in words) >= _SAME * len(words)
