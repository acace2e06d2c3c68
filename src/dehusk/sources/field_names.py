"""Find the column of a table, or field of a JSON object, that holds the page, its URL, time or headers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import Headers
from dehusk.sources.source_options import SourceOptions

HTML_NAMES: Final = tuple("html raw_html html_content page_html raw_content content body raw page source".split())
"""Tried in this order, in any case. `text` is not among them: what has that name is no longer HTML."""
URL_NAMES: Final = tuple("url uri page_url source_url target_uri warc_target_uri link address href".split())
HEADER_NAMES: Final = tuple("headers http_headers response_headers".split())
TIME_NAMES: Final = tuple("fetched_at fetch_time crawled_at crawl_date warc_date timestamp date".split())


@dataclass(frozen=True, slots=True)
class Fields:
    """Names as the table spells them; empty for those it lacks."""

    html: str
    url: str
    time: str
    headers: str


def find_fields(names: Iterable[str], options: SourceOptions, label: str) -> Fields:
    """The fields that the options name, or a guess."""
    there = list(names)
    by_name = {name.lower().replace("-", "_"): name for name in reversed(there)}
    html = options.html_field or _first(HTML_NAMES, by_name)
    url = options.url_field or _first(URL_NAMES, by_name)
    if html not in there:
        cause = f"has no field {html}" if html else "has no field with a usual name for html"
        raise SourceUnreadable(label, cause, "name the one that holds the pages with html_field")
    if url and url not in there:
        raise SourceUnreadable(label, f"has no field {url}", "name the one that holds the addresses with url_field")
    return Fields(html, url, _first(TIME_NAMES, by_name), _first(HEADER_NAMES, by_name))


def header_pairs(value: object) -> Headers:
    """Response headers from an object, or from a list of pairs or of objects with a name and a value."""
    entries = list(value.items()) if isinstance(value, dict) else value if isinstance(value, list) else []
    pairs = (tuple(entry.values()) if isinstance(entry, dict) else entry for entry in entries)
    return tuple((pair[0], pair[1]) for pair in pairs if _is_pair(pair))


def _is_pair(pair: object) -> TypeGuard[Sequence[str]]:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def _first(wanted: Iterable[str], by_name: dict[str, str]) -> str:
    return next((by_name[name] for name in wanted if name in by_name), "")
