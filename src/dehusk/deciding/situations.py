"""The input of a rule, and its verdicts."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False, slots=True)
class Situation:
    """The blocks of a page, which of them are kept so far, and their scores."""

    blocks: Blocks
    keep: BlockMask
    scores: Scores
    threshold: float
    """The score from which a block is kept."""
    judgement: Judgement
    """The model's judgement of the page: its type, how certain that is, which blocks are comments."""

    def no_verdicts(self) -> Verdicts:
        """Zeros for all blocks."""
        return np.zeros(len(self.blocks), dtype=np.int8)

    def kept_characters(self, mask: BlockMask) -> int:
        """Number of characters kept in the blocks of a mask."""
        return int(self.blocks.length[self.keep & mask].sum())
