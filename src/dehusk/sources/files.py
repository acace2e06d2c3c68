"""Files, folders and standard input -> RawPage."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

from dehusk.errors import NotFollowed, PageTooLarge, SourceNotFound, SourceUnreadable
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.sources.crawl_index import read_crawl_index
from dehusk.sources.page_bodies import page_to_clean
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import open_binary

STANDARD_INPUT = "-"

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
"""What counts as a page inside a folder. A file that is named explicitly is read whatever its suffix."""


_NO_FILES: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""What may block on opening, or never end."""


@dataclass(frozen=True, slots=True, order=True)
class PageFile:
    """A file that holds a page, or many: its path, and its name relative to the folder the user named."""

    path: str
    relative: str
    about: RawPage | None = field(default=None, compare=False, repr=False)
    """Everything but the body, if the page was put into this file by a crawl or taken from an archive."""
    refusal: NotFollowed | None = field(default=None, compare=False, repr=False)
    """Why the file is not opened: a pipe, or a link out of the folder."""


def find_pages(path: str, follow_links: bool = False) -> Iterator[PageFile]:
    """The pages under `path` in sorted order: the file itself, or every page of a folder and its subfolders.

    Hidden files and folders are skipped. Links out of the folder are followed only if asked; what is not a file (a
    pipe, a device) is never opened. Both are listed with a `NotFollowed` that says why.
    """
    if path == STANDARD_INPUT:
        yield PageFile(STANDARD_INPUT, "standard-input")
    elif os.path.isdir(path):
        yield from files_in_folder(path, tuple(PAGE_SUFFIXES), follow_links)
    elif os.path.exists(path):
        yield PageFile(path, os.path.basename(path))
    else:
        raise SourceNotFound(path, "no such file or folder", "check the spelling, or use - for standard input")


def read_file(file: PageFile, limits: Limits = DEFAULT_LIMITS) -> RawPage:
    """The bytes of one page, within the limits; raises `PageSkipped` if there is nothing to clean."""
    if file.refusal:
        raise file.refusal
    found = page_to_clean(_read_file(file, limits), limits)
    if isinstance(found, RawPage):
        return found
    raise found


def _read_file(file: PageFile, limits: Limits) -> RawPage:
    if file.path == STANDARD_INPUT:
        return RawPage(_read_bounded(sys.stdin.buffer, "<standard input>", limits), name="<standard input>")
    try:
        with open_binary(file.path) as stream:
            return replace(file.about or RawPage(b"", name=file.path), body=_read_bounded(stream, file.path, limits))
    except OSError as error:
        cause = error.strerror or str(error)
        raise SourceUnreadable(file.path, cause.lower(), "check its permissions, or leave it out") from error


def is_stream(path: str) -> bool:
    """Whether this is a pipe, a socket or a device (`/dev/stdin`, `<(...)` in a shell), which can be read only once."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def files_in_folder(folder: str, suffixes: tuple[str, ...], follow_links: bool = False) -> Iterator[PageFile]:
    """The files in a folder and its subfolders with one of these suffixes, in any case; see `find_pages`."""
    root = os.path.realpath(folder)
    for parent, names in _folders_below(folder, follow_links):
        crawled = read_crawl_index(parent)
        for name in sorted(names):
            if name.lower().endswith(suffixes) and not name.startswith("."):
                path = os.path.join(parent, name)
                refusal = _why_not(path, "" if follow_links else root)
                about = _named(crawled.get(name), path)
                yield PageFile(path, os.path.relpath(path, folder), about, refusal)


def _folders_below(folder: str, follow_links: bool) -> Iterator[tuple[str, list[str]]]:
    """Each folder with the names in it; once only, as links may lead in circles."""
    seen: set[str] = set()
    for parent, folders, names in os.walk(folder, followlinks=follow_links):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        place = os.path.realpath(parent) if follow_links else parent
        if place in seen:
            folders.clear()
        else:
            yield parent, names
        if follow_links:
            seen.add(place)


def _why_not(path: str, root: str) -> NotFollowed | None:
    """Why a file in a folder is not opened, or None. Links may lead to files below `root`; anywhere if it is empty."""
    try:
        is_link = stat.S_ISLNK(os.lstat(path).st_mode)
        if is_link and root and os.path.commonpath([root, os.path.realpath(path)]) != root:
            return NotFollowed(
                path, "is a link that leads out of the folder", "follow links (--follow-links) to read it"
            )
        kind = stat.S_IFMT(os.stat(path).st_mode)
    except (OSError, ValueError):  # removed, a circle of links, or on another drive
        return None  # reading it will say what is wrong
    if kind == stat.S_IFREG:
        return None
    return NotFollowed(path, f"is {_NO_FILES.get(kind, 'something else')}, not a file", "name it explicitly to read it")


def _named(about: RawPage | None, path: str) -> RawPage | None:
    """A crawled page under the name of its file, as the user named the folder."""
    return about and replace(about, name=path)


def _read_bounded(stream: BinaryIO, label: str, limits: Limits) -> bytes:
    body = stream.read(limits.bytes + 1)
    if len(body) > limits.bytes:
        raise PageTooLarge(label, f"more than {limits.bytes:,} bytes", "raise Limits.bytes to read it")
    return body
