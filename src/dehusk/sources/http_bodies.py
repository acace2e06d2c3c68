"""HTTP responses as they were stored: their head, and their body as it was sent -> the page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from dehusk.sources.unpacking import GZIP_MAGIC, Damaged, TooMuch, take, unpack

Headers: TypeAlias = tuple[tuple[str, str], ...]

LARGEST_HEAD: Final = 65_536
"""Bytes of a status line and headers; servers and clients give up far earlier."""
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)")
_CHUNK_SIZE: Final = re.compile(rb"[ \t]{0,9}([0-9A-Fa-f]{1,15})[^\r\n]{0,999}\r?\n")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the body, which begins at byte `size`."""

    status: int
    headers: Headers
    size: int

    def header(self, name: str) -> str:
        """The value of the first header of that name (in lower case), or the empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def parse_head(block: bytes) -> Head | None:
    """The head of a response, if the block begins with one."""
    status, end = _STATUS.match(block), _HEAD_END.search(block, 0, LARGEST_HEAD)
    if status is None or end is None:
        return None
    lines = block[: end.start()].decode("utf-8", "replace").splitlines()[1:]
    pairs = (line.partition(":") for line in lines if ":" in line)
    return Head(int(status[1]), tuple((name.strip(), value.strip()) for name, _, value in pairs), end.end())


def decode_body(head: Head, body: bytes, most: int) -> bytes:
    """The body without chunks and compression; `TooMuch` if it has more than `most` bytes, `Damaged` if it is cut.

    Many archives hold bodies that were decoded already, under headers that say otherwise: what does not begin as its
    encoding does is taken as it is.
    """
    if "chunked" in head.header("transfer-encoding").lower():
        body = without_chunks(body)
    for coding in reversed(head.header("content-encoding").lower().split(",")[:_MOST_CODINGS]):
        if decompress := _CODINGS.get(coding.strip()):
            body = decompress(body, most)
    if len(body) > most:
        raise TooMuch
    return body


def without_chunks(body: bytes) -> bytes:
    """The content of the chunks (RFC 9112, 7.1), or the body itself if it does not begin with one."""
    chunks: list[bytes] = []
    at = 0
    while size := _CHUNK_SIZE.match(body, at):
        start, length = size.end(), int(size[1], 16)
        if not length:
            return b"".join(chunks)
        chunk = body[start : start + length]
        chunks.append(chunk)
        at = start + length
        if len(chunk) < length:
            break
        at += 2 if body.startswith(b"\r\n", at) else 1 if body.startswith(b"\n", at) else 0
    if chunks:
        raise Damaged("its chunks end too early")
    return body


def _gunzip(body: bytes, most: int) -> bytes:
    return _unpacked(body, "gzip", most) if body.startswith(GZIP_MAGIC) else body


def _deflate(body: bytes, most: int) -> bytes:
    return body if body.lstrip().startswith(b"<") else _unpacked(body, "deflate", most)


def _unpacked(body: bytes, coding: str, most: int) -> bytes:
    return b"".join(take(unpack([body], coding), most))


def _brotli(body: bytes, most: int) -> bytes:
    from fastwarc.stream_io import BrotliReader

    return body if body.lstrip().startswith(b"<") else _read(BrotliReader(io.BytesIO(body)), most)


def _zstd(body: bytes, most: int) -> bytes:
    from fastwarc.stream_io import ZstdReader

    return _read(ZstdReader(io.BytesIO(body)), most) if body.startswith(b"\x28\xb5\x2f\xfd") else body


def _read(reader: object, most: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    try:
        while size <= most and (chunk := reader.read(LARGEST_HEAD)):  # type: ignore[attr-defined]
            chunks.append(chunk)
            size += len(chunk)
    except OSError as error:
        raise Damaged(f"packed data that cannot be unpacked ({error})") from error
    return b"".join(chunks)


_MOST_CODINGS: Final = 3
"""Codings on top of each other; there is hardly ever more than one."""
_CODINGS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
