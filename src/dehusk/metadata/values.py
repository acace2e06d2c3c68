"""The metadata of a page, and the source of each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from functools import cache
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Found:
    """A value of the metadata as text, and where it was found."""

    value: str
    source: str


Candidate = tuple[str, str, str]
"""A field of Metadata, a value for it as written on the page, and the source of that. No `Found`, which takes ten times
as long to make: most are not chosen."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page. None, or an empty list, where nothing was found.

    >>> found = dehusk.find_metadata(dehusk.read_page("<title>Tea</title>"))
    >>> found.title, found.published, found.authors, found.sources["title"]
    ('Tea', None, [], 'html')
    """

    title: str | None = None
    """Without the site name."""
    subtitle: str | None = None
    authors: list[str] = field(default_factory=list)
    published: date | datetime | None = None
    """A `datetime` if the page gives a time, with its zone if the page gives one; otherwise a `date`."""
    modified: date | datetime | None = None
    """As `published`."""
    language: str | None = None
    """BCP 47: `en`, `pt-BR`, `zh-Hans`."""
    site_name: str | None = None
    url: str | None = None
    """The canonical URL, absolute."""
    categories: list[str] = field(default_factory=list)
    """From general to specific."""
    tags: list[str] = field(default_factory=list)
    description: str | None = None
    image: str | None = None
    """An absolute URL."""
    licence: str | None = None
    """A URL, or a name such as `CC BY 4.0`."""
    page_type: str | None = None
    """One of `dehusk.PAGE_TYPES`: of a cleaned page, its `page_type`."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """By name of a field that has a value, where that was found: `json-ld`, `microdata`, `opengraph`, `twitter`,
    `dublin core`, `meta`, `html` (title, language and links of the document), `page` (visible content), `url`,
    `htmldate`, `detected` (language) or `method` (page type)."""

    def to_dict(self) -> dict[str, object]:
        """Values for writing: str, None or a list of str, dates in ISO 8601; `sources` as a dict."""
        plain = {name: _plain(getattr(self, name)) for name in _names()}
        return {**plain, "sources": dict(self.sources)}


def metadata_from(**found: Found | tuple[Found, ...] | None) -> Metadata:
    """The metadata with these values by field, dates as ISO 8601."""
    sources: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name, one in found.items():
        several = one if isinstance(one, tuple) else (one,) if one else ()
        if not several:
            continue
        sources[name] = several[0].source
        values[name] = [each.value for each in several] if isinstance(one, tuple) else several[0].value
    for name in _DATES & values.keys():
        values[name] = _date(values[name])
    return Metadata(**values, sources=sources)


_DATES: Final = frozenset({"published", "modified"})


def _date(iso: str) -> date:
    return datetime.fromisoformat(iso) if "T" in iso else date.fromisoformat(iso)


def _plain(value: date | list[str] | str | None) -> object:
    if isinstance(value, date):  # of which datetime is one
        return value.isoformat()
    return list(value) if isinstance(value, list) else value


@cache
def _names() -> tuple[str, ...]:
    """The names of the fields that hold values."""
    return tuple(one.name for one in fields(Metadata) if one.name != "sources")
