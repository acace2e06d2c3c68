"""What all adapters do to a page, with settings that are checked before the first one."""

from __future__ import annotations

import os
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
"""A model, the file of one, or None for what the default method knows of any page."""


@dataclass(frozen=True)
class PageCleaner:
    """Settings, as of `dehusk.clean` and `CleanedPage.render`. Survives pickling, as workers need it to."""

    favour: str = Favour.BALANCED
    comments: bool = False
    format: str = "text"
    model: Model | None = None

    def __post_init__(self) -> None:
        # A page of nothing shows whether the settings exist and go together. It also loads the network here and now.
        self.render(self.clean(""))

    def clean(self, source: Source, url: str = "") -> CleanedPage:
        """One page, cleaned."""
        return clean(source, self.model, url=url, favour=self.favour, comments=self.comments)

    def render(self, page: CleanedPage) -> str:
        """What is kept of it, in the format."""
        return encodable(page.render(self.format))


def find_model(model: ModelOrFile) -> Model | None:
    """The model itself; from its file, if that is given."""
    if isinstance(model, str | os.PathLike):
        return load_model(model)
    if model is not None and not hasattr(model, "score_blocks"):
        cause = f"{type(model).__name__} is no model"
        raise InvalidSetting("model", cause, "give what dehusk.learn, load_model or the fit of a method returned")
    return model
