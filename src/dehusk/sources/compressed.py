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
from dehusk.sources.reading import open_binary


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
    reader: Any = decompressor.stream_reader(stream, read_across_frames=True, closefd=True)

    class Reader(io.RawIOBase):
        """Errors of zstandard are plain exceptions; readers know those of the standard library."""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            try:
                return int(reader.readinto(buffer))
            except zstandard.ZstdError as error:
                raise ZstdFault(str(error)) from error

        def close(self) -> None:
            reader.close()
            super().close()

    return cast("BinaryIO", io.BufferedReader(Reader(), _BUFFER))


_BUFFER: Final = 1 << 17
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
