"""WARC: conversion records, which hold a page in another form than it was fetched in (ISO 28500, 6.7)."""

from __future__ import annotations

import uuid
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from dehusk.sinks.sink import Content, FileSink, Record, digest_of, output_errors, text_of
from dehusk.sources.warc_source import import_fastwarc

_WRITERS: Final = {".gz": "GzipWriter", ".zst": "ZstdWriter", ".lz4": "Lz4Writer"}
_ALLOWED: Final = "!#$%&'()*+,/:;=?@[]~"
"""What stays in an address as it is, beside letters, digits and `-._`. No newlines, with which a page could write
headers of its own, and no blanks."""


class WarcSink(FileSink):
    """A record a page, each compressed by itself, so that readers can go to any.

    `refers_to` in a record is the identifier of the response that the page came in (`RawPage.header("WARC-Record-ID")`
    of pages that were read from a WARC file).
    """

    _stream: Any

    def __init__(self, target: Path, content: Content, written_at: datetime | None = None) -> None:
        super().__init__(target)
        self._fastwarc = import_fastwarc()
        self._content = content
        self._written_at = (written_at or datetime.now(UTC)).astimezone(UTC)

    def write(self, record: Record) -> None:
        """Write one conversion record."""
        body = text_of(record, "text").encode("utf-8", "replace")
        # The identifier follows from the page and its text: the same input gives the same file.
        identifier = uuid.uuid5(uuid.NAMESPACE_OID, digest_of(record) + body.decode())
        converted = self._fastwarc.warc.WarcRecord()
        converted.init_headers(self._fastwarc.warc.WarcRecordType.conversion, record_urn=f"uuid:{identifier}".encode())
        converted.headers["WARC-Date"] = self._written_at.strftime("%Y-%m-%dT%H:%M:%SZ")
        converted.headers["WARC-Target-URI"] = _address(record)
        if refers_to := text_of(record, "refers_to"):
            converted.headers["WARC-Refers-To"] = f"<{_quoted(refers_to.strip('<>'))}>"
        converted.headers["Content-Type"] = self._content.media_type
        converted.set_bytes_content(body)
        with output_errors(self._target):
            converted.write(self._stream, checksum_data=True)
            if self._target.suffix.lower() in _WRITERS:
                self._stream.finish()

    def _open(self, temporary: Path, stack: ExitStack) -> None:
        stream = stack.enter_context(temporary.open("wb"))
        writer = _WRITERS.get(self._target.suffix.lower())
        self._stream = getattr(self._fastwarc.stream_io, writer)(stream) if writer else stream

    def _finish(self) -> None:
        self._stream.flush()


def _address(record: Record) -> str:
    """The standard demands one of every conversion, and not all pages have one."""
    return _quoted(text_of(record, "url")) or uuid.uuid5(uuid.NAMESPACE_OID, digest_of(record)).urn


def _quoted(address: str) -> str:
    return quote(address, safe=_ALLOWED, errors="replace")
