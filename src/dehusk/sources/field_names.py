"""Which column of a table, or field of a JSON object, holds the page, and which its address, time and headers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from dehusk.errors import SourceUnreadable
from dehusk.sources.http_bodies import Headers
from dehusk.sources.source_options import SourceOptions

HTML_NAMES: Final = tuple("html raw_html html_content page_html raw_content content body raw page source".split())
"""Tried in this order, whatever their case. `text` is not among them: where it stands, it is no longer html."""
URL_NAMES: Final = tuple("url uri page_url source_url target_uri warc_target_uri link address href".split())
HEADER_NAMES: Final = tuple("headers http_headers response_headers".split())
TIME_NAMES: Final = tuple("fetched_at fetch_time crawled_at crawl_date warc_date timestamp date".split())


@dataclass(frozen=True, slots=True)
class Fields:
    """Names as the table spells them; empty for what it does not have."""

    html: str
    url: str
    time: str
    headers: str


def find_fields(names: Iterable[str], options: SourceOptions, label: str) -> Fields:
    """The fields named in the options, or else guessed."""
    there = list(names)
    by_name = {name.lower().replace("-", "_"): name for name in reversed(there)}
    html = options.html_field or _first(HTML_NAMES, by_name)
    url = options.url_field or _first(URL_NAMES, by_name)
    if html not in there:
        cause = f"has no field {html}" if html else "has no field that is named as if it held html"
        raise SourceUnreadable(label, cause, "name the one that holds the pages with html_field")
    if url and url not in there:
        raise SourceUnreadable(label, f"has no field {url}", "name the one that holds the addresses with url_field")
    return Fields(html, url, _first(TIME_NAMES, by_name), _first(HEADER_NAMES, by_name))


def header_pairs(value: object) -> Headers:
    """Response headers as they are stored: an object, or a list of pairs or of objects with a name and a value."""
    entries = list(value.items()) if isinstance(value, dict) else value if isinstance(value, list) else []
    pairs = (tuple(entry.values()) if isinstance(entry, dict) else entry for entry in entries)
    return tuple((pair[0], pair[1]) for pair in pairs if _is_pair(pair))


def _is_pair(pair: object) -> TypeGuard[Sequence[str]]:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def _first(wanted: Iterable[str], by_name: dict[str, str]) -> str:
    return next((by_name[name] for name in wanted if name in by_name), "")
