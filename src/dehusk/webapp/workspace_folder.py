"""The files of a workspace: pages, gold texts, models, and what was removed and may come back."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_errors import too_large
from dehusk.webapp.safe_names import page_id, page_name, site_id, site_name
from dehusk.webapp.server_limits import Bounds
from dehusk.webapp.workspace_records import PageRecord, State
from dehusk.workers.whole_files import output_errors, remedies, remove_incomplete, written_whole

WORKDIR: Final = remedies("another --workdir", "try again")
"""What to do if a workspace cannot be written."""
KINDS: Final = ("pages", "gold", "models")
_TRASH: Final = "removed"
_ID: Final = re.compile(r"[0-9a-f]{12,20}(-[a-z-]+\.dehusk)?")
"""Names of our files; other files in these folders are left alone."""


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to add, the name of its site, and its title."""

    raw: RawPage
    site: str
    title: str = ""


class PageWriter:
    """Writes new pages into the folder; on failure it removes all of them."""

    def __init__(self, folder: Path, bounds: Bounds, state: State) -> None:
        self._folder = folder
        self._bounds = bounds
        self._stored = state.pages
        self._bytes = sum(page.size for page in state.pages.values())
        self.pages: dict[str, PageRecord] = {}
        self.known: dict[str, None] = {}
        self.names: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            for identifier in self.pages:
                with suppress(OSError):  # deleted as a stray when the server starts again
                    (self._folder / identifier).unlink(missing_ok=True)

    def keep(self, new: NewPage) -> None:
        """Write a page, unless it is already stored."""
        raw, name, site = new.raw, page_name(new.raw.name), site_name(new.site)
        identifier = page_id(name, raw.url, raw.body)
        if identifier in self._stored:
            self.known[identifier] = None
        if identifier in self._stored or identifier in self.pages:
            return
        self._bytes += len(raw.body)
        if len(self._stored) + len(self.pages) >= self._bounds.pages:
            raise too_large(f"more than {self._bounds.pages:,} pages", "remove some, or use the command line")
        if self._bytes > self._bounds.stored_bytes:
            raise too_large(f"more than {self._bounds.stored_bytes >> 20} MB of pages", "remove some")
        content_type, size = raw.header("content-type"), len(raw.body)
        record = PageRecord(identifier, name, raw.url, site_id(site), size, content_type, title=new.title)
        self.pages[identifier] = record
        self.names[record.site] = site
        with output_errors(self._folder, WORKDIR), written_whole(self._folder / identifier) as file:
            file.write_bytes(raw.body)


class WorkspaceFolder:
    """The folder, locked for one server."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        with output_errors(folder, WORKDIR):
            folder.mkdir(parents=True, exist_ok=True)
            for name in KINDS:
                (folder / name).mkdir(exist_ok=True)
            self._lock = _lock_folder(folder)
        self._empty_trash()
        for name in KINDS:
            remove_incomplete(folder / name)

    def close(self) -> None:
        """Release the folder for another server; what was removed is gone for good."""
        self._empty_trash()
        self._lock.close()

    def file(self, kind: str, name: str) -> Path:
        """A file of ours; the name is an id that was looked up."""
        return self.path / kind / name

    def model(self, site: str, method: str) -> Path:
        """Path of a site's model file."""
        return self.path / "models" / f"{site}-{method}.dehusk"

    def make_trash(self) -> None:
        """Make the folders that `remove` moves files to, which alone needs space."""
        with output_errors(self.path / _TRASH, WORKDIR):
            for kind in KINDS:
                (self.path / _TRASH / kind).mkdir(parents=True, exist_ok=True)

    def remove(self, kind: str, names: Iterable[str]) -> None:
        """Move files out of the way, from where `restore` brings them back. One that cannot be moved stays, until the
        server starts again."""
        for name in names:
            with suppress(OSError):
                self.file(kind, name).replace(self.path / _TRASH / kind / name)

    def restore(self, kind: str, names: Iterable[str]) -> None:
        """Bring removed files back; those that are there already stay."""
        for name in names:
            with output_errors(self.file(kind, name), WORKDIR), suppress(FileNotFoundError):
                (self.path / _TRASH / kind / name).replace(self.file(kind, name))

    def forget(self, kind: str, names: Iterable[str]) -> None:
        """Delete removed files for good, now or when the server starts again."""
        for name in names:
            with suppress(OSError):
                (self.path / _TRASH / kind / name).unlink()

    def delete_strays(self, known: Iterable[str]) -> None:
        """Delete files of pages without a record: a server died after writing them."""
        kept = set(known)
        for kind in ("pages", "gold"):
            for file in (self.path / kind).iterdir():
                if file.name not in kept and _ID.fullmatch(file.name):
                    file.unlink(missing_ok=True)

    def _empty_trash(self) -> None:
        shutil.rmtree(self.path / _TRASH, ignore_errors=True)


def _lock_folder(folder: Path) -> IO[bytes]:
    """Lock the folder as long as the file is open: two servers would undo each other's changes."""
    file = open(folder / ".lock", "ab")  # noqa: SIM115 - closed with the workspace
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on Windows
        return file
    except OSError as error:
        file.close()
        raise SourceUnreadable(str(folder), "in use by another `dehusk serve`", "choose another --workdir") from error
    return file
