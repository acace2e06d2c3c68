"""Files that fsspec reaches (`s3://bucket/crawl/part.warc.gz`). They are copied to this machine to be read.

Readers seek, and libraries need file names; a copy of one file at a time only costs disk space.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.errors import (
    AddressRefused,
    DehuskError,
    MissingExtra,
    OutputError,
    SourceNotFound,
    SourceUnreadable,
    needed,
)
from dehusk.workers.temporary_folders import temporary_folder

_PROTOCOL: Final = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_FETCHED: Final = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file, and what shows whether it has changed."""

    address: str
    relative: str
    """Its name relative to the given folder."""
    size: int
    state: str


def is_remote(path: str) -> bool:
    """Whether this is a URL, not a local path."""
    return _PROTOCOL.match(path) is not None


def open_filesystem(address: str) -> tuple[Any, str]:
    """fsspec's file system and the path in it; Any because fsspec has no types.

    Web pages are not files: they are left to the fetcher, which checks what it connects to.
    """
    protocol = _PROTOCOL.match(address)
    if protocol and protocol[1].lower() in _FETCHED:
        raise AddressRefused(address, "is a web page, not a file in storage", "fetch it with dehusk crawl")
    with needed("fsspec", f"for {address}", "remote"):
        from fsspec.core import url_to_fs
    try:
        filesystem, path = url_to_fs(address)
    except ImportError as error:
        raise MissingExtra(address, str(error), "install what it names") from error
    except ValueError as error:
        raise SourceNotFound(address, str(error), "check the spelling") from error
    return filesystem, str(path)


def remote_files(address: str, suffixes: tuple[str, ...]) -> Iterator[RemoteFile]:
    """The file at a URL, or all files below it with one of these suffixes, except hidden ones."""
    with remote_errors(address, SourceUnreadable):
        filesystem, path = open_filesystem(address)
        if filesystem.isfile(path):
            found, root = {path: filesystem.info(path)}, path.rpartition("/")[0]
        else:
            found, root = filesystem.find(path, detail=True), path.rstrip("/")
        if not found:  # object stores have no empty folders
            raise SourceNotFound(address, "no such file or folder", "check the spelling")
        for name in sorted(found):
            relative = name.removeprefix(root).lstrip("/")
            is_hidden = any(part.startswith(".") for part in relative.split("/"))
            if name == path or (name.lower().endswith(suffixes) and not is_hidden):
                yield _described(filesystem, name, relative, found[name])


@contextmanager
def local_copy(address: str) -> Iterator[Path]:
    """A local copy with the same file name, removed when the block ends."""
    with temporary_folder() as folder:
        copy = folder / (address.rpartition("/")[2] or "page.html")
        with remote_errors(address, SourceUnreadable):
            filesystem, path = open_filesystem(address)
            filesystem.get_file(path, str(copy))
        yield copy


def _described(filesystem: Any, name: str, relative: str, details: dict[str, Any]) -> RemoteFile:
    states = (details.get(key) for key in ("ETag", "LastModified", "mtime", "last_modified", "created"))
    state = next((str(state) for state in states if state), "")
    return RemoteFile(str(filesystem.unstrip_protocol(name)), relative, int(details.get("size") or 0), state)


@contextmanager
def remote_errors(address: str, kind: type[DehuskError]) -> Iterator[None]:
    """Turn whatever the library of a protocol raises into one of our errors."""
    try:
        yield
    except DehuskError:
        raise
    except FileNotFoundError as error:
        raise SourceNotFound(address, "no such file or folder", "check the spelling") from error
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:  # on this machine
            cause = "no space left on this machine for a copy of it"
            raise OutputError(address, cause, "free some space, or set TMPDIR to another folder") from error
        cause = f"{type(error).__name__}: {error}"
        raise kind(address, cause, "check the address, your credentials and the network") from error
