"""What every cleaning method is: settings that learn a model, and a model that scores blocks.

A Method is frozen settings; `fit` reads pages and returns a Model. A Model is what was learnt, frozen as well;
`score_blocks` is a pure function of it and the blocks. Nothing is ever half-fitted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.page.page_columns import Page

Scores = NDArray[np.float32]
"""float32 per block: how much it is content, from 0 to 1; NaN where the method has no opinion."""

Reasons = tuple[tuple[str, ...], ...]
"""Per block, the evidence for its score in words, strongest first."""


class Favour(StrEnum):
    """What is worse, to lose content or to keep noise."""

    PRECISION = "precision"
    BALANCED = "balanced"
    RECALL = "recall"


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a model that looks at pages as a whole makes of one."""

    scores: Scores
    """As of `score_blocks`; here they are probabilities."""
    threshold: float
    """What a block of this page must score to be kept, if nothing is favoured."""
    comments: Scores
    """float32 per block: how likely it is a reader's comment on what the page says."""
    page_type: str
    """What kind of page it is most likely, of `dehusk.PAGE_TYPES`."""
    type_certainty: float
    """How likely its blocks alone make that."""
    type_agreed: bool
    """Whether all evidence says so: that of the blocks, and what the page says of itself."""


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


@runtime_checkable
class JudgesPages(Model, Protocol):
    """A model that knows how sure it is, and what kind of page it looks at."""

    def judge(self, blocks: Blocks) -> Judgement:
        """Scores of the blocks, and what else there is to say."""

    def confidence(self, expected_f1: float) -> float:
        """From 0 to 1: the F1 that pages have whose scores make one expect this one."""


class Method(Protocol):
    """Settings of a way to clean pages."""

    name: ClassVar[str]
    """What users call it, as in `METHODS`."""
    learns: ClassVar[bool]
    """Whether `fit` makes use of pages; methods that do not can clean any page at once."""

    def fit(self, pages: Iterable[Page] = ()) -> Model:
        """Learn from pages, in any order. Methods that learn nothing ignore them."""


@runtime_checkable
class TellsNoisyWords(Protocol):
    """A model that looks into blocks."""

    def noisy_words(self, blocks: Blocks) -> Mapping[int, frozenset[str]]:
        """By block, where there are any: the words that are no content even if the block is."""


@runtime_checkable
class WeighsWords(Protocol):
    """A model that gives each word a weight, instead of keeping or dropping it."""

    def word_weights(self, page: Page) -> Mapping[str, float]:
        """The weight of each word of a page."""


@runtime_checkable
class Matches(Protocol):
    """A model that knows pages of its site from others."""

    def match(self, page: Page) -> float:
        """From 0 to 1: how much the page looks like those learnt. Pages of another site are near 0."""


class SiteModel(Model, Matches, Protocol):
    """What a method learnt of a site. Models of parts of a site add up to the model of the whole."""

    @property
    def pages(self) -> int:
        """Pages learnt from."""

    @property
    def knows_a_template(self) -> bool:
        """Whether the pages learnt from show what is template; if not, everything is kept."""

    def update(self, pages: Iterable[Page]) -> Self:
        """The model of these pages and all before: the same as learning from everything at once."""

    def __add__(self, other: Self) -> Self:
        """The model of all pages of both."""

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write the model to a file; `created` is a date for its header."""


class SiteMethod(Method, Protocol):
    """Settings of a way to learn sites."""

    def fit(self, pages: Iterable[Page] = ()) -> SiteModel:
        """Learn from pages of one site, in any order."""
