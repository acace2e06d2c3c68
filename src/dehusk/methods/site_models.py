"""Site models that consist of counts: tables that add up, and that model files store as arrays.

Everything else a model needs is computed from its counts on first use, so learning a site in parts equals learning it
at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.corrections import Corrections
from dehusk.methods.key_samples import (
    MOST_SAMPLES,
    NO_SAMPLES,
    Samples,
    add_samples,
    samples_as_arrays,
    samples_from_arrays,
)
from dehusk.methods.model_files import ModelFile, excerpt, stored_settings, write_model_file
from dehusk.methods.tallies import MOST_KEYS, Tally, add_tallies
from dehusk.page.page_columns import Page

NO_TEMPLATE: Final = "fewer than two different pages were learnt: no template is known"
_MOST_PAGES: Final = 1 << 53
"""Integers up to this are exact as floats, too."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class CountTables:
    """Counts over some pages of a site. Subclasses add fields: tallies, and samples to show people."""

    shapes: ClassVar[Mapping[str, tuple[int, int]]]
    """Tally -> (parts of a key, numbers per key); all other tables are samples."""
    largest: ClassVar[Mapping[str, int]] = {}
    """Tally -> most keys, unless `MOST_KEYS`."""
    pages_columns: ClassVar[Mapping[str, int]] = {}
    """Tally -> the column that counts pages, unless the first."""
    stored_names: ClassVar[Mapping[str, str]] = {}
    """Table -> its name in model files, where these differ: files of earlier versions stay readable."""

    pages: int

    @classmethod
    def of_no_pages(cls) -> Self:
        """Empty tables."""
        return cls(0, **{name: _empty(cls, name) for name in _tables_of(cls)})

    @classmethod
    def check_counts(cls, name: str, table: Tally) -> None:
        """Raise ValueError if the counts in a stored table cannot be."""

    def as_arrays(self) -> Arrays:
        """One array of keys and one of counts (or texts) for each table."""
        arrays: dict[str, NDArray[Any]] = {}
        for name in _tables_of(type(self)):
            table, stored = getattr(self, name), self.stored_names.get(name, name)
            arrays[f"{stored}_keys"], arrays[f"{stored}_values"] = (
                samples_as_arrays(table) if isinstance(table, Samples) else (table.keys, table.counts)
            )
        return arrays

    @classmethod
    def from_arrays(cls, pages: int, arrays: Arrays) -> Self:
        """The counts in stored arrays; KeyError or ValueError if they are not valid."""
        tables = {name: _loaded(cls, name, arrays) for name in _tables_of(cls)}
        counts = add_counts([cls(pages, **tables)])
        if any(len(getattr(counts, name)) != len(tables[name]) for name in cls.shapes):
            raise ValueError("tables are too large or have duplicate keys")
        most = max(int(tables[name].counts[:, cls.pages_columns.get(name, 0)].max(initial=0)) for name in cls.shapes)
        if not 0 <= pages <= _MOST_PAGES or most > pages:
            raise ValueError("page counts are impossible")
        return counts


Counts = TypeVar("Counts", bound=CountTables)


def add_counts(parts: Sequence[Counts]) -> Counts:
    """The counts over all pages of the parts."""
    kind = type(parts[0])
    added: dict[str, Any] = {}
    for name in _tables_of(kind):
        tables = [getattr(part, name) for part in parts]
        is_tally = name in kind.shapes
        added[name] = (
            add_tallies(tables, kind.largest.get(name, MOST_KEYS)) if is_tally else add_samples(tables, MOST_SAMPLES)
        )
    return kind(sum(part.pages for part in parts), **added)


def add_up(parts: Iterable[Counts], nothing: Counts, most_at_once: int = 64) -> Counts:
    """Like `add_counts`, with at most `most_at_once` parts in memory at a time."""
    waiting = [nothing]
    for part in parts:
        waiting.append(part)
        if len(waiting) >= most_at_once:
            waiting = [add_counts(waiting)]
    return add_counts(waiting) if len(waiting) > 1 else waiting[0]


def _tables_of(kind: type[CountTables]) -> list[str]:
    return [field.name for field in fields(kind) if field.name != "pages"]


def _empty(kind: type[CountTables], name: str) -> Tally | Samples:
    if name not in kind.shapes:
        return NO_SAMPLES
    parts, numbers = kind.shapes[name]
    return Tally(np.zeros((0, parts), dtype=np.uint64), np.zeros((0, numbers), dtype=np.int64))


def _loaded(kind: type[CountTables], name: str, arrays: Arrays) -> Any:
    stored = kind.stored_names.get(name, name)
    keys, values = arrays[f"{stored}_keys"], arrays[f"{stored}_values"]
    if name not in kind.shapes:
        return samples_from_arrays(keys, values, MOST_SAMPLES)
    if keys.dtype != np.uint64:
        raise ValueError(f"{stored}: keys are not uint64")
    if values.dtype != np.int64 or keys.ndim != 2 or values.ndim != 2:
        raise ValueError(f"{stored}: counts are not a matrix of int64")
    if (keys.shape[1], values.shape[1]) != kind.shapes[name] or len(keys) != len(values):
        raise ValueError(f"{stored}: wrong shape")
    table = Tally(keys, values)
    kind.check_counts(name, table)
    return table


class LearningSettings(Protocol):
    """Settings (a dataclass) of a method that learns sites."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]

    def fit(self, pages: Iterable[Page] = ()) -> Any:
        """Learn from pages."""


Settings = TypeVar("Settings", bound=LearningSettings)


class CountedSite(Generic[Settings, Counts]):
    """Base of site models: a dataclass of settings and counts."""

    settings_class: ClassVar[type[Any]]
    counts_class: ClassVar[type[CountTables]]
    holds: ClassVar[str]
    """What a file of the model holds, for error messages."""

    settings: Settings
    counts: Counts
    corrections: Corrections
    """What a person decided on the site."""

    @classmethod
    def of_counts(cls, settings: Any, counts: Any) -> Self:
        """The model of some counts."""
        return cls(settings, counts)  # type: ignore[call-arg]

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def pages(self) -> int:
        """Pages learnt from."""
        return self.counts.pages

    def update(self, pages: Iterable[Page]) -> Self:
        """The model of these pages and all earlier ones: equal to learning all of them at once."""
        added: Self = self.settings.fit(pages)
        return self + added

    def __add__(self, other: Self) -> Self:
        if other.settings != self.settings:
            cause = "learnt with other settings, so their counts do not add up"
            raise ModelError("the two models", cause, "learn both with the same settings")
        added = self.of_counts(self.settings, add_counts([self.counts, other.counts]))
        return added.with_corrections(self.corrections + other.corrections)

    def with_corrections(self, corrections: Corrections) -> Self:
        """The model with these corrections instead of its own."""
        return replace(self, corrections=corrections)  # type: ignore[type-var]

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write what was learnt to a file; `created` is a date for its header."""
        arrays = {**self.counts.as_arrays(), **self.corrections.as_arrays()}
        write_model_file(path, ModelFile(self.method, asdict(self.settings), self.pages, site, created, arrays))

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Load a saved model."""
        try:
            settings = cls.settings_class(**stored_settings(file.settings, cls.settings_class))
            counts = cls.counts_class.from_arrays(file.pages, file.arrays)
            return cls.of_counts(settings, counts).with_corrections(Corrections.from_arrays(file.arrays))
        except (InvalidSetting, KeyError, TypeError, ValueError) as error:
            cause = f"does not hold {cls.holds} ({excerpt(error)})"
            raise ModelError("the model file", cause, "learn the site again") from error
