"""Uploads -> pages. Files are copied to a temporary file; their names are never used as paths."""

from __future__ import annotations

import os
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Protocol

from dehusk.errors import DehuskError
from dehusk.metadata.page_candidates import collect_candidates
from dehusk.metadata.title_parts import document_title
from dehusk.page.page_reading import read_page
from dehusk.sites.site_of import site_of
from dehusk.sources.archive_sources import read_zip
from dehusk.sources.files import PAGE_SUFFIXES
from dehusk.sources.mhtml_source import read_mhtml
from dehusk.sources.page_bodies import page_to_clean
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import read_source_file, source_files
from dehusk.sources.source_options import Found, SourceOptions, shown
from dehusk.sources.warc_source import read_warc
from dehusk.webapp.api_errors import too_large
from dehusk.webapp.safe_names import UNSORTED, page_name, site_name
from dehusk.webapp.server_limits import Bounds
from dehusk.webapp.workspace_folder import NewPage
from dehusk.workers.guard import guarded
from dehusk.workers.whole_files import TEMPORARY_FILES, output_errors

_END_OF_ZIP: Final = b"PK\x05\x06"
_END_LENGTH: Final = 22
_LONGEST_COMMENT: Final = 0xFFFF
_MOST_STYLES: Final = 200
"""Style sheets of a zip file that are read."""
_ARCHIVES: Final = frozenset({".zip", ".mhtml", ".mht"})
"""Files that hold pages when they are sent by themselves."""
_WEB_ARCHIVES: Final = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
LARGEST_STYLE: Final = 2_000_000
"""Bytes of a style sheet; beyond a quarter of that, none of it is shown."""
_MOST_STYLE_BYTES: Final = 64 << 20
"""Bytes of the style sheets that come together: as much as a workspace stores."""
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
    style_bytes: int = 0

    def add(self, name: str, reason: str) -> None:
        """Add a skipped file."""
        if len(self.listed) < _MOST_LISTED:
            self.listed.append({"name": page_name(name), "reason": shown(reason)})
        else:
            self.more += 1

    def add_style(self, name: str, css: bytes) -> None:
        """Add a style sheet that came with pages."""
        self.style_bytes += len(css)
        if len(css) <= LARGEST_STYLE and self.style_bytes <= _MOST_STYLE_BYTES:
            self.styles[name] = css.decode("utf-8", "replace")

    def as_list(self) -> list[dict[str, str]]:
        """The skipped files as JSON."""
        return [*self.listed, {"name": f"{self.more:,} more", "reason": "as above"}] if self.more else self.listed


def pages_of_files(sent: Iterable[SentFile], bounds: Bounds, skipped: Skipped, site: str = "") -> Iterator[NewPage]:
    """The pages in uploaded files, each with its site."""
    for file in sent:
        name = page_name(file.filename or "")
        for raw in _pages_of_file(name, file.file, bounds, skipped):
            found = page_to_clean(raw, bounds.page_limits)
            if isinstance(found, RawPage):
                yield described(found, site)
            else:
                skipped.add(raw.name, found.cause)


def sample_pages(bounds: Bounds, skipped: Skipped) -> Iterator[NewPage]:
    """The bundled sample site."""
    with as_file(files("dehusk") / "sample_site") as folder:
        yield from pages_at(str(folder), bounds, skipped, "sample site/")


def pages_at(path: str, bounds: Bounds, skipped: Skipped, prefix: str = "") -> Iterator[NewPage]:
    """The pages of a local file or folder, named on the command line."""
    base = path if os.path.isdir(path) else os.path.dirname(path)
    options = _taking_styles(bounds, skipped)
    for found in (found for file in source_files(path) for found in read_source_file(file, options)):
        if isinstance(found, RawPage):
            relative = os.path.relpath(found.name, base) if base and found.name.startswith(base) else found.name
            yield described(replace(found, name=prefix + relative))
        else:
            skipped.add(os.path.basename(found.subject), found.cause)
    for file in sorted(Path(base).rglob("*.css"))[:_MOST_STYLES] if os.path.isdir(path) else ():
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as opened:
                skipped.add_style(page_name(prefix + os.path.relpath(file, base)), opened.read(LARGEST_STYLE + 1))


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
            yield from _named(read_mhtml(copy, _taking_styles(bounds, skipped)), name, skipped)
    elif name.lower().endswith(_WEB_ARCHIVES):
        with _copied(file) as copy:
            found = _named(read_warc(copy, _taking_styles(bounds, skipped)), name, skipped)
            yield from _bounded(found, name, copy, bounds, skipped)
    elif suffix == ".css":
        skipped.add_style(name, file.read(LARGEST_STYLE + 1))
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
        found = _named(read_zip(copy, SourceOptions(bounds.page_limits)), name, skipped)
        yield from _bounded(found, name, copy, bounds, skipped, lambda: _note_others(name, copy, skipped))


def _bounded(
    found: Iterable[RawPage],
    name: str,
    copy: str,
    bounds: Bounds,
    skipped: Skipped,
    note_others: Callable[[], None] = lambda: None,
) -> Iterator[RawPage]:
    """The pages of an archive: an error if they are too many or too large, a note if there are none."""
    most = min(bounds.zip_bytes, bounds.zip_ratio * os.path.getsize(copy))
    unpacked = number = 0
    before = len(skipped.listed)
    for number, raw in enumerate(found, 1):
        unpacked += len(raw.body)
        if number > bounds.files:
            raise too_large(f"{shown(name)}: more than {bounds.files:,} pages", "send fewer at once")
        if unpacked > most:
            raise too_large(f"{shown(name)}: unpacked size over the limit", "send the pages without the archive")
        yield raw
    note_others()
    if not number and len(skipped.listed) == before:
        skipped.add(name, "holds no pages")


def _taking_styles(bounds: Bounds, skipped: Skipped) -> SourceOptions:
    return SourceOptions(bounds.page_limits, on_style=skipped.add_style)


def _note_others(name: str, path: str, skipped: Skipped) -> None:
    """Note the members of a zip file that look as if they held pages, and were not read."""
    folder = str(PurePosixPath(name).with_suffix(""))
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            for sheet in [one for one in archive.infolist() if one.filename.lower().endswith(".css")][:_MOST_STYLES]:
                with archive.open(sheet) as opened:
                    skipped.add_style(page_name(f"{folder}/{sheet.filename}"), opened.read(LARGEST_STYLE + 1))
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
        with output_errors("the file sent", TEMPORARY_FILES), open(path, "wb") as target:
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
