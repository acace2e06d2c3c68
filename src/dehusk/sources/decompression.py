"""Compressed bytes -> bytes, a bounded chunk at a time.

10 kB of gzip can hold 10 MB of zeros, and gzip of gzip any number. So everything is decompressed in chunks of at most
some megabytes, and whoever needs all of them in memory bounds their number with `take` or `beginning`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, TypeAlias, cast

from dehusk.errors import needed
from dehusk.sources.source_options import open_binary

GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"

_GZIP_BITS: Final = 31
_ZLIB_BITS: Final = 15
_BARE_BITS: Final = -15
"""Tell zlib what surrounds the compressed data: a gzip header, its own header, or nothing."""

_SLICE: Final = 65_536
"""Bytes decompressed at once. What follows the end of a gzip member is copied, so slices are short."""

_MOST_MEMBERS: Final = 1000
"""Members that a gzip body may have. Tools that compress in parallel make one for each 64 kB or more."""

_ZSTD_SLICE: Final = 512
"""Bytes of zstd decompressed at once. A block of three bytes may hold 128 kB, so this makes 22 MB at most."""

_LARGEST_WINDOW: Final = 1 << 27
"""128 MB, what zstd itself accepts without `--long=31`; a header may ask for more memory than there is."""


class TooMuch(Exception):
    """There are more bytes than wanted. Callers turn it into an error that names the page."""


class Damaged(OSError):
    """These bytes are not what they claim to be. Callers turn it into an error that names the page."""


DECOMPRESSION_FAULTS: Final = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading a damaged file raises."""


def take(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The same chunks; raises `TooMuch` as soon as they exceed so many bytes."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > most:
            raise TooMuch
        yield chunk


def beginning(chunks: Iterable[bytes], most: int) -> bytes:
    """The first `most` bytes; the rest is not asked for."""
    kept = bytearray()
    for chunk in chunks:
        kept += chunk
        if len(kept) >= most:
            break
    return bytes(kept[:most])


# Bodies of responses


Decompressor: TypeAlias = Callable[[Iterable[bytes]], Iterator[bytes]]


def _gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    members = 0
    for data, end in gunzip_members(chunks, has_padding=True):
        yield data
        members += end is not None
        if members > _MOST_MEMBERS:
            raise Damaged(f"compressed in more than {_MOST_MEMBERS:,} parts")


def gunzip_members(chunks: Iterable[bytes], has_padding: bool = False) -> Iterator[tuple[bytes, int | None]]:
    """Decompress gzip members that follow each other. With each chunk comes the number of compressed bytes read so far
    if it ends a member, otherwise None. Padding after a member is an error, unless `has_padding` allows it."""
    decompressor = zlib.decompressobj(_GZIP_BITS)
    read = 0
    for data in _slices(chunks):
        read += len(data)
        while data:
            if decompressor.eof:
                if has_padding and not data.startswith(GZIP_MAGIC[:1]):
                    return  # as the program gzip does
                decompressor = zlib.decompressobj(_GZIP_BITS)
            decompressed = _step(decompressor, data)
            data = decompressor.unconsumed_tail or decompressor.unused_data
            yield decompressed, read - len(data) if decompressor.eof else None
    if read and not decompressor.eof:
        raise Damaged("compressed data that end too early")


def _inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """`deflate` should have a zlib header; some servers leave it out."""
    decompressor = None
    for data in _slices(chunks):
        if decompressor is None:
            has_header = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
            decompressor = zlib.decompressobj(_ZLIB_BITS if has_header else _BARE_BITS)
        while data and not decompressor.eof:
            yield _step(decompressor, data)
            data = decompressor.unconsumed_tail
    if decompressor and not decompressor.eof:
        raise Damaged("compressed data that end too early")


def _step(decompressor: zlib._Decompress, data: bytes) -> bytes:
    try:
        return decompressor.decompress(data, 16 * _SLICE)
    except zlib.error as error:
        raise Damaged(f"compressed data that cannot be read ({error})") from error


def _slices(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _SLICE):
            yield chunk[start : start + _SLICE]


def _by_fastwarc(reader: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """By a reader of fastwarc, which whoever reads web archives has: zstandard is another extra."""
    import fastwarc.stream_io

    opened = getattr(fastwarc.stream_io, reader)(io.BytesIO(b"".join(chunks)))
    try:
        while chunk := opened.read(_SLICE):
            yield chunk
    except OSError as error:
        raise Damaged(f"compressed data that cannot be read ({error})") from error


FETCHED_CODINGS: Final[Mapping[str, Decompressor]] = {
    "": iter,
    "identity": iter,
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
}
"""Content codings that servers are asked for: Python decompresses them in bounded chunks."""
STORED_CODINGS: Final[Mapping[str, Decompressor]] = {
    **FETCHED_CODINGS,
    "br": lambda chunks: _by_fastwarc("BrotliReader", chunks),
    "zstd": lambda chunks: _by_fastwarc("ZstdReader", chunks),
}
"""Those that web archives hold."""


def decompress(
    chunks: Iterable[bytes], coding: str, codings: Mapping[str, Decompressor] = FETCHED_CODINGS
) -> Iterator[bytes]:
    """Undo a content coding, in chunks of bounded size. An unknown coding is `Damaged`."""
    coding = coding.strip().lower()
    if coding not in codings:
        raise Damaged(f"compressed with {coding[:40]!r}, which was not asked for")
    return codings[coding](chunks)


# Files


@contextmanager
def open_compressed(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, decompressed as its suffix says. Reading raises one of DECOMPRESSION_FAULTS."""
    name = path.lower()
    known = (opener for suffixes, opener in _OPENERS.items() if name.endswith(suffixes))
    with open_binary(path) as stream:
        opener = next(known, None)
        if opener is None:
            yield stream
        else:
            with cast("BinaryIO", opener(stream)) as opened:
                yield opened


def import_zstandard() -> Any:
    """The library; Any because it is optional."""
    with needed("zstandard", "for .zst files", "zstd"):
        import zstandard
    return zstandard


def _zstd_stream(stream: BinaryIO) -> io.BufferedReader:
    return io.BufferedReader(_Chunks(_zstd_chunks(stream, import_zstandard())), 1 << 17)


def _zstd_chunks(stream: BinaryIO, zstandard: Any) -> Iterator[bytes]:
    """The library's own reader would bound memory better, but takes a file that was cut off for a whole one."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    frame: Any = None
    try:
        while data := stream.read(_ZSTD_SLICE):
            while data:
                frame = frame or decompressor.decompressobj()
                yield frame.decompress(data)
                data = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
    except zstandard.ZstdError as error:
        raise Damaged(str(error)) from error
    if frame is not None:
        raise EOFError("the compressed file ends too early")


class _Chunks(io.RawIOBase):
    """Chunks of bytes as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._left = memoryview(chunk)
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


_OPENERS: Final[dict[tuple[str, ...], Callable[[BinaryIO], object]]] = {
    (".gz", ".tgz"): lambda stream: gzip.GzipFile(fileobj=stream, mode="rb"),
    (".bz2", ".tbz2", ".tbz"): bz2.BZ2File,
    (".xz", ".txz"): lzma.LZMAFile,
    (".zst", ".tzst"): _zstd_stream,
}
