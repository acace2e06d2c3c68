"""The filters that a command was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dehusk.errors import InvalidSetting

if TYPE_CHECKING:
    from dehusk.filtering.page_filters import Filters

LANGUAGE_CONFIDENCE = 0.5
SIMILARITY = 0.7
"""The defaults of `page_filters`, repeated so that `--help` loads fast; a test keeps them equal."""


def chosen_filters(
    *,
    language: str = "",
    language_confidence: float = LANGUAGE_CONFIDENCE,
    only_type: str = "",
    require: str = "",
    **others: object,
) -> Filters | None:
    """The filters by the names of their options; None if there are none. Lists are separated by commas."""
    lists = {"languages": _listed(language), "only_types": _listed(only_type), "require": _listed(require)}
    given = {**{name: values for name, values in lists.items() if values}, **_changed(others)}
    if not given:
        return None
    from dehusk.filtering.page_filters import Filters

    try:
        return Filters(language_confidence=language_confidence, **given)  # type: ignore[arg-type]
    except InvalidSetting as error:
        raise error.about(f"--{_OPTIONS.get(error.subject, error.subject.replace('_', '-'))}") from error


_OPTIONS = {"languages": "language", "only_types": "only-type"}
_UNCHANGED: Mapping[str, object] = {
    "min_words": 0,
    "max_words": None,
    "min_confidence": 0.0,
    "drop_duplicates": False,
    "similarity": SIMILARITY,
}


def _changed(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value != _UNCHANGED[name]}


def _listed(values: str) -> tuple[str, ...]:
    return tuple(value.strip() for value in values.split(",") if value.strip())
