"""Bodies that are compressed, whatever their names and headers say -> bodies as they were, within the limits.

Servers and archives forget the header that says so, or name another coding. gzip is known by its first bytes. zlib,
deflate and brotli are not: of bytes that no text has, each is tried, and counts if it takes all of them and gives text.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable
from typing import Final

from dehusk.errors import NotHtml, PageTooLarge
from dehusk.limits import Limits
from dehusk.native.calculations import Question, ask
from dehusk.sources.decompression import FETCHED_CODINGS, Damaged, TooMuch, take
from dehusk.sources.file_types import GZIP, is_strange

_MOST_LAYERS: Final = 3
"""Codings on top of each other; servers that compress what is compressed make two."""
_HEADED: Final = 15
_BARE: Final = -15
"""Tell zlib whether its own header surrounds the compressed data."""
_STEP: Final = 1 << 20
"""Most bytes that a step of unpacking makes."""
_WHOLE: Final = 1
_TOO_MUCH: Final = 2
"""As `unpacked_brotli` in `native/src/decoding_exchange.rs` numbers them."""


def unpacked(body: bytes, label: str, limits: Limits) -> bytes:
    """What the body holds; itself if it is not compressed. Raises `PageTooLarge`, and `NotHtml` for damaged gzip."""
    try:
        for _ in range(_MOST_LAYERS):
            inner = unpacked_once(body, limits.bytes)
            if inner is None:
                break
            body = inner
    except TooMuch:
        cause = f"more than {limits.bytes:,} bytes when unpacked"
        raise PageTooLarge(label, cause, "raise Limits.bytes to read it") from None
    except Damaged as error:
        cause = f"is a gzip file that cannot be unpacked ({error}), not html"
        raise NotHtml(label, cause, "fetch it again, or leave it out") from error
    return body


def unpacked_once(body: bytes, most: int) -> bytes | None:
    """What compressed bytes hold, or None. Raises `TooMuch`, and `Damaged` for gzip that cannot be read."""
    if body.startswith(GZIP):
        return b"".join(take(FETCHED_CODINGS["gzip"]([body]), most))
    if not is_strange(body):
        return None
    found = (unpack(body, most) for unpack in _UNPACKERS)
    return next((inner for inner in found if inner and (inner.startswith(GZIP) or not is_strange(inner))), None)


def _inflated(body: bytes, most: int, window: int) -> bytes | None:
    """What deflate holds, if it is all of the bytes."""
    decompressor = zlib.decompressobj(window)
    chunks: list[bytes] = []
    size = 0
    try:
        while not decompressor.eof and (body or not chunks):
            chunks.append(decompressor.decompress(body, _STEP))
            body = decompressor.unconsumed_tail
            size += len(chunks[-1])
            if size > most:
                raise TooMuch
    except zlib.error:
        return None
    return b"".join(chunks) if decompressor.eof and not decompressor.unused_data else None


def _of_zlib(body: bytes, most: int) -> bytes | None:
    return _inflated(body, most, _HEADED)


def _of_deflate(body: bytes, most: int) -> bytes | None:
    return _inflated(body, most, _BARE)


def _of_brotli(body: bytes, most: int) -> bytes | None:
    found = ask(Question.UNPACKED, [body, array("q", [most])], subject="a page")
    if found.summary.first == _TOO_MUCH:
        raise TooMuch
    return found.bytes(0) if found.summary.first == _WHOLE else None


_UNPACKERS: Final[tuple[Callable[[bytes, int], bytes | None], ...]] = (_of_zlib, _of_deflate, _of_brotli)
