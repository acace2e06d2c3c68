"""The base of site models that consist of counts only: they add up and are saved as arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.model_files import ModelFile, excerpt, stored_settings, write_model_file
from dehusk.methods.site_trees.count_storage import counts_as_arrays, counts_from_arrays
from dehusk.methods.site_trees.site_counts import SiteCounts, add_counts
from dehusk.page.page_columns import Page


class CountingSettings(Protocol):
    """Settings (a dataclass) of a method whose models are counts."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]

    def fit(self, pages: Iterable[Page] = ()) -> Any:
        """Learn from pages."""


Settings = TypeVar("Settings", bound=CountingSettings)


@dataclass(frozen=True, eq=False)
class CountedSite(Generic[Settings]):
    """The counts of a site. Everything else is computed from them on first use."""

    settings_class: ClassVar[type[Any]]
    """The class of the settings in a file."""
    holds: ClassVar[str]
    """What such a file holds, for error messages."""

    settings: Settings
    counts: SiteCounts

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def pages(self) -> int:
        """Pages learnt from."""
        return self.counts.pages

    @property
    def knows_a_template(self) -> bool:
        """Whether two different pages were learnt; if not, the model has no opinion on any block."""
        return len(self.counts.contents) > 1

    def update(self, pages: Iterable[Page]) -> Self:
        """The model of these pages and all earlier ones: the same as learning from all at once."""
        added: Self = self.settings.fit(pages)
        return self + added

    def __add__(self, other: Self) -> Self:
        if other.settings != self.settings:
            cause = "learnt with other settings, so their counts do not add up"
            raise ModelError("the two models", cause, "learn both with the same settings")
        return type(self)(self.settings, add_counts([self.counts, other.counts]))

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write the model to a file; `created` is a date for its header."""
        arrays = counts_as_arrays(self.counts)
        write_model_file(path, ModelFile(self.method, asdict(self.settings), self.pages, site, created, arrays))

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Load a saved model."""
        try:
            return cls(
                cls.settings_class(**stored_settings(file.settings, cls.settings_class)),
                counts_from_arrays(file.pages, file.arrays),
            )
        except (InvalidSetting, KeyError, TypeError, ValueError) as error:
            cause = f"does not hold {cls.holds} ({excerpt(error)})"
            raise ModelError("the model file", cause, "learn the site again") from error
