"""The index of a crawl in a folder: a line of JSON a page, with all that is known of it but its body."""

from __future__ import annotations

import json
import os
from typing import Any, Final

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import RawPage

INDEX_NAME: Final = "index.json-lines"
"""JSON lines, but not called so: files of JSON lines hold pages, and this one does not."""
_FIELDS: Final = {"url": str, "final_url": str, "status": int, "fetched_at": str, "file": str, "headers": list}
"""What each line has, at least."""


def read_crawl_index(folder: str | os.PathLike[str]) -> dict[str, RawPage]:
    """By name of file, a page without body; empty if nobody crawled into this folder.

    Lines that an interruption cut are passed over. Of a page that was fetched again, the last line counts.
    """
    path = os.path.join(folder, INDEX_NAME)
    if os.path.exists(path) and not os.path.isfile(path):
        return {}  # opening a pipe would wait without end
    try:
        with open(path, "rb") as lines:
            entries = [entry for entry in map(_entry, lines) if entry is not None]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SourceUnreadable(path, (error.strerror or str(error)).lower(), "check its permissions") from error
    return {entry["file"]: _about(entry) for entry in {entry["url"]: entry for entry in entries}.values()}


def index_line(name: str, raw_page: RawPage) -> bytes:
    """The line of a page that is in the file of that name."""
    entry = {
        "url": raw_page.label,
        "final_url": raw_page.url,
        "status": raw_page.status,
        "fetched_at": raw_page.fetched_at,
        "file": name,
        "etag": raw_page.header("etag"),
        "last_modified": raw_page.header("last-modified"),
        "headers": raw_page.headers,
    }
    return json.dumps(entry).encode("ascii") + b"\n"


def _entry(line: bytes) -> dict[str, Any] | None:
    """None if the line is not whole, or names a file that is not of this folder."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_whole = (
        isinstance(entry, dict)
        and all(isinstance(entry.get(field), kind) for field, kind in _FIELDS.items())
        and all(isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in entry["headers"])
        and os.path.basename(entry["file"]) == entry["file"]
    )
    return entry if is_whole else None


def _about(entry: dict[str, Any]) -> RawPage:
    headers = tuple((name, value) for name, value in entry["headers"])
    return RawPage(b"", entry["final_url"], entry["url"], headers, entry["fetched_at"], entry["status"])
