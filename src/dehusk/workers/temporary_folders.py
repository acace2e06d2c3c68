"""Temporary folders that are removed even if the process that made them is killed.

A killed process cannot remove its folder. So it holds a lock on it, which the system releases when the process ends. A
folder of ours without a lock is a leftover, which `remove_leftovers` removes.
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

from dehusk.workers.whole_files import TEMPORARY_FILES, output_errors

_PREFIX: Final = "dehusk-job-"
"""Prefix of locked folders, and only of these: `remove_leftovers` removes folders of this name without a lock."""
_ATTEMPTS: Final = 50
_SECONDS_BETWEEN_ATTEMPTS: Final = 0.1
"""Other processes, such as Ray's, may write to a folder for up to five seconds while it is being removed."""


@contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder in `parent`, by default that for temporary files; removed when the block ends or, if the process is
    killed, by the next `remove_leftovers`."""
    with output_errors(parent or gettempdir(), TEMPORARY_FILES):
        folder, lock = _locked_folder(parent)
    try:
        yield folder
    finally:
        remove_tree(folder)
        if lock is not None:
            os.close(lock)


def remove_leftovers(parent: Path | None = None) -> None:
    """Remove the folders that killed processes of this user left in `parent`."""
    try:
        import fcntl
    except ImportError:
        return  # no locks, so nothing shows whether their processes still run
    for folder in _own_folders(parent or Path(gettempdir())):
        with suppress(OSError):  # in use, or already removed
            lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def remove_tree(folder: Path) -> None:
    """Remove a folder and its contents, even if others are still writing there."""
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
    """Make and lock a folder; make another if it was removed as a leftover before it was locked."""
    try:
        import fcntl
    except ImportError:
        return Path(mkdtemp(prefix=_PREFIX, dir=parent)), None
    while True:
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)
