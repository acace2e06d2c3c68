"""The inputs of the network for a page, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.page_network.block_features import Dense, dense_features, measure
from dehusk.methods.page_network.hashed_tokens import PageTokens, find_tokens
from dehusk.page.page_columns import make_read_only


@dataclass(frozen=True, eq=False)
class PageInputs:
    """The m blocks of a page as the network sees them. Arrays are read-only."""

    dense: Dense
    """float32, m x features."""
    tokens: PageTokens
    part_first: NDArray[np.int32]
    part_last: NDArray[np.int32]
    """int32, m x PARTS: the blocks of each part of the page around a block are `part_first : part_last`."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.dense)


def page_inputs(blocks: Blocks) -> PageInputs:
    """The inputs for a page with at least one block."""
    measured = measure(blocks)
    tokens = find_tokens(blocks, measured.texts)
    return PageInputs(dense_features(measured), tokens, measured.around.first, measured.around.last)
