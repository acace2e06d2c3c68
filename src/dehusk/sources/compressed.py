"""Compressed files as streams of bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, cast

from dehusk.errors import MissingExtra
from dehusk.sources.source_options import open_binary


class ZstdFault(OSError):
    """What is not zstd, in the terms in which the standard library says the same of gzip."""


@contextmanager
def open_compressed(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, decompressed as its suffix says. Reading raises one of DECOMPRESSION_FAULTS."""
    name = path.lower()
    known = (decompressed for suffixes, decompressed in _DECOMPRESSORS.items() if name.endswith(suffixes))
    with open_binary(path) as stream, next(known, _plain)(stream) as opened:
        yield opened


def _plain(stream: BinaryIO) -> BinaryIO:
    return stream


def _gzip(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=stream, mode="rb"))


def _bzip2(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", bz2.BZ2File(stream))


def _xz(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", lzma.LZMAFile(stream))


def _zstd(stream: BinaryIO) -> BinaryIO:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra("zstandard", "needed for .zst files", "pip install 'dehusk[zstd]'") from error
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)

    def chunks() -> Iterator[bytes]:
        frame: Any = None
        try:
            while data := stream.read(_PIECE):
                while data:
                    if frame is None:
                        frame = decompressor.decompressobj()
                    yield frame.decompress(data)
                    data = frame.unused_data if frame.eof else b""
                    frame = None if frame.eof else frame
        except zstandard.ZstdError as error:
            raise ZstdFault(str(error)) from error
        if frame is not None:
            raise EOFError("the compressed file ends too early")

    return cast("BinaryIO", io.BufferedReader(_Chunks(chunks()), _BUFFER))


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


_BUFFER: Final = 1 << 17
_PIECE: Final = 512
"""Bytes of zstd that are decompressed at a time. A block of three bytes may hold 128 kB, so this makes 22 MB at most.
The library's own reader would bound it better, but does not tell a file that was cut from one that is whole."""
_LARGEST_WINDOW: Final = 1 << 27
"""128 MB, what zstd itself takes without `--long=31`; a header may ask for more memory than there is."""

_DECOMPRESSORS: Final[dict[tuple[str, ...], Callable[[BinaryIO], BinaryIO]]] = {
    (".gz", ".tgz"): _gzip,
    (".bz2", ".tbz2", ".tbz"): _bzip2,
    (".xz", ".txz"): _xz,
    (".zst", ".tzst"): _zstd,
}

DECOMPRESSION_FAULTS: Final = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading a damaged file raises."""
