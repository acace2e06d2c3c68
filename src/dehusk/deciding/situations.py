"""The input of a rule, and its verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.methods.base import Judgement, Scores

Verdicts = NDArray[np.int8]
"""int8 per block: KEEP, DROP, or 0 for no verdict."""
KEEP: Final = 1
DROP: Final = -1

FEWEST_CHARACTERS: Final = 200
"""Characters that must be left of a page for a rule to drop the rest: two or three sentences, the shortest text
published as an article."""


class Sign(IntEnum):
    """What must be on a page for a rule to have a verdict. Looking for all of them is cheaper than any rule.

    The numbers are those of `native/src/deciding_exchange.rs`.
    """

    CAPTION = 0
    """A caption, and a figure."""
    CODE = 1
    """A block of code."""
    HIDDEN = 2
    """A hidden block."""
    TITLES = 3
    """Several visible headings of the first level."""
    TEXT_FIELD = 4
    """A `<textarea>` with text in it."""
    ANNOUNCEMENT = 5
    """A line that announces comments."""
    TEASERS = 6
    """Several linked headlines with a text, in elements of the same tags and depths."""
    FORMULA = 7
    """A block that is nothing but a formula."""


def find_signs(blocks: Blocks) -> list[int]:
    """By `Sign`: 1 if the page has it, else 0."""
    # The compiled part goes by the markup.
    signs: list[int] = blocks.signs.column(0).tolist()
    return signs if blocks.read_kind is None else [1] * len(Sign)


@dataclass(frozen=True, eq=False, slots=True)
class Situation:
    """The blocks of a page, which of them are kept so far, and their scores."""

    blocks: Blocks
    keep: BlockMask
    scores: Scores
    threshold: float
    """The score from which a block is kept."""
    judgement: Judgement
    """The model's judgement of the page: its type, and how certain that is."""
    comments: BlockMask
    """bool: blocks that are readers' comments, by that judgement."""
    signs: list[int]
    """By `Sign`: 1 if the page has it, else 0."""

    def no_verdicts(self) -> Verdicts:
        """Zeros for all blocks."""
        return np.zeros(len(self.blocks), dtype=np.int8)

    def kept_characters(self, mask: BlockMask) -> int:
        """Number of characters kept in the blocks of a mask."""
        return int(self.blocks.length[self.keep & mask].sum())
