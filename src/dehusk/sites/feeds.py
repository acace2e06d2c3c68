"""URLs from feeds: RSS, Atom and JSON feeds. Like sitemaps, they are searched by patterns that read each byte once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from typing import Final
from urllib.parse import urljoin

from dehusk.sources.fetching import LONGEST_URL

_ENTRY: Final = re.compile(r"<(?:[a-z]{1,20}:)?(?:item|entry)[\s>]", re.IGNORECASE)
_LINK: Final = re.compile(
    rf"<link>\s{{0,100}}(?:<!\[CDATA\[)?\s{{0,100}}([^<>\]]{{1,{LONGEST_URL}}})|<(?:atom:)?link\s([^<>]{{1,4000}})>",
    re.IGNORECASE,
)
"""The link of an RSS item, or the attributes of an Atom one."""
_ATTRIBUTE: Final = re.compile(r"([a-z]{1,20})\s{0,20}=\s{0,20}[\"']([^\"'<>]{0,2000})[\"']", re.IGNORECASE)
_ROOT: Final = re.compile(r"<(?:rss|feed|rdf:rdf)[\s>]", re.IGNORECASE)
_HEAD: Final = 5000
"""Characters in which the root element is looked for."""
_LONGEST_JSON: Final = 2_000_000
"""Characters of a JSON feed: three of them may become a value of 64 bytes. Feeds have some hundred entries."""


def is_feed(text: str) -> bool:
    """Whether a text is a feed."""
    return bool(_ROOT.search(text, 0, _HEAD)) or bool(_json_items(text))


def feed_entries(text: str, base: str = "") -> list[str]:
    """The URLs of a feed's entries, in order, each once; relative ones are resolved against `base`."""
    found = _json_items(text) if text.lstrip().startswith("{") else list(_xml_links(text))
    return list(dict.fromkeys(_joined(base, address) for address in found))


def _xml_links(text: str) -> Iterator[str]:
    starts = [match.start() for match in _ENTRY.finditer(text)]
    for start, end in pairwise([*starts, len(text)]):
        for match in _LINK.finditer(text, start, end):
            address = match[1] or _alternate(match[2])
            if address:
                yield unescape(address.strip())
                break


def _alternate(attributes: str) -> str:
    """The target of an Atom link, if it leads to the page of the entry."""
    named = {name.lower(): value for name, value in _ATTRIBUTE.findall(attributes)}
    return named.get("href", "") if named.get("rel", "alternate") == "alternate" else ""


def _json_items(text: str) -> list[str]:
    if len(text) > _LONGEST_JSON or text.lstrip()[:1] != "{":
        return []
    try:
        items = json.loads(text).get("items")
    except (ValueError, RecursionError):
        return []
    urls = [item.get("url") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [url for url in urls if isinstance(url, str) and len(url) <= LONGEST_URL]


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return address
