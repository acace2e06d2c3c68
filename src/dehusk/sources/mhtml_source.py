"""MHTML (a page with its images in one file, as browsers save it) -> RawPage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Final

from dehusk.errors import SourceUnreadable
from dehusk.sources.file_types import HTML_TYPES
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import Found, SourceOptions, open_binary, too_large, unreadable

_WITH_IMAGES: Final = 2
"""Bytes of a file for each byte that a page may have: images are stored beside it, in base64."""
_DEEPEST: Final = 3
"""Parts inside of parts. Browsers write one level, mail programs two."""
_MOST_PARTS: Final = 10_000
"""Parts among which the page is looked for. It is the first, as a rule; its images are a few hundred."""
_LONGEST_TYPE: Final = 2_000
"""Characters of a Content-Type; a boundary has at most 70."""


def read_mhtml(path: str, options: SourceOptions) -> Iterator[Found]:
    """The first html of the file, which is the page itself; frames follow it."""
    largest = _WITH_IMAGES * options.limits.bytes
    with open_binary(path) as stream:
        try:
            stored = stream.read(largest + 1)
        except OSError as error:
            yield unreadable(path, error)
            return
    yield too_large(path, options.limits) if len(stored) > largest else _page(stored, path, options)


def _page(stored: bytes, path: str, options: SourceOptions) -> Found:
    try:
        message = _parsed(stored)
        parts = islice(_all_parts(message, stored, _DEEPEST), _MOST_PARTS)
        part = next((part for part in parts if part.get_content_type() in HTML_TYPES), None)
        body = part.get_payload(decode=True) if part is not None else None
    except (ValueError, LookupError, RecursionError) as error:
        return unreadable(path, f"not a readable MHTML file ({error})")
    if part is None or not isinstance(body, bytes):
        return SourceUnreadable(path, "no html in it", "leave it out")
    if len(body) > options.limits.bytes:
        return too_large(path, options.limits)
    url = _header(part, "Content-Location") or _header(message, "Snapshot-Content-Location")
    headers = (("Content-Type", _header(part, "Content-Type")),)
    return RawPage(body, url, path, headers, _time(_header(message, "Date")))


def _parsed(stored: bytes) -> Message:
    """Headers parsed, and the rest as it is: the parser compares every line with every boundary around it, which for
    parts inside of parts takes minutes a megabyte."""
    return BytesParser(policy=compat32).parsebytes(stored, headersonly=True)


def _all_parts(message: Message, stored: bytes, depth: int) -> Iterator[Message]:
    """The message itself, and its parts with theirs."""
    yield message
    # Parameters of a header are parsed in time quadratic in their number.
    is_simple = len(str(message.get("Content-Type", ""))) <= _LONGEST_TYPE
    boundary = message.get_boundary() if is_simple and depth else None
    if boundary and message.get_content_maintype() == "multipart":
        for part in _parts(stored, boundary.encode("ascii", "surrogateescape")):
            yield from _all_parts(_parsed(part), part, depth - 1)


def _parts(stored: bytes, boundary: bytes) -> Iterator[bytes]:
    """What stands between the lines that begin with the boundary (RFC 2046, 5.1.1)."""
    start: int | None = None
    for line in re.finditer(rb"(?:^|\r?\n)--%s(--)?[ \t]*(?=\r?\n|$)" % re.escape(boundary), stored):
        if start is not None:
            yield stored[start : line.start()]
        start = stored.find(b"\n", line.end()) + 1 or None
        if line[1]:
            return
    if start is not None:
        yield stored[start:]  # the file was cut


def _header(message: Message, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


def _time(date: str) -> str:
    try:
        return parsedate_to_datetime(date).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
