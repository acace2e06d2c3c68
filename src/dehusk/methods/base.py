"""What every cleaning method is: settings that learn a model, and a model that scores blocks.

A Method is frozen settings; `fit` reads pages and returns a Model. A Model is what was learnt, frozen as well;
`score_blocks` is a pure function of it and the blocks. Nothing is ever half-fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks
from dehusk.page.columns import Page

Scores = NDArray[np.float32]
"""float32 per block: how much it is content, from 0 to 1; NaN where the method has no opinion."""

Reasons = tuple[tuple[str, ...], ...]
"""Per block, the evidence for its score in words, strongest first."""


class Model(Protocol):
    """What a method learnt, ready to score."""

    @property
    def method(self) -> str:
        """Name of the method, as in `METHODS`."""

    @property
    def threshold(self) -> float:
        """Blocks that score at least this much are content."""

    def score_blocks(self, blocks: Blocks) -> Scores:
        """One score a block."""

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The reasons behind `score_blocks(blocks)`; dearer, so asked for only when somebody reads them."""


class Method(Protocol):
    """Settings of a way to clean pages."""

    name: ClassVar[str]
    """What users call it, as in `METHODS`."""
    learns: ClassVar[bool]
    """Whether `fit` makes use of pages; methods that do not can clean any page at once."""

    def fit(self, pages: Sequence[Page] = ()) -> Model:
        """Learn from pages, in any order. Methods that learn nothing ignore them."""
