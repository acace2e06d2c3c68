"""The interface of every cleaning method: settings that learn a model, and a model that scores blocks.

A Method is frozen settings; `fit` reads pages and returns a Model. A Model is frozen as well; `score_blocks` is a pure
function of it and the blocks. Nothing is ever half-fitted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Protocol, Self, TypeAlias, TypeGuard, runtime_checkable

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import InvalidSetting
from dehusk.native.calls import with_deferred
from dehusk.native.lazy_numpy import np
from dehusk.page.page_columns import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

Scores: TypeAlias = "NDArray[np.float32]"
"""float32 per block: from 0 (boilerplate) to 1 (content); NaN where the method has no opinion."""

Reasons = tuple[tuple[str, ...], ...]
"""Per block, the evidence for its score in words, strongest first."""


def check_range(settings: object, least: float, most: float, *names: str) -> None:
    """Raise InvalidSetting if one of these settings is outside a range."""
    for name in names:
        value = getattr(settings, name)
        if not least <= value <= most:
            cause = f"{value} is outside {least} to {most}"
            raise InvalidSetting(name, cause, f"see {type(settings).__name__}")


class Favour(StrEnum):
    """Which error to avoid: keeping boilerplate (precision) or losing content (recall)."""

    PRECISION = "precision"
    BALANCED = "balanced"
    RECALL = "recall"


@with_deferred("scores", "comments")
@dataclass(frozen=True, eq=False)
class Judgement:
    """The result of a model that judges whole pages."""

    scores: Scores
    """As from `score_blocks`; here they are probabilities."""
    threshold: float
    """The threshold for this page with `Favour.BALANCED`."""
    comments: Scores
    """float32 per block: probability of being a reader's comment."""
    page_type: str
    """The most likely of `dehusk.PAGE_TYPES`."""
    type_certainty: float
    """Probability of that type by the blocks alone."""
    type_agreed: bool
    """Whether the blocks and the page's own metadata agree on the type."""


class Model(Protocol):
    """The result of fitting a method, ready to score."""

    @property
    def method(self) -> str:
        """Name of the method, as in `METHODS`."""

    @property
    def threshold(self) -> float:
        """Blocks that score at least this much are content."""

    def score_blocks(self, blocks: Blocks) -> Scores:
        """One score per block."""

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The reasons behind `score_blocks(blocks)`; expensive, so computed only on demand."""


@runtime_checkable
class JudgesPages(Model, Protocol):
    """A model that gives probabilities, and recognises comments and page types."""

    def judge(self, blocks: Blocks) -> Judgement:
        """Scores of the blocks, and what is known about the page as a whole."""

    def confidence(self, expected_f1: float) -> float:
        """From 0 to 1: the F1 that pages with this expected F1 reach."""


def judges_pages(model: Model) -> TypeGuard[JudgesPages]:
    """Whether a model judges whole pages. As `isinstance`, which takes longer than deciding on a page."""
    return hasattr(model, "judge") and hasattr(model, "confidence")


class Method(Protocol):
    """The settings of a cleaning method."""

    name: ClassVar[str]
    """The name users give, as in `METHODS`."""
    learns: ClassVar[bool]
    """Whether `fit` learns from pages; methods that do not can clean any page right away."""

    def fit(self, pages: Iterable[Page] = ()) -> Model:
        """Learn from pages, in any order. Methods that learn nothing ignore them."""


@runtime_checkable
class TellsNoisyWords(Protocol):
    """A model that finds boilerplate words inside blocks."""

    def noisy_words(self, blocks: Blocks) -> Mapping[int, frozenset[str]]:
        """By block, where there are any: words that are not content even if the block is kept."""


@runtime_checkable
class ReadsKinds(Protocol):
    """A model that finds headings and list items without such markup."""

    def restructure(self, blocks: Blocks) -> Blocks:
        """The blocks, with those marked that are labelled as headings or list items."""


@runtime_checkable
class WeighsWords(Protocol):
    """A model that weighs each word instead of keeping or dropping it."""

    def word_weights(self, page: Page) -> Mapping[str, float]:
        """The weight of each word of a page."""


@runtime_checkable
class Matches(Protocol):
    """A model that recognises pages of its site."""

    def match(self, page: Page) -> float:
        """From 0 to 1: how similar the page is to those learnt. Pages of another site are near 0."""


class SiteModel(Model, Matches, Protocol):
    """What a method learnt about a site. Adding models of parts of a site gives the model of the whole."""

    @property
    def pages(self) -> int:
        """Pages learnt from."""

    @property
    def knows_a_template(self) -> bool:
        """Whether the pages learnt show a template; if not, everything is kept."""

    def update(self, pages: Iterable[Page]) -> Self:
        """The model of these pages and all earlier ones: equal to learning all of them at once."""

    def __add__(self, other: Self) -> Self:
        """The model of all pages of both."""

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write the model to a file; `created` is a date for its header."""


class SiteMethod(Method, Protocol):
    """The settings of a method that learns sites."""

    def fit(self, pages: Iterable[Page] = ()) -> SiteModel:
        """Learn from pages of one site, in any order."""

    def fit_blocks(self, pages: Iterable[Blocks]) -> SiteModel:
        """Learn from pages that are segmented already."""
