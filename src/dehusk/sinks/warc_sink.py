"""WARC files (ISO 28500): records as bytes, and cleaned pages as conversion records (section 6.7)."""

from __future__ import annotations

import base64
import gzip
import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import quote

from dehusk.sinks.sink import Content, Record, Write, digest_of, text_of
from dehusk.sources.warc_source import import_fastwarc

_FASTWARC_WRITERS: Final = {".zst": "ZstdWriter", ".lz4": "Lz4Writer"}
_ALLOWED: Final = "!#$%&'()*+,/:;=?@[]~"
"""Characters of a URL that are not quoted, besides letters, digits and `-._`. Line breaks are, or a page could write
headers of its own."""


def warc_record(fields: Iterable[tuple[str, str]], block: bytes) -> bytes:
    """A record with these headers and its length, not compressed."""
    return header_lines("WARC/1.1", [*fields, ("Content-Length", str(len(block)))]) + block + b"\r\n\r\n"


def header_lines(first: str, fields: Iterable[tuple[str, str]]) -> bytes:
    """Headers as WARC and HTTP write them, up to and with the blank line."""
    lines = [first, *(f"{name}: {value}" for name, value in fields)]
    # A line break within a value would end it for whoever reads the record.
    safe = (line.replace("\r", " ").replace("\n", " ") for line in lines)
    return "\r\n".join([*safe, "", ""]).encode("latin-1", "replace")


def warc_date(moment: datetime) -> str:
    """The form of `WARC-Date`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def open_warc(path: Path, suffix: str, content: Content, written_at: datetime | None) -> Iterator[Write]:
    """A new file with a conversion record per page, each compressed on its own, so that readers can go to any.

    `refers_to` in a record is the identifier of the response that held the page (`RawPage.header("WARC-Record-ID")` of
    a page that was read from a WARC file).
    """
    date = warc_date(written_at or datetime.now(UTC))
    with path.open("wb") as stream:
        append = _appender(stream, suffix)
        yield lambda record: append(_conversion(record, content, date))


def _appender(stream: BinaryIO, suffix: str) -> Callable[[bytes], object]:
    """What appends a record to the file, compressed as the suffix says."""
    if suffix not in _FASTWARC_WRITERS:
        return lambda record: stream.write(gzip.compress(record, mtime=0) if suffix == ".gz" else record)
    writer = getattr(import_fastwarc().stream_io, _FASTWARC_WRITERS[suffix])(stream)

    def append(record: bytes) -> None:
        writer.write(record)
        writer.finish()
        writer.flush()

    return append


def _conversion(record: Record, content: Content, date: str) -> bytes:
    body = text_of(record, "text").encode("utf-8", "replace")
    # The identifier follows from the page and its text: the same input gives the same file.
    identifier = uuid.uuid5(uuid.NAMESPACE_OID, digest_of(record) + body.decode())
    refers_to = text_of(record, "refers_to").strip("<>")
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    fields = [
        ("WARC-Type", "conversion"),
        ("WARC-Date", date),
        ("WARC-Record-ID", f"<{identifier.urn}>"),
        # The standard demands a URI of every conversion, and not all pages have one.
        ("WARC-Target-URI", _quoted(text_of(record, "url")) or uuid.uuid5(uuid.NAMESPACE_OID, digest_of(record)).urn),
        *([("WARC-Refers-To", f"<{_quoted(refers_to)}>")] if refers_to else []),
        ("Content-Type", content.media_type),
        ("WARC-Block-Digest", f"sha1:{digest}"),
    ]
    return warc_record(fields, body)


def _quoted(address: str) -> str:
    return quote(address, safe=_ALLOWED, errors="replace")
