"""Zip and tar files of pages -> RawPage. Nothing is ever written to disk, and names of members are names only."""

from __future__ import annotations

import re
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, BinaryIO, Final, cast

from dehusk.errors import SourceUnreadable
from dehusk.sources.compressed import DECOMPRESSION_FAULTS, open_compressed
from dehusk.sources.files import PAGE_SUFFIXES
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import Found, SourceOptions, open_binary, shown, too_large, unreadable

_ZIP_FAULTS: Final = (
    *(zipfile.BadZipFile, *DECOMPRESSION_FAULTS),
    *(struct.error, ValueError, IndexError, OverflowError),  # out of damaged headers
    RuntimeError,  # encrypted; includes NotImplementedError, of unknown ways to compress
)
_TAR_FAULTS: Final = (tarfile.TarError, *DECOMPRESSION_FAULTS, ValueError, IndexError, OverflowError, RecursionError)
_LOCAL_HEADER: Final = 30
"""Bytes before the name of a zip's member, at least."""
_CHUNK: Final = 1 << 16
_LARGEST_HEADER: Final = 1 << 20
"""Bytes of a tar's header, which for long names and further attributes says its size itself, and is held in memory."""
_MANY_DIGITS: Final = re.compile(rb"[0-9]{257}")
"""No name or number has as many. Some versions of tarfile take time quadratic in their number (CVE-2024-6232)."""


def read_zip(path: str, options: SourceOptions) -> Iterator[Found]:
    """The html members of the file, in the order in which they are stored.

    The list of members is held in memory, as the format has it at the end of the file; members are not.
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
            # Members that share their bytes make a small file decompress to as much as one likes.
            is_apart = member.header_offset >= end
            end = max(end, member.header_offset + _LOCAL_HEADER + member.compress_size)
            if not _is_page(member.filename):
                continue
            if is_apart:
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
    """The html members of the file, compressed or not. Links are not followed, and behind a fault nothing is read."""
    label = path
    with open_compressed(path) as stream:
        forward = _ForwardOnly(stream)
        try:
            with tarfile.TarFile(fileobj=cast("BinaryIO", forward)) as archive:
                for member in archive:
                    archive.members = []  # type: ignore[attr-defined]  # it would keep them all
                    if not member.isreg() or member.issparse() or not _is_page(member.name):
                        continue
                    label = f"{path}#{shown(member.name)}"
                    opened = archive.extractfile(member)
                    if opened is not None:
                        forward.is_at_header = False
                        yield _page(opened, label, options)
                        forward.is_at_header = True
        except _TAR_FAULTS as error:
            yield unreadable(label, f"not a readable tar file from here on ({error})")


class _ForwardOnly:
    """A stream that tarfile may read from and go forward in, and not read as much at once as a header says."""

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
            raise tarfile.ReadError("it ends within a header")  # which tarfile would take for the end
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
    """What a member holds, of which never more than the limit (and a chunk) is decompressed."""
    chunks: list[bytes] = []
    size = 0
    while chunk := opened.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > options.limits.bytes:
            return too_large(label, options.limits)
    return RawPage(b"".join(chunks), name=label)
