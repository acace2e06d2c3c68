"""The metadata of a page, and the source of each value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache


@dataclass(frozen=True, slots=True)
class Found:
    """A value of the metadata, and where it was found.

    >>> dehusk.find_metadata(dehusk.read_page("<title>Tea</title>")).title
    Found(value='Tea', source='html')
    """

    value: str
    source: str
    """`json-ld`, `microdata`, `opengraph`, `twitter`, `dublin core`, `meta`, `html` (title, language and links of the
    document), `page` (visible content), `url`, `htmldate`, `detected` (language) or `method` (page type)."""


Candidate = tuple[str, str, str]
"""A field of Metadata, a value for it as written on the page, and the source of that. No `Found`, which takes ten times
as long to make: most are not chosen."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page. None, or an empty tuple, where nothing was found.

    >>> found = dehusk.find_metadata(dehusk.read_page("<title>Tea</title>"))
    >>> found.title.value, found.published, found.authors
    ('Tea', None, ())
    """

    title: Found | None = None
    """Without the site name."""
    subtitle: Found | None = None
    authors: tuple[Found, ...] = ()
    published: Found | None = None
    """ISO 8601: a date, or a date and time, with its zone if the page gives one."""
    modified: Found | None = None
    """As `published`."""
    language: Found | None = None
    """BCP 47: `en`, `pt-BR`, `zh-Hans`."""
    site_name: Found | None = None
    url: Found | None = None
    """The canonical URL, absolute."""
    categories: tuple[Found, ...] = ()
    """From general to specific."""
    tags: tuple[Found, ...] = ()
    description: Found | None = None
    image: Found | None = None
    """An absolute URL."""
    licence: Found | None = None
    """A URL, or a name such as `CC BY 4.0`."""
    page_type: Found | None = None
    """One of `dehusk.PAGE_TYPES`."""

    def values(self) -> Iterator[tuple[str, Found]]:
        """Each value, with the name of its field."""
        for name in _names():
            value: Found | tuple[Found, ...] | None = getattr(self, name)
            several = value if isinstance(value, tuple) else () if value is None else (value,)
            yield from ((name, found) for found in several)

    def to_dict(self) -> dict[str, object]:
        """Plain values (str, None or a list of str), and the source of each under `sources`."""
        plain: dict[str, object] = {}
        sources: dict[str, str] = {}
        for name in _names():
            value: Found | tuple[Found, ...] | None = getattr(self, name)
            if isinstance(value, tuple):
                plain[name] = [found.value for found in value]
                if value:
                    sources[name] = value[0].source
            elif value is not None:
                plain[name], sources[name] = value.value, value.source
            else:
                plain[name] = None
        plain["sources"] = sources
        return plain


@cache
def _names() -> tuple[str, ...]:
    """The names of the fields."""
    return tuple(field.name for field in fields(Metadata))
