"""Stored HTTP responses -> headers and decoded body."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dehusk.sources.decompression import (
    GZIP_MAGIC,
    STORED_CODINGS,
    ZSTD_MAGIC,
    Damaged,
    TooMuch,
    decompress,
    take,
)
from dehusk.sources.packed_bodies import unpacked_once
from dehusk.sources.raw_page import Headers

LARGEST_HEAD: Final = 65_536
"""Bytes of a status line and headers; servers and clients accept far less."""
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)")
_CHUNK_SIZE: Final = re.compile(rb"[ \t]{0,9}([0-9A-Fa-f]{1,15})[^\r\n]{0,999}\r?\n")


@dataclass(frozen=True, slots=True)
class Head:
    """Status and headers; the body starts at byte `size`."""

    status: int
    headers: Headers
    size: int

    def header(self, name: str) -> str:
        """The value of the first header of that name (in lower case), or the empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def parse_head(block: bytes) -> Head | None:
    """The head of a response; None if the block does not start with one."""
    status, end = _STATUS.match(block), _HEAD_END.search(block, 0, LARGEST_HEAD)
    if status is None or end is None:
        return None
    lines = block[: end.start()].decode("utf-8", "replace").splitlines()[1:]
    pairs = (line.partition(":") for line in lines if ":" in line)
    return Head(int(status[1]), tuple((name.strip(), value.strip()) for name, _, value in pairs), end.end())


def decode_body(head: Head, body: bytes, most: int) -> bytes:
    """The body without chunks and compression; `TooMuch` if it has more than `most` bytes, `Damaged` if it is cut off.

    Many archives hold bodies that were decoded already, under headers that say otherwise: a body that does not begin
    as its coding does is taken as it is.
    """
    if "chunked" in head.header("transfer-encoding").lower():
        body = without_chunks(body)
    for coding in reversed(head.header("content-encoding").lower().split(",")[:_MOST_CODINGS]):
        looks_compressed = _LOOKS_COMPRESSED.get(coding.strip())
        if looks_compressed and looks_compressed(body):
            body = _unpacked(body, coding, most)
    if len(body) > most:
        raise TooMuch
    return body


def _unpacked(body: bytes, coding: str, most: int) -> bytes:
    """The body, in this coding or in the one that it is really in."""
    try:
        return b"".join(take(decompress([body], coding, STORED_CODINGS), most))
    except Damaged:
        inner = unpacked_once(body, most)
        if inner is None:
            raise
        return inner


def without_chunks(body: bytes) -> bytes:
    """The content of the chunks (RFC 9112, 7.1), or the body itself if it does not start with one."""
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


def _is_markup(body: bytes) -> bool:
    return body.lstrip().startswith(b"<")


_MOST_CODINGS: Final = 3
"""Codings on top of each other; there is hardly ever more than one."""
_LOOKS_COMPRESSED: Final[dict[str, Callable[[bytes], bool]]] = {
    "gzip": lambda body: body.startswith(GZIP_MAGIC),
    "x-gzip": lambda body: body.startswith(GZIP_MAGIC),
    "deflate": lambda body: not _is_markup(body),
    "br": lambda body: not _is_markup(body),
    "zstd": lambda body: body.startswith(ZSTD_MAGIC),
}
