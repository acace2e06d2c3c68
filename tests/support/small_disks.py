"""Folders that take hardly anything: a disk of 150 KB, where it can be mounted, and files of 2 KB at most; and folders
that take nothing."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

CRAMPED = ("full disk", "largest file")
"""Kinds of folders with little room. The second needs no rights, so that it is tried everywhere."""
LOCKED = ("read-only disk", "no permission")
"""Kinds of folders that nothing can be written to. For root only the first, for others only the second."""
_IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
_DISK_KILOBYTES = 150
_FILE_BYTES = 2_000


@dataclass(frozen=True)
class Cramped:
    """A folder with little room."""

    folder: Path
    make_room: Callable[[], object]
    cause: str
    """What the system says."""
    advice: str
    """What is to be done, as it begins."""


@contextmanager
def cramped(kind: str, folder: Path, kilobytes: int = _DISK_KILOBYTES) -> Iterator[Cramped]:
    """A folder of this kind, until the end of the block or `make_room`."""
    folder.mkdir()
    if kind == "largest file":
        with _limited_files() as make_room:
            yield Cramped(folder, make_room, os.strerror(errno.EFBIG).lower(), "allow larger files")
        return
    with _mounted(folder, f"size={kilobytes}k"):
        yield Cramped(folder, lambda: remount(folder, "size=8m"), os.strerror(errno.ENOSPC).lower(), "free some space")


@contextmanager
def locked(kind: str, folder: Path, fill: Callable[[Path], object] = lambda folder: None) -> Iterator[Path]:
    """A folder of this kind; `fill` writes what is in it."""
    folder.mkdir()
    if kind == "read-only disk":
        with _mounted(folder, "size=8m"):
            fill(folder)
            remount(folder, "ro")
            yield folder
        return
    if _IS_ROOT or os.name != "posix":
        pytest.skip("permissions do not bind root")
    fill(folder)
    folder.chmod(0o500)
    try:
        yield folder
    finally:
        folder.chmod(0o700)


def remount(folder: Path, option: str) -> None:
    """Change a mounted disk."""
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)


@contextmanager
def _mounted(folder: Path, option: str) -> Iterator[None]:
    command = ["mount", "-t", "tmpfs", "-o", option, "tmpfs", str(folder)]
    if not (_IS_ROOT and shutil.which("mount")) or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("cannot mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def _limited_files() -> Iterator[Callable[[], None]]:
    """Python ignores the signal that comes with the error."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def make_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, hard))
    try:
        yield make_room
    finally:
        make_room()
