"""The metadata of a page, and the source of each value."""

from __future__ import annotations

from dataclasses import dataclass, fields


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


Candidate = tuple[str, Found]
"""A field of Metadata and a value for it, as written on the page."""


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

    def to_dict(self) -> dict[str, object]:
        """Plain values (str, None or a list of str), and the source of each under `sources`."""
        plain: dict[str, object] = {}
        sources: dict[str, str] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            found = value if isinstance(value, tuple) else (value,) if value else ()
            texts = [one.value for one in found]
            plain[field.name] = texts if isinstance(value, tuple) else texts[0] if texts else None
            if found:
                sources[field.name] = found[0].source
        return {**plain, "sources": sources}
