"""Find the column of a table, or field of a JSON object, that holds the page, its URL, time or headers.

Names may be paths: `metadata.url` is the field `url` of the object `metadata`, which is where datatrove puts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import Headers
from dehusk.sources.source_options import SourceOptions

HTML_NAMES: Final = tuple("html raw_html html_content page_html raw_content content body raw page source".split())
"""Tried in this order, in any case."""
TEXT_NAME: Final = "text"
"""Tried last: datatrove and others keep html in it until it is extracted. What is no longer html is refused."""
URL_NAMES: Final = tuple("url uri page_url source_url target_uri warc_target_uri link address href".split())
HEADER_NAMES: Final = tuple("headers http_headers response_headers".split())
TIME_NAMES: Final = tuple("fetched_at fetch_time crawled_at crawl_date date_download warc_date timestamp date".split())
_OBJECTS: Final = ("metadata", "meta")
"""Objects whose fields are tried, too."""
_MARKUP: Final = re.compile(
    rb"\s*(?:<!doctype|<!--|<\?xml|<html|<head|<body)|.{0,2000}<(?:p|div|br|a|h[1-6])[\s>]", re.I | re.S
)
"""How html begins, or what is soon in it."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Names as the table spells them; empty for those it lacks."""

    html: str
    url: str
    time: str
    headers: str
    is_plain: bool = False
    """Whether the field `html` holds plain text, by the options."""
    is_doubtful: bool = False
    """Whether it may hold text that is no longer html."""


def find_fields(names: Iterable[str], options: SourceOptions, label: str) -> Fields:
    """The fields that the options name, or a guess. Names of fields of objects are paths."""
    there = list(names)
    by_name = {name.lower().replace("-", "_"): name for name in reversed(there)}
    html = options.text_field or options.html_field or _first((*HTML_NAMES, TEXT_NAME), by_name)
    url = options.url_field or _first_anywhere(URL_NAMES, by_name)
    if html not in there:
        raise no_html(label, f"has no field {html}" if html else "")
    if url and url not in there:
        remedy = "name the one that holds the addresses with url_field (--url-field)"
        raise SourceUnreadable(label, f"has no field {url}", remedy)
    time = options.time_field or _first_anywhere(TIME_NAMES, by_name)
    headers = options.headers_field or _first(HEADER_NAMES, by_name)
    is_doubtful = html.lower() == TEXT_NAME and not options.text_field and not options.html_field
    known = set(there)
    return Fields(
        html,
        url,
        time if time in known else "",
        headers if headers in known else "",
        bool(options.text_field),
        is_doubtful,
    )


def no_html(label: str, cause: str = "") -> SourceUnreadable:
    """The fault for a record without a page."""
    remedy = "name the one that holds the pages with html_field (--html-field), or text with text_field (--text-field)"
    return SourceUnreadable(label, cause or "has no field with a usual name for html", remedy)


def looks_like_html(text: bytes) -> bool:
    """Whether a text is html rather than what was extracted from it."""
    return _MARKUP.match(text) is not None


def paths_in(record: Mapping[str, object]) -> list[str]:
    """The names of fields, and paths to those of objects that commonly hold some."""
    return [*record, *(path for name in record for path in _below(name, record[name]))]


def _below(name: str, value: object) -> list[str]:
    return [f"{name}.{inner}" for inner in value] if isinstance(value, Mapping) else []


def value_at(record: Mapping[str, object], path: str) -> object:
    """The value of a field, by its name or path; None if there is none."""
    if path in record or "." not in path:
        return record.get(path)
    outer, _, inner = path.partition(".")
    value = record.get(outer)
    return value_at(value, inner) if isinstance(value, Mapping) else None


def header_pairs(value: object) -> Headers:
    """Response headers from an object, or from a list of pairs or of objects with a name and a value."""
    entries = list(value.items()) if isinstance(value, dict) else value if isinstance(value, list) else []
    pairs = (tuple(entry.values()) if isinstance(entry, dict) else entry for entry in entries)
    return tuple((pair[0], pair[1]) for pair in pairs if _is_pair(pair))


def _is_pair(pair: object) -> TypeGuard[Sequence[str]]:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def _first(wanted: Iterable[str], by_name: dict[str, str]) -> str:
    return next((by_name[name] for name in wanted if name in by_name), "")


def _first_anywhere(wanted: Sequence[str], by_name: dict[str, str]) -> str:
    """The first of these names, or of the same in an object."""
    return _first((*wanted, *(f"{place}.{name}" for place in _OBJECTS for name in wanted)), by_name)
