"""Zip and tar files of pages -> RawPage. Nothing is written to disk, and member names are only labels."""

from __future__ import annotations

import re
import stat
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, BinaryIO, Final, cast

from dehusk.errors import NotFollowed, SourceUnreadable
from dehusk.sources.decompression import DECOMPRESSION_FAULTS, open_compressed
from dehusk.sources.files import PAGE_SUFFIXES
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import Found, SourceOptions, open_binary, shown, too_large, unreadable

_ZIP_FAULTS: Final = (
    *(zipfile.BadZipFile, *DECOMPRESSION_FAULTS),
    *(struct.error, ValueError, IndexError, OverflowError),  # from damaged headers
    RuntimeError,  # encrypted; includes NotImplementedError for unknown compression
)
_TAR_FAULTS: Final = (tarfile.TarError, *DECOMPRESSION_FAULTS, ValueError, IndexError, OverflowError, RecursionError)
_LOCAL_HEADER: Final = 30
"""Fewest bytes before the name of a zip member."""
_MODE: Final = 16
"""Bits before the mode of a file in what zip files store of it on Unix."""
_LINK: Final = "is a link, not a page", "pack the page that it leads to"
_CHUNK: Final = 1 << 16
_LARGEST_HEADER: Final = 1 << 20
"""Bytes of a tar header. With long names and extended attributes it gives its own size, and is held in memory."""
_MANY_DIGITS: Final = re.compile(rb"[0-9]{257}")
"""More digits than any name or number has. Some versions of tarfile take quadratic time for them (CVE-2024-6232)."""


def read_zip(path: str, options: SourceOptions) -> Iterator[Found]:
    """The HTML members of the file, in the order in which they are stored.

    The list of members is held in memory, as it is at the end of the file; the members are not.
    """
    with open_binary(path) as stream:
        try:
            archive = zipfile.ZipFile(stream)
            members = sorted(archive.infolist(), key=lambda member: member.header_offset)
        except _ZIP_FAULTS as error:
            yield unreadable(path, f"not a readable zip file ({shown(str(error))})")
            return
        end = 0
        for member in members:
            label = f"{path}#{shown(member.filename)}"
            # Members that share their bytes can make a small file decompress to any size.
            is_apart = member.header_offset >= end
            end = max(end, member.header_offset + _LOCAL_HEADER + member.compress_size)
            if not _is_page(member.filename):
                continue
            if stat.S_ISLNK(member.external_attr >> _MODE):
                yield NotFollowed(label, *_LINK)
            elif is_apart:
                yield _zip_member(archive, member, label, options)
            else:
                yield SourceUnreadable(label, "overlaps another member", "leave it out")


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, label: str, options: SourceOptions) -> Found:
    try:
        with archive.open(member) as opened:
            return _page(opened, label, options)
    except _ZIP_FAULTS as error:
        return unreadable(label, error)


def read_tar(path: str, options: SourceOptions) -> Iterator[Found]:
    """The HTML members of the file, compressed or not. Links are told, not followed; the first fault ends reading."""
    label = path
    with open_compressed(path) as stream:
        forward = _ForwardOnly(stream)
        try:
            with tarfile.TarFile(fileobj=cast("BinaryIO", forward)) as archive:
                for member in archive:
                    archive.members = []  # type: ignore[attr-defined]  # or it would keep all of them
                    if not _is_page(member.name):
                        continue
                    label = f"{path}#{shown(member.name)}"
                    if member.issym() or member.islnk():
                        yield NotFollowed(label, *_LINK)
                    if not member.isreg() or member.issparse():
                        continue
                    opened = archive.extractfile(member)
                    if opened is not None:
                        forward.is_at_header = False
                        yield _page(opened, label, options)
                        forward.is_at_header = True
        except _TAR_FAULTS as error:
            yield unreadable(label, f"not a readable tar file from here on ({error})")


class _ForwardOnly:
    """A stream for tarfile that only goes forward, and bounds how much is read at once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._position = 0
        self.is_at_header = True

    def read(self, size: int) -> bytes:
        if size > _LARGEST_HEADER:
            raise tarfile.ReadError(f"a header of {size:,} bytes")
        data = self._stream.read(size)
        if self.is_at_header and _MANY_DIGITS.search(data):
            raise tarfile.ReadError("a header of digits")
        if self.is_at_header and 0 < len(data) < size:
            raise tarfile.ReadError("it ends within a header")  # tarfile would take this for the end of the archive
        self._position += len(data)
        return data

    def tell(self) -> int:
        return self._position

    def seek(self, position: int) -> int:
        if position < self._position:
            raise tarfile.ReadError("members in disorder")
        while skipped := self._stream.read(min(position - self._position, _CHUNK)):
            self._position += len(skipped)
        return self._position


def _is_page(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in PAGE_SUFFIXES and not path.name.startswith(".")


def _page(opened: IO[bytes], label: str, options: SourceOptions) -> Found:
    """The page in a member; at most the limit and one chunk are decompressed."""
    chunks: list[bytes] = []
    size = 0
    while chunk := opened.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > options.limits.bytes:
            return too_large(label, options.limits)
    return RawPage(b"".join(chunks), name=label)
