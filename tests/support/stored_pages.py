"""Files of pages, made for the tests."""

from __future__ import annotations

import gzip
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

import dehusk

warc = pytest.importorskip("fastwarc.warc")
stream_io = pytest.importorskip("fastwarc.stream_io")

WRITERS = {"": None, ".gz": "GzipWriter", ".zst": "ZstdWriter", ".lz4": "Lz4Writer"}
"""By suffix: what compresses every record by itself."""


def page(number: int) -> bytes:
    return f"<html><title>Tea {number}</title><p>{'Steep the leaves for three minutes. ' * 5}".encode()


def http(body: bytes, *headers: str, status: str = "200 OK", media_type: str = "text/html; charset=utf-8") -> bytes:
    lines = (f"HTTP/1.1 {status}", f"Content-Type: {media_type}", *headers)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunked(body: bytes) -> bytes:
    pieces = [body[start : start + 50] for start in range(0, len(body), 50)]
    return b"".join(b"%x;note\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def record(block: bytes, kind: str = "response", number: int = 0, media_type: str = "", **headers: str) -> object:
    made = warc.WarcRecord()
    made.init_headers(getattr(warc.WarcRecordType, kind), record_urn=b"uuid:%032x" % number)
    made.headers["WARC-Date"] = "2024-05-06T07:08:09Z"
    made.headers["WARC-Target-URI"] = f"https://tea.example/{number}"
    made.headers["Content-Type"] = media_type or "application/http; msgtype=response"
    for name, value in headers.items():
        made.headers[name.replace("_", "-")] = value
    made.set_bytes_content(block)
    return made


def archive(records: Sequence[object], suffix: str = "") -> bytes:
    """The bytes of a WARC file."""
    written = io.BytesIO()
    writer = getattr(stream_io, WRITERS[suffix])(written) if suffix else written
    for one in records:
        one.write(writer, checksum_data=True)  # type: ignore[attr-defined]
        if suffix:
            writer.finish()
    writer.flush()
    return written.getvalue()


def small_archive(suffix: str = "", count: int = 4) -> bytes:
    return archive([record(http(page(number)), number=number) for number in range(count)], suffix)


def gzipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def read(path: Path, **options: object) -> tuple[list[dehusk.RawPage], list[dehusk.DehuskError]]:
    """The pages of a file, and the faults."""
    faults: list[dehusk.DehuskError] = []
    return list(dehusk.open_source(path, on_error=faults.append, **options)), faults  # type: ignore[arg-type]


def read_bytes(folder: Path, name: str, data: bytes, **options: object) -> tuple[list[bytes], list[str]]:
    """Bodies and messages, of a file that holds these bytes."""
    path = folder / name
    path.write_bytes(data)
    pages, faults = read(path, **options)
    return [one.body for one in pages], [str(fault).removeprefix(str(folder) + "/") for fault in faults]
