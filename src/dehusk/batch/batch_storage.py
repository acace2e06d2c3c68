"""Where a batch keeps its files: a local folder, or one that fsspec reaches, such as `s3://bucket/folder`.

Names are relative to it, with slashes. Files appear whole or not at all, even with several writers.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, ClassVar, Final, Protocol

from dehusk.errors import OutputError
from dehusk.sources.remote import is_remote, open_filesystem, remote_errors
from dehusk.workers.temporary_folders import remove_tree, temporary_folder
from dehusk.workers.whole_files import INCOMPLETE, TEMPORARY_FILES, Remedies, output_errors, remedies, written_whole

_REMEDIES: Final[Remedies] = {
    **remedies("another OUT", "run the same command again to resume"),
    errno.ENOENT: "leave OUT alone while the batch runs, and run the same command again",
}
_WORK: Final = ".work"
_OBJECT_STORES: Final = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "memory"})
"""Protocols where a file only appears when it is complete; elsewhere it is written under another name first."""


class Storage(Protocol):
    """A folder somewhere."""

    seconds_between_beats: ClassVar[float]
    """Seconds between updates of a task's progress."""

    @property
    def address(self) -> str:
        """Pass this to `open_storage` in another process."""

    def task_folder(self) -> AbstractContextManager[Path]:
        """A new local folder that is removed after the task; if the task is killed, by the next `sweep` of `.work` or
        `remove_leftovers`."""

    def read(self, name: str) -> bytes | None:
        """The content of a small file; None if it does not exist."""

    def names(self, folder: str) -> list[str]:
        """The files in a folder, sorted; none if the folder does not exist."""

    def written(self, name: str) -> AbstractContextManager[Path]:
        """A local file to write to; stored under its name when the block ends without an exception."""

    def fetched(self, name: str, into: Path) -> Path:
        """A local file with the same content: the file itself, or a copy in the folder `into`."""

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""

    def remove_folder(self, folder: str) -> None:
        """Remove a folder and its contents if it exists."""

    def sweep(self, folder: str) -> None:
        """Remove the incomplete files and temporary folders of killed processes from a folder and those in it; from ""
        alone without those in it."""

    def alone(self) -> AbstractContextManager[None]:
        """Lock the storage for one batch, where that is possible."""


def open_storage(address: str | os.PathLike[str]) -> Storage:
    """The storage at a path, or at a URL with a protocol that fsspec knows."""
    name = os.fspath(address)
    return RemoteStorage(name) if is_remote(name) else LocalStorage(Path(name))


def refusals(target: str | Path) -> AbstractContextManager[None]:
    """Turn errors of the operating system into an `OutputError` that says what to do with OUT."""
    return output_errors(target, _REMEDIES)


def write_json(storage: Storage, name: str, value: object) -> None:
    """Write a small file."""
    write_text(storage, name, json.dumps(value, indent=1) + "\n")


def write_text(storage: Storage, name: str, text: str) -> None:
    """Write text to a file."""
    with storage.written(name) as file:
        file.write_bytes(text.encode("utf-8", "replace"))


def read_json(storage: Storage, name: str) -> Any:
    """What `write_json` wrote; None if the file does not exist."""
    content = storage.read(name)
    try:
        return None if content is None else json.loads(content)
    except ValueError as error:
        cause = f"cannot be read back ({error})"
        raise OutputError(f"{storage.address}/{name}", cause, "start anew with --fresh") from error


def needed_json(storage: Storage, name: str) -> Any:
    """The same for a file that this run has written or seen."""
    content = read_json(storage, name)
    if content is None:
        cause = "was removed while the batch was running"
        raise OutputError(f"{storage.address}/{name}", cause, _REMEDIES[errno.ENOENT])
    return content


@dataclass(frozen=True, slots=True)
class LocalStorage:
    """A local folder, or one on a disk that all machines share."""

    root: Path
    seconds_between_beats: ClassVar[float] = 0.5

    @property
    def address(self) -> str:
        return str(self.root)

    @contextmanager
    def task_folder(self) -> Iterator[Path]:
        """In OUT, where the next run finds it."""
        with refusals(self.root / _WORK):
            self._make_folder(_WORK)
            folder = Path(mkdtemp(prefix=INCOMPLETE, dir=self.root / _WORK))
        try:
            yield folder
        finally:
            remove_tree(folder)

    def read(self, name: str) -> bytes | None:
        with refusals(self.root / name):
            try:
                return (self.root / name).read_bytes()
            except FileNotFoundError:
                return None

    def names(self, folder: str) -> list[str]:
        with refusals(self.root / folder):
            try:
                found = [entry.name for entry in os.scandir(self.root / folder) if entry.is_file()]
            except FileNotFoundError:
                return []
        return sorted(_below(folder, name) for name in found if not name.startswith(INCOMPLETE))

    @contextmanager
    def written(self, name: str) -> Iterator[Path]:
        target = self.root / name
        with refusals(target):
            self._make_folder(name.rpartition("/")[0])
            with written_whole(target) as temporary:
                yield temporary

    def fetched(self, name: str, into: Path) -> Path:
        return self.root / name

    def remove(self, name: str) -> None:
        with refusals(self.root / name):
            (self.root / name).unlink(missing_ok=True)

    def remove_folder(self, folder: str) -> None:
        shutil.rmtree(self.root / folder, ignore_errors=True)

    def sweep(self, folder: str) -> None:
        pattern = f"{INCOMPLETE}*"
        for leftover in list((self.root / folder).rglob(pattern) if folder else self.root.glob(pattern)):
            if leftover.is_dir() and not leftover.is_symlink():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                with suppress(OSError):  # the next write will say what is wrong
                    leftover.unlink(missing_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock a file; the lock ends with the process."""
        with refusals(self.root):
            self.root.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl
        except ImportError:
            yield
            return
        with refusals(self.root):
            lock = open(self.root / ".lock", "wb")  # noqa: SIM115 - closed below
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise OutputError(self.address, "another run is writing there", "wait for it") from error
            yield

    def _make_folder(self, name: str) -> None:
        """Make folders in OUT, but never OUT itself: if it was removed, so was the batch."""
        folder = self.root
        for part in filter(None, name.split("/")):
            folder /= part
            folder.mkdir(exist_ok=True)


@dataclass(frozen=True, slots=True)
class RemoteStorage:
    """A folder that fsspec reaches. Files are written locally, and sent when they are complete."""

    address: str
    seconds_between_beats: ClassVar[float] = 10.0

    def task_folder(self) -> AbstractContextManager[Path]:
        return temporary_folder()

    def read(self, name: str) -> bytes | None:
        with self._reached(name) as (filesystem, path):
            try:
                content: bytes = filesystem.cat_file(path)
            except FileNotFoundError:
                return None
        return content

    def names(self, folder: str) -> list[str]:
        with self._reached(folder) as (filesystem, path):
            filesystem.invalidate_cache()  # other processes also write there
            try:
                found = [str(entry["name"]) for entry in filesystem.ls(path, detail=True) if entry["type"] == "file"]
            except FileNotFoundError:
                return []
        plain = (name.rpartition("/")[2] for name in found)
        return sorted(_below(folder, name) for name in plain if name and not name.startswith(INCOMPLETE))

    @contextmanager
    def written(self, name: str) -> Iterator[Path]:
        with temporary_folder() as folder:
            file = folder / name.rpartition("/")[2]
            with output_errors(f"{self.address}/{name}", TEMPORARY_FILES):
                yield file
            self._send(file, name)

    def fetched(self, name: str, into: Path) -> Path:
        copy = into / name.replace("/", "-")
        if not copy.exists():
            with self._reached(name) as (filesystem, path), written_whole(copy) as temporary:
                filesystem.get_file(path, str(temporary))
        return copy

    def remove(self, name: str) -> None:
        with self._reached(name) as (filesystem, path):
            try:
                filesystem.rm_file(path)
            except FileNotFoundError:
                return

    def remove_folder(self, folder: str) -> None:
        with self._reached(folder) as (filesystem, path):
            try:
                filesystem.rm(path, recursive=True)
            except FileNotFoundError:
                return

    def sweep(self, folder: str) -> None:
        """Nothing to do: incomplete files are local, or hidden and overwritten by the next run."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No lock is possible there."""
        yield

    def _send(self, file: Path, name: str) -> None:
        with self._reached(name) as (filesystem, path):
            protocols = {filesystem.protocol} if isinstance(filesystem.protocol, str) else set(filesystem.protocol)
            if protocols & _OBJECT_STORES:
                filesystem.put_file(str(file), path)
                return
            parent, _, last = path.rpartition("/")
            filesystem.makedirs(parent, exist_ok=True)
            filesystem.put_file(str(file), hidden := f"{parent}/{INCOMPLETE}{os.getpid()}-{last}")
            filesystem.mv(hidden, path)

    @contextmanager
    def _reached(self, name: str) -> Iterator[tuple[Any, str]]:
        """The file system and the path in it; errors become an `OutputError`."""
        with remote_errors(f"{self.address}/{name}", OutputError):
            filesystem, root = open_filesystem(self.address)
            yield filesystem, f"{root.rstrip('/')}/{name}" if name else root


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
