"""Uploads -> pages. Files are copied to a temporary file; their names are never used as paths."""

from __future__ import annotations

import os
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Protocol

from dehusk.errors import DehuskError
from dehusk.metadata.page_candidates import collect_candidates
from dehusk.metadata.title_parts import document_title
from dehusk.page.page_reading import read_page
from dehusk.sites.site_of import site_of
from dehusk.sources.archive_sources import read_zip
from dehusk.sources.file_types import nothing_to_clean
from dehusk.sources.files import PAGE_SUFFIXES
from dehusk.sources.mhtml_source import mhtml_styles, read_mhtml
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import open_source
from dehusk.sources.source_options import Found, SourceOptions, shown
from dehusk.webapp.api_errors import too_large
from dehusk.webapp.safe_names import UNSORTED, page_name, site_name
from dehusk.webapp.server_limits import Bounds
from dehusk.webapp.workspace_folder import NewPage
from dehusk.workers.guard import guarded

_END_OF_ZIP: Final = b"PK\x05\x06"
_END_LENGTH: Final = 22
_LONGEST_COMMENT: Final = 0xFFFF
_MOST_STYLES: Final = 200
"""Style sheets of a zip file that are read."""
_ARCHIVES: Final = frozenset({".zip", ".mhtml", ".mht"})
"""Files that hold pages when they are sent by themselves."""
_LARGEST_STYLE: Final = 2_000_000
"""Bytes of a style sheet; beyond a quarter of that, none of it is shown."""
_MOST_LISTED: Final = 100
"""Skipped files that are listed; the others are only counted."""


class SentFile(Protocol):
    """An uploaded file."""

    filename: str | None
    file: BinaryIO


@dataclass(slots=True)
class Skipped:
    """Collects the files that are no pages: those that were skipped, with reasons, and style sheets."""

    listed: list[dict[str, str]] = field(default_factory=list)
    more: int = 0
    styles: dict[str, str] = field(default_factory=dict)
    """Path or URL -> style sheet."""

    def add(self, name: str, reason: str) -> None:
        """Add a skipped file."""
        if len(self.listed) < _MOST_LISTED:
            self.listed.append({"name": page_name(name), "reason": shown(reason)})
        else:
            self.more += 1

    def add_style(self, name: str, css: bytes) -> None:
        """Add a style sheet that came with pages."""
        if len(css) <= _LARGEST_STYLE:
            self.styles[name] = css.decode("utf-8", "replace")

    def as_list(self) -> list[dict[str, str]]:
        """The skipped files as JSON."""
        return [*self.listed, {"name": f"{self.more:,} more", "reason": "as above"}] if self.more else self.listed


def pages_of_files(sent: Iterable[SentFile], bounds: Bounds, skipped: Skipped, site: str = "") -> Iterator[NewPage]:
    """The pages in uploaded files, each with its site."""
    for file in sent:
        name = page_name(file.filename or "")
        for raw in _pages_of_file(name, file.file, bounds, skipped):
            if error := nothing_to_clean(raw):
                skipped.add(raw.name, error.cause)
            else:
                yield described(raw, site)


def sample_pages(bounds: Bounds, skipped: Skipped) -> Iterator[NewPage]:
    """The bundled sample site."""
    with as_file(files("dehusk") / "sample_site") as folder:
        yield from pages_at(str(folder), bounds, skipped, "sample site/")


def pages_at(path: str, bounds: Bounds, skipped: Skipped, prefix: str = "") -> Iterator[NewPage]:
    """The pages of a local file or folder, named on the command line."""
    base = path if os.path.isdir(path) else os.path.dirname(path)
    errors: list[DehuskError] = []
    for raw in open_source(path, on_error=errors.append, limits=bounds.page_limits):
        relative = os.path.relpath(raw.name, base) if base and raw.name.startswith(base) else raw.name
        named = RawPage(raw.body, raw.url, prefix + relative, raw.headers, raw.fetched_at, raw.status)
        yield described(named)
    for error in errors:
        skipped.add(os.path.basename(error.subject), error.cause)
    for file in sorted(Path(base).rglob("*.css"))[:_MOST_STYLES] if os.path.isdir(path) else ():
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as opened:
                skipped.add_style(page_name(prefix + os.path.relpath(file, base)), opened.read(_LARGEST_STYLE + 1))


def described(raw: RawPage, site: str = "") -> NewPage:
    """A page with its title and site: the given one, else the host it declares, else the first folder of its name."""
    page = guarded(read_page, raw, raw.label)
    folder, _, rest = page_name(raw.name).partition("/")
    own = folder if rest else UNSORTED
    if isinstance(page, DehuskError):
        return NewPage(raw, site or own)
    title = document_title(collect_candidates(page).titles).strip()
    return NewPage(raw, site or site_of(page) or own, site_name(title) if title else "")


def _pages_of_file(name: str, file: BinaryIO, bounds: Bounds, skipped: Skipped) -> Iterator[RawPage]:
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == ".zip":
        yield from _pages_of_zip(name, file, bounds, skipped)
    elif suffix in {".mhtml", ".mht"}:
        with _copied(file) as copy:
            found = read_mhtml(copy, SourceOptions(bounds.page_limits))
            yield from _named(found, name, skipped)
            for address, css in mhtml_styles(copy):
                skipped.add_style(address, css)
    elif suffix == ".css":
        skipped.add_style(name, file.read(_LARGEST_STYLE + 1))
    elif suffix in PAGE_SUFFIXES:
        body = file.read(bounds.page_bytes + 1)
        if len(body) > bounds.page_bytes:
            skipped.add(name, f"over {bounds.page_bytes:,} bytes")
        else:
            yield RawPage(body, name=name)
    else:
        skipped.add(name, "unsupported file type")


def _named(found: Iterable[Found], name: str, skipped: Skipped) -> Iterator[RawPage]:
    """Rename pages to the name the client knows; add errors to `skipped`."""
    for item in found:
        member = item.name if isinstance(item, RawPage) else item.subject
        inside = member.partition("#")[2]
        label = f"{PurePosixPath(name).with_suffix('')}/{inside}" if inside else name
        if isinstance(item, RawPage):
            yield RawPage(item.body, item.url, label, item.headers, item.fetched_at)
        else:
            skipped.add(label, item.cause)


def _pages_of_zip(name: str, file: BinaryIO, bounds: Bounds, skipped: Skipped) -> Iterator[RawPage]:
    """The HTML members of a zip file; too many or too large, and the whole file is refused."""
    with _copied(file) as copy:
        if _directory_size(copy) > bounds.zip_directory_bytes:
            raise too_large(f"{shown(name)}: too many files", "send fewer at once")
        most = min(bounds.zip_bytes, bounds.zip_ratio * os.path.getsize(copy))
        unpacked = number = 0
        before = len(skipped.listed)
        found = _named(read_zip(copy, SourceOptions(bounds.page_limits)), name, skipped)
        for number, raw in enumerate(found, 1):
            unpacked += len(raw.body)
            if number > bounds.files:
                raise too_large(f"{shown(name)}: more than {bounds.files:,} pages", "send fewer at once")
            if unpacked > most:
                raise too_large(f"{shown(name)}: unpacked size over the limit", "send the pages without the zip file")
            yield raw
        _note_others(name, copy, skipped)
        if not number and len(skipped.listed) == before:
            skipped.add(name, "holds no pages")


def _note_others(name: str, path: str, skipped: Skipped) -> None:
    """Note the members of a zip file that look as if they held pages, and were not read."""
    folder = str(PurePosixPath(name).with_suffix(""))
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            for sheet in [one for one in archive.infolist() if one.filename.lower().endswith(".css")][:_MOST_STYLES]:
                with archive.open(sheet) as opened:
                    skipped.add_style(page_name(f"{folder}/{sheet.filename}"), opened.read(_LARGEST_STYLE + 1))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError):
        return  # what is wrong with it is noted already
    for member in names:
        inside = PurePosixPath(member.replace("\\", "/"))
        suffix = inside.suffix.lower()
        if suffix in _ARCHIVES:
            skipped.add(f"{name}/{member}", "a zip file in a zip file is not opened: unpack it first")
        elif suffix in PAGE_SUFFIXES and PurePosixPath(member).name.startswith("."):
            skipped.add(f"{name}/{member}", "its name begins with a dot")


@contextmanager
def _copied(source: BinaryIO) -> Iterator[str]:
    """A temporary copy, for readers that open files by path."""
    with tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
        path = os.path.join(folder, "sent")
        with open(path, "wb") as target:
            shutil.copyfileobj(source, target)
        yield path


def _directory_size(path: str) -> int:
    """Size of a zip file's central directory, as its end record declares; 0 without one: not a zip file."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _END_LENGTH - _LONGEST_COMMENT))
        end = file.read()
    at = end.rfind(_END_OF_ZIP)
    if at < 0 or len(end) - at < _END_LENGTH:
        return 0
    return int(struct.unpack_from("<L", end, at + 12)[0])
