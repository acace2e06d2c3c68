"""The index of a crawl in a folder: one line of JSON per page, with everything but its body."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import count
from typing import Any, BinaryIO, Final

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import RawPage

INDEX_NAME: Final = "index.json-lines"
"""JSON lines, but with another suffix: files of JSON lines hold pages, and this one does not."""
_FIELDS: Final = {"url": str, "final_url": str, "status": int, "fetched_at": str, "file": str, "headers": list}
"""What each line has at least."""
_LONGEST_LINE: Final = 1_000_000
"""Bytes. Clients accept 100 kB of headers at most, and JSON writes up to six bytes for one of them."""


def read_crawl_index(folder: str | os.PathLike[str]) -> dict[str, RawPage]:
    """File name -> page without body; empty if the folder has no index.

    Incomplete lines are skipped. Of a page that was fetched again, the last line counts.
    """
    path = os.path.join(folder, INDEX_NAME)
    if os.path.exists(path) and not os.path.isfile(path):
        return {}  # opening a pipe could wait forever
    try:
        with open(path, "rb") as stream:
            entries = [entry for entry in map(_entry, _lines(stream, path)) if entry is not None]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SourceUnreadable(path, (error.strerror or str(error)).lower(), "check its permissions") from error
    return {entry["file"]: _about(entry) for entry in {entry["url"]: entry for entry in entries}.values()}


def _lines(stream: BinaryIO, path: str) -> Iterator[bytes]:
    for number in count(1):
        line = stream.readline(_LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > _LONGEST_LINE:
            cause = f"line {number:,} is longer than {_LONGEST_LINE:,} bytes"
            raise SourceUnreadable(path, cause, "delete that line, or the whole file to read the pages without it")
        yield line


def index_line(name: str, raw_page: RawPage) -> bytes:
    """The line for a page that is stored in this file."""
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
    """None if the line is incomplete, or names a file outside the folder."""
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
