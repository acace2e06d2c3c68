"""Packed bytes -> bytes, never more than wanted: 10 kB of gzip can hold 10 MB of zeros, and gzip of gzip any number."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

_GZIP_BITS: Final = 31
_ZLIB_BITS: Final = 15
_BARE_BITS: Final = -15
"""How zlib is told what is around the packed data: a header of gzip, its own, or nothing."""

_SLICE: Final = 65_536
"""Bytes that are unpacked at once. What follows the end of a gzip member is copied, so slices are short."""

_MOST_MEMBERS: Final = 1000
"""Parts that a gzip file may be put together of. Tools that pack in parallel make one for each 64 kB or more."""

GZIP_MAGIC: Final = b"\x1f\x8b"


class TooMuch(Exception):
    """There are more bytes than wanted. For the caller to make an error of ours of, with a name."""


class Damaged(Exception):
    """These bytes are not what they claim to be. As above."""


def take(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The same chunks; `TooMuch` as soon as they have more than so many bytes."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > most:
            raise TooMuch
        yield chunk


def beginning(chunks: Iterable[bytes], most: int) -> bytes:
    """So many bytes at most; the rest is not asked for."""
    kept = bytearray()
    for chunk in chunks:
        kept += chunk
        if len(kept) >= most:
            break
    return bytes(kept[:most])


def unpack(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """Undo a content coding, in pieces of bounded size. An unknown one is `Damaged`."""
    coding = coding.strip().lower()
    if coding in {"", "identity"}:
        return iter(chunks)
    if coding in {"gzip", "x-gzip"}:
        return _gunzip(chunks)
    if coding == "deflate":
        return _inflate(chunks)
    raise Damaged(f"packed with {coding[:40]!r}, which was not asked for")


def _gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpacker, members = zlib.decompressobj(_GZIP_BITS), 1
    has_begun = False
    for data in _slices(chunks):
        while data:
            if unpacker.eof:
                if not data.startswith(GZIP_MAGIC[:1]):
                    return  # padding after the end; gzip itself passes over it, too
                unpacker, members = zlib.decompressobj(_GZIP_BITS), members + 1
                if members > _MOST_MEMBERS:
                    raise Damaged(f"packed in more than {_MOST_MEMBERS:,} parts")
            has_begun = True
            yield _step(unpacker, data)
            data = unpacker.unconsumed_tail or unpacker.unused_data
    if has_begun and not unpacker.eof:
        raise Damaged("packed data that end too early")


def _inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """`deflate` should have a header of zlib; some servers leave it out."""
    unpacker = None
    for data in _slices(chunks):
        if unpacker is None:
            has_header = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
            unpacker = zlib.decompressobj(_ZLIB_BITS if has_header else _BARE_BITS)
        while data and not unpacker.eof:
            yield _step(unpacker, data)
            data = unpacker.unconsumed_tail
    if unpacker and not unpacker.eof:
        raise Damaged("packed data that end too early")


def _step(unpacker: zlib._Decompress, data: bytes) -> bytes:
    try:
        return unpacker.decompress(data, 16 * _SLICE)
    except zlib.error as error:
        raise Damaged(f"packed data that cannot be unpacked ({error})") from error


def _slices(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _SLICE):
            yield chunk[start : start + _SLICE]
