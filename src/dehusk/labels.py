"""Scores -> keep or drop. The only place that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dehusk.blocks.columns import BlockMask, Blocks
from dehusk.methods.base import LabelsPieces, Model, Reasons, Scores, TellsNoisyWords


@dataclass(frozen=True, eq=False)
class LabelledBlocks:
    """Blocks with what a model thinks of them and the decision that follows. Arrays are read-only."""

    blocks: Blocks
    model: Model
    scores: Scores
    keep: BlockMask

    @cached_property
    def reasons(self) -> Reasons:
        """Why each block scored as it did, in words."""
        return self.model.explain_blocks(self.blocks)

    @cached_property
    def noisy_words(self) -> Mapping[int, frozenset[str]]:
        """By block: its words that the site has there on every page; empty if the model knows nothing of the kind."""
        return self.model.noisy_words(self.blocks) if isinstance(self.model, TellsNoisyWords) else {}

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Indexes of the blocks that are kept."""
        return tuple(np.flatnonzero(self.keep).tolist())


def label_blocks(blocks: Blocks, model: Model) -> LabelledBlocks:
    """Keep what scores at least the threshold, and what the model has no opinion on (NaN): doubt never deletes."""
    scores = model.score_blocks(blocks)
    keep = np.isnan(scores) | (scores >= np.float32(model.threshold))
    for column in (scores, keep):
        column.setflags(write=False)
    if isinstance(model, LabelsPieces):
        blocks = model.restructure(blocks)
    return LabelledBlocks(blocks, model, scores, keep)
