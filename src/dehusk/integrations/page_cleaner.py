"""Page cleaning for all adapters, with settings checked before the first page."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from dehusk.cleaning import CleanedPage, clean
from dehusk.errors import InvalidSetting
from dehusk.learning import load_model
from dehusk.methods.base import Favour, Model
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page
from dehusk.sources.raw_page import RawPage

Source: TypeAlias = bytes | str | RawPage | Page
ModelOrFile: TypeAlias = Model | str | os.PathLike[str] | None
"""A model, a model file, or None for the default method without site training."""


@dataclass(frozen=True)
class PageCleaner:
    """Settings as in `dehusk.clean` and `CleanedPage.render`. Can be pickled, for workers."""

    favour: str = Favour.BALANCED
    comments: bool = False
    format: str = "text"
    model: Model | None = None
    rules: Collection[str] | None = None

    def __post_init__(self) -> None:
        # Cleaning an empty page checks the settings, and loads the network now rather than later.
        self.render(self.clean(""))

    def clean(self, source: Source, url: str = "") -> CleanedPage:
        """Clean one page."""
        return clean(source, self.model, url=url, favour=self.favour, comments=self.comments, rules=self.rules)

    def render(self, page: CleanedPage) -> str:
        """The kept content in the chosen format."""
        return encodable(page.render(self.format))


def find_model(model: ModelOrFile) -> Model | None:
    """The model given, or loaded from the file given."""
    if isinstance(model, str | os.PathLike):
        return load_model(model)
    if model is not None and not hasattr(model, "score_blocks"):
        cause = f"{type(model).__name__} is not a model"
        raise InvalidSetting("model", cause, "pass the result of dehusk.learn, load_model or a method's fit")
    return model
