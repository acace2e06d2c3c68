"""MHTML (a page and its images in one file, as browsers save it) -> RawPage."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Final

from dehusk.errors import SourceUnreadable
from dehusk.sources.file_types import HTML_TYPES
from dehusk.sources.http_bodies import LARGEST_HEAD
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import Found, SourceOptions, open_binary, too_large, unreadable

_WITH_IMAGES: Final = 2
"""Bytes of a file per byte that a page may have: the file also has images, in base64."""
_DEEPEST: Final = 3
"""Levels of nested parts. Browsers write one, mail programs two."""
_MOST_PARTS: Final = 10_000
"""Parts that are searched for the page. It is usually the first; its images are a few hundred."""
_HEAD_END: Final = re.compile(rb"(?:\A|\n)\r?\n")
_LONGEST_TYPE: Final = 2_000
"""Characters of a Content-Type; a boundary has at most 70."""


def read_mhtml(path: str, options: SourceOptions) -> Iterator[Found]:
    """The first HTML part of the file, which is the page itself; frames follow it."""
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
        message, content = _parsed(stored)
        _take_styles(message, content, options)
        parts = islice(_all_parts(message, content, _DEEPEST), _MOST_PARTS)
        part, content = next((found for found in parts if found[0].get_content_type() in HTML_TYPES), (None, b""))
        body = _decoded(content, part) if part is not None else b""
    except (ValueError, LookupError, RecursionError) as error:
        return unreadable(path, f"not a readable MHTML file ({error})")
    if part is None:
        return SourceUnreadable(path, "no html in it", "leave it out")
    if len(body) > options.limits.bytes:
        return too_large(path, options.limits)
    url = _header(part, "Content-Location") or _header(message, "Snapshot-Content-Location")
    headers = (("Content-Type", _header(part, "Content-Type")),)
    return RawPage(body, url, path, headers, _time(_header(message, "Date")))


def _take_styles(message: Message, content: bytes, options: SourceOptions) -> None:
    if options.on_style is None:
        return
    for part, css in islice(_all_parts(message, content, _DEEPEST), _MOST_PARTS):
        if part.get_content_type() == "text/css":
            options.on_style(_header(part, "Content-Location"), _decoded(css, part))


def _parsed(stored: bytes) -> tuple[Message, bytes]:
    """Parsed headers, and the content. The parser would make an object of every line, and compare it with every
    enclosing boundary: for nested parts, that takes minutes per megabyte."""
    end = _HEAD_END.search(stored, 0, LARGEST_HEAD)
    head, content = (stored[: end.end()], stored[end.end() :]) if end else (stored[:LARGEST_HEAD], b"")
    return BytesParser(policy=compat32).parsebytes(head, headersonly=True), content


def _decoded(content: bytes, part: Message) -> bytes:
    """Undo the transfer encoding; an unknown one leaves the content as it is."""
    decode = _TRANSFER_ENCODINGS.get(_header(part, "Content-Transfer-Encoding").lower())
    return decode(content) if decode else content


def _from_base64(content: bytes) -> bytes:
    for padding in (b"", b"=="):  # in case the end is cut off
        with suppress(binascii.Error):
            return binascii.a2b_base64(content + padding)
    return content


_TRANSFER_ENCODINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "base64": _from_base64,
    "quoted-printable": binascii.a2b_qp,
}


def _all_parts(message: Message, content: bytes, depth: int) -> Iterator[tuple[Message, bytes]]:
    """The message itself, and its parts, recursively."""
    yield message, content
    # Parsing the parameters of a header takes quadratic time.
    is_simple = len(str(message.get("Content-Type", ""))) <= _LONGEST_TYPE
    boundary = message.get_boundary() if is_simple and depth else None
    if boundary and message.get_content_maintype() == "multipart":
        for part in _parts(content, boundary.encode("ascii", "surrogateescape")):
            yield from _all_parts(*_parsed(part), depth - 1)


def _parts(stored: bytes, boundary: bytes) -> Iterator[bytes]:
    """The parts between boundary lines (RFC 2046, 5.1.1)."""
    start: int | None = None
    for line in re.finditer(rb"(?:^|\r?\n)--%s(--)?[ \t]*(?=\r?\n|$)" % re.escape(boundary), stored):
        if start is not None:
            yield stored[start : line.start()]
        start = stored.find(b"\n", line.end()) + 1 or None
        if line[1]:
            return
    if start is not None:
        yield stored[start:]  # the file is cut off


def _header(message: Message, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


def _time(date: str) -> str:
    try:
        return parsedate_to_datetime(date).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
