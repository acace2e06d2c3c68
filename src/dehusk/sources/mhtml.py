"""MHTML (a page with its images in one file, as browsers save it) -> RawPage."""

from __future__ import annotations

import email
from collections.abc import Iterator
from email.message import Message
from email.policy import compat32
from email.utils import parsedate_to_datetime
from typing import Final

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import RawPage
from dehusk.sources.reading import Found, SourceOptions, open_binary, too_large, unreadable

_WITH_IMAGES: Final = 2
"""Bytes of a file for each byte that a page may have: images are stored beside it, in base64."""
_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})


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
        message = email.message_from_bytes(stored, policy=compat32)
        part = next((part for part in message.walk() if part.get_content_type() in _HTML_TYPES), None)
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


def _header(message: Message, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


def _time(date: str) -> str:
    try:
        return parsedate_to_datetime(date).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
