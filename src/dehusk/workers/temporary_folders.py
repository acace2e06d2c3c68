"""Temporary folders that do not outlive the process that made them, even if it was killed.

A process that is killed cannot remove its folder. So it holds a lock on it, which the system releases when the process
ends, however it ends. A folder of ours that nobody has locked is a leftover, and `remove_leftovers` removes it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Final

from dehusk.workers.whole_files import output_errors

_PREFIX: Final = "dehusk-job-"
"""Of folders that are locked. No other folder of ours is named like that: without a lock it would be removed."""
_REMEDY: Final = "free some space, or set TMPDIR to another folder"
_ATTEMPTS: Final = 50
_SECONDS_BETWEEN_ATTEMPTS: Final = 0.1
"""For up to five seconds others may still write to a folder that is being removed, as Ray's processes do."""


@contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder below `parent`, or where temporary files go; removed when the block ends or, if the process is
    killed, by the next `remove_leftovers`."""
    with output_errors(parent or gettempdir(), _REMEDY):
        folder, lock = _locked_folder(parent)
    try:
        yield folder
    finally:
        remove_tree(folder)
        if lock is not None:
            os.close(lock)


def remove_leftovers(parent: Path | None = None) -> None:
    """Remove what processes of this user that are no longer there left below `parent`."""
    try:
        import fcntl
    except ImportError:
        return  # nothing tells whether their processes are still there
    for folder in _own_folders(parent or Path(gettempdir())):
        with suppress(OSError):  # it is in use, or somebody else has removed it
            lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def remove_tree(folder: Path) -> None:
    """Remove a folder and all in it, although others may still be writing there."""
    for _ in range(_ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_SECONDS_BETWEEN_ATTEMPTS)


def _own_folders(parent: Path) -> list[str]:
    with suppress(OSError), os.scandir(parent) as entries:
        return [entry.path for entry in entries if entry.name.startswith(_PREFIX) and _is_own(entry)]
    return []


def _is_own(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def _locked_folder(parent: Path | None) -> tuple[Path, int | None]:
    """Between being made and being locked, a folder may be taken for a leftover: then there is another."""
    try:
        import fcntl
    except ImportError:
        return Path(mkdtemp(prefix=_PREFIX, dir=parent)), None
    while True:
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks: then nobody else gets one, either
                fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)
