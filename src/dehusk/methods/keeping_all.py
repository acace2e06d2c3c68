"""A model for pages that are plain text: without markup nothing tells husk from content, so all of it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.base import Model, Reasons, Scores
from dehusk.native.lazy_numpy import np


@dataclass(frozen=True)
class PlainTextModel:
    """Keeps every block."""

    method: str = "plain-text"
    threshold: float = 0.5

    def score_blocks(self, blocks: Blocks) -> Scores:
        """1 for each block."""
        return np.ones(len(blocks), np.float32)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The one reason there is."""
        return (("the page is plain text",),) * len(blocks)


PLAIN_TEXT_MODEL: Final = PlainTextModel()


def model_for(blocks: Blocks, model: Model) -> Model:
    """The model that judges a page: the given one, unless the page is plain text."""
    return PLAIN_TEXT_MODEL if blocks.page.is_plain_text else model
