"""Open anything that holds pages. READERS has the reader of each suffix."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Final, cast

from dehusk.arguments import checked
from dehusk.errors import NoPages, OutOfMemory, PageSkipped, PageTooLarge, SourceError, SourceUnreadable
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.sources.files import PAGE_SUFFIXES, PageFile, files_in_folder, find_pages, read_file
from dehusk.sources.page_bodies import page_to_clean
from dehusk.sources.raw_page import RawPage
from dehusk.sources.remote import is_remote, local_copy, remote_files
from dehusk.sources.source_options import Fault, Found, Reader, SourceOptions
from dehusk.workers.whole_files import digest_name


def _lazy(module: str, name: str) -> Reader:
    """A reader whose module is imported when it reads its first file: few runs need more than one of them."""

    def read(path: str, options: SourceOptions) -> Iterator[Found]:
        return cast("Iterator[Found]", getattr(import_module(f"dehusk.sources.{module}"), name)(path, options))

    return read


_READ_MHTML: Final = _lazy("mhtml_source", "read_mhtml")
READERS: Final[dict[tuple[str, ...], Reader]] = {
    (".warc", ".warc.gz", ".warc.zst", ".warc.lz4"): _lazy("warc_source", "read_warc"),
    (".parquet",): _lazy("parquet_source", "read_parquet"),
    (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"): _lazy("jsonl_source", "read_jsonl"),
    (".zip",): _lazy("archive_sources", "read_zip"),
    (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst"): _lazy(
        "archive_sources", "read_tar"
    ),
    (".mhtml", ".mht"): _READ_MHTML,
}
"""No suffix is the end of a suffix of another reader."""

SOURCE_SUFFIXES: Final = (*PAGE_SUFFIXES, *(suffix for known in READERS for suffix in known))
"""Files that hold pages."""
_OF_ONE_PAGE: Final = frozenset({_READ_MHTML})
"""Readers of files that hold one page each."""

_DEFAULT_OPTIONS: Final = SourceOptions()


@checked
def open_source(  # noqa: PLR0913 - settings as parameters, as users of a library expect
    path: str | os.PathLike[str],
    *,
    on_error: Callable[[Fault], None] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    check_digests: bool = False,
    html_field: str = "",
    url_field: str = "",
    text_field: str = "",
    follow_links: bool = False,
    file_bytes: int = 0,
) -> Iterator[RawPage]:
    """Stream the pages of a file or folder (`-` is standard input), or of a URL that fsspec reaches (`s3://...`).

    The suffix of a file says how it is read: WARC, Parquet, JSON lines, zip and tar files of pages, MHTML; any other
    file is itself a page. A folder may hold all of them.

    Arguments:
        path: a file, a folder, `-`, or an address of a storage.
        on_error: takes what cannot be read, and what is empty or not HTML (`PageSkipped`); the stream continues.
            Without it the first raises, and the second is skipped, unless it is the very file that was named.
        limits: bounds on each page.
        check_digests: whether to refuse WARC records with a wrong digest.
        html_field: the column of Parquet, or field of JSON lines, that has the pages; guessed if empty.
        url_field: the same for addresses; `metadata.url` is a field of an object.
        text_field: the same for plain text, if there is no html.
        follow_links: whether to follow links out of a folder; those within it are followed always.
        file_bytes: most bytes of pages that a file of many may hold; 0 for a hundred times its size, or 100 MB if that
            is more.

    Returns:
        An iterator of pages, not read yet.

    Raises:
        SourceNotFound: there is no such file or folder.
        SourceError: it cannot be read.
        MissingExtra: its format needs a package that is not installed.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "tea.html").write_text("<p>Tea.")
    ...     [page.body for page in dehusk.open_source(folder)]
    [b'<p>Tea.']
    """
    fields = html_field, url_field, text_field
    options = SourceOptions(limits, check_digests, *fields, follow_links=follow_links, file_bytes=max(file_bytes, 0))
    named = os.fspath(path)
    for found in _found(named, options):
        if isinstance(found, RawPage):
            yield found
        elif on_error is not None:
            on_error(found)
        elif not isinstance(found, PageSkipped) or found.subject in (named, "<standard input>"):
            raise found


def source_files(path: str, follow_links: bool = False) -> Iterator[PageFile]:
    """The files that `open_source` reads, in order: the file itself, or all files with pages in a folder.

    What it does not read, such as a pipe in a folder, has a `refusal`.
    """
    if is_remote(path):
        yield from (PageFile(file.address, file.relative) for file in remote_files(path, SOURCE_SUFFIXES))
    else:
        yield from local_files(path, SOURCE_SUFFIXES, follow_links)


def local_files(path: str, suffixes: tuple[str, ...], follow_links: bool) -> Iterator[PageFile]:
    """A file itself, or all files with such names in a folder, in order."""
    if os.path.isdir(path):
        yield from files_in_folder(path, suffixes, follow_links)
    else:
        yield from find_pages(path)


def find_reader(path: str) -> Reader | None:
    """The reader of files with that name; None if such a file is itself a page."""
    name = os.path.basename(path).lower()
    return next((reader for suffixes, reader in READERS.items() if name.endswith(suffixes)), None)


def pages_in(file: PageFile, options: SourceOptions = _DEFAULT_OPTIONS) -> Iterator[tuple[str, Found]]:
    """The pages of an archive or of a remote file, each with a relative name.

    Names are made of the page's number and a digest of URL and member name, never of these themselves, which the author
    of the page chose. The digest keeps pages of different archives apart.
    """
    reader = find_reader(file.path)
    for number, found in enumerate(read_source_file(file, options), 1):
        label, url = (found.label, found.url) if isinstance(found, RawPage) else (found.subject, "")
        name = f"{number:06}-{digest_name(url, label.removeprefix(file.path))[:16]}"
        is_one_page = reader is None or reader in _OF_ONE_PAGE
        yield file.relative if is_one_page else os.path.join(file.relative, name), found


def _found(path: str, options: SourceOptions) -> Iterator[Found]:
    for file in source_files(path, options.follow_links):
        yield from read_source_file(file, options)


def read_source_file(file: PageFile, options: SourceOptions = _DEFAULT_OPTIONS) -> Iterator[Found]:
    """The pages and faults of a file that `source_files` found, in order."""
    reader = find_reader(file.path)
    try:
        if is_remote(file.path):
            yield from _read_remote(file, options)
        elif reader is None or file.refusal:
            yield _read_page(file, options)
        else:
            yield from _read_archive(file.path, reader, options)
    except SourceError as error:
        yield error
    except MemoryError:
        yield OutOfMemory(file.path, "needs more memory than there is", "free some, or lower the Limits")


def _read_archive(path: str, reader: Reader, options: SourceOptions) -> Iterator[Found]:
    """The pages and faults that a reader finds; `NoPages` if there are none."""
    if os.path.isfile(path) and not os.path.getsize(path):
        yield NoPages(path, "is empty", "leave it out")
        return
    has_something = False
    most = left = _most_bytes(path, options)
    for found in reader(path, options):
        has_something = True
        page = page_to_clean(found, options.limits) if isinstance(found, RawPage) else found
        left -= max(len(page.body) if isinstance(page, RawPage) else 0, _LEAST_COUNTED)
        if left < 0:
            remedy = "what follows is not read: allow more with --file-megabytes (file_bytes)"
            yield SourceUnreadable(path, f"its pages come to more than {most:,} bytes", remedy)
            return
        yield page
    if not has_something:
        yield NoPages(path, "holds no pages", "leave it out")


def _most_bytes(path: str, options: SourceOptions) -> int:
    """The most bytes of pages that a file may hold; of a pipe nobody knows the size."""
    by_size = max(_LIKELY_RATIO * os.path.getsize(path), _ALWAYS_ALLOWED) if os.path.isfile(path) else sys.maxsize
    return options.file_bytes or by_size


_LIKELY_RATIO: Final = 100
_ALWAYS_ALLOWED: Final = 100_000_000
"""Pages of a file are hardly ever more than so many times its size (5 to 30 times if they are compressed), unless it is
small. A kilobyte can hold one page a million times, and each would be written."""
_LEAST_COUNTED: Final = 1000
"""Fewest bytes that a page counts for: even an empty one takes time, and makes a record."""


def _read_remote(file: PageFile, options: SourceOptions) -> Iterator[Found]:
    """Read a local copy; messages and names have the original URL."""
    with local_copy(file.path) as copy:
        for found in read_source_file(PageFile(str(copy), file.relative), options):
            if isinstance(found, RawPage):
                yield replace(found, name=found.name.replace(str(copy), file.path))
            else:
                yield type(found)(found.subject.replace(str(copy), file.path), found.cause, found.remedy)


def _read_page(file: PageFile, options: SourceOptions) -> Found:
    try:
        return read_file(file, options.limits)
    except (SourceError, PageTooLarge, PageSkipped) as error:
        return error
