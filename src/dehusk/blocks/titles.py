"""Headings that are the title of the page."""

from __future__ import annotations

from typing import Final

import numpy as np

from dehusk.blocks.columns import Blocks, Kind
from dehusk.page.characters import words_of

_SAME: Final = 0.8
"""Share of the words of a heading that are in the title, from which on it is the title."""
_FEWEST_WORDS: Final = 3
"""Of a heading that can be told from others."""


class Title:
    """The words of the title of a page."""

    def __init__(self, blocks: Blocks) -> None:
        titles = np.flatnonzero(blocks.kind == Kind.TITLE)
        self._blocks = blocks
        self._words = frozenset(words_of(blocks.texts[titles[0]])) if len(titles) else frozenset()

    def __bool__(self) -> bool:
        return bool(self._words)

    def is_said_by(self, heading: int) -> bool | None:
        """Whether a block says what the title does; None if it is too short to tell."""
        words = words_of(self._blocks.texts[heading])
        if len(words) < _FEWEST_WORDS:
            return None
        return sum(word in self._words for word in words) >= _SAME * len(words)
