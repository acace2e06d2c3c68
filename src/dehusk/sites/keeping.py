"""Where a crawl stores its pages so that it can be resumed: a folder, a WARC file, or a Parquet file.

A page is completely on disk before the index lists it, and a half-written record at the end is cut off on resuming.
A Parquet file cannot be appended to: until the crawl is done, its pages are in a WARC file next to it.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, Protocol
from uuid import NAMESPACE_URL, uuid5

from dehusk.errors import InvalidSetting, SourceUnreadable
from dehusk.sites.parquet_pages import read_pages, write_pages
from dehusk.sources.crawl_index import INDEX_NAME, index_line, read_crawl_index
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import open_binary
from dehusk.version import __version__
from dehusk.workers.whole_files import digest_name, output_errors, written_whole

_CHUNK: Final = 65_536
_MOST_OF_A_RECORD: Final = 200_000_000
"""Bytes of an unpacked record; several times what is fetched of a page."""


class Keeper(Protocol):
    """Stores the pages of one crawl."""

    def pages(self) -> Iterator[RawPage]:
        """The pages stored by earlier runs, in order."""
        ...

    def keep(self, raw_page: RawPage) -> None:
        """Store a page; it is on disk when this returns."""
        ...

    def finish(self) -> None:
        """Finish the output at the end of the crawl."""
        ...


def keeper_for(output: Path, resume: bool) -> Keeper:
    """The keeper for a path, by its name; refuses a path that already holds a crawl unless `resume` is set."""
    keeper: Keeper
    if output.name.lower().endswith((".warc", ".warc.gz")):
        existing, keeper = [output], WarcKeeper(output)
    elif output.suffix.lower() == ".parquet":
        existing, keeper = [output, journal_of(output)], ParquetKeeper(output)
    elif output.suffix.lower() in {".jsonl", ".zip", ".html"}:
        raise InvalidSetting(
            "--output", f"{output.suffix} is not written by a crawl", "give a folder, a .warc.gz or a .parquet file"
        )
    else:
        existing, keeper = [output / INDEX_NAME], FolderKeeper(output)
    if any(path.exists() for path in existing) and not resume:
        raise InvalidSetting("--output", f"{output} holds a crawl already", "use --resume to go on with it")
    return keeper


class FolderKeeper:
    """One file a page, and `index.json-lines`: a line a page, with everything but the body."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = folder / INDEX_NAME

    def pages(self) -> Iterator[RawPage]:
        """Pages of which both line and file are whole. Of a page that was fetched again, the last line counts."""
        for name, about in read_crawl_index(self._folder).items():
            with suppress(OSError):
                yield replace(about, body=(self._folder / name).read_bytes())

    def keep(self, raw_page: RawPage) -> None:
        """Write the file, then the line."""
        name = f"{digest_name(raw_page.label)}.html"
        with output_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            with written_whole(self._folder / name) as temporary:
                temporary.write_bytes(raw_page.body)
            with self._index.open("ab+") as index:
                _end_line(index)
                index.write(index_line(name, raw_page))

    def finish(self) -> None:
        """Nothing is left to do."""


class WarcKeeper:
    """A WARC file (ISO 28500): a response record a page, each packed by itself. Bodies are as unpacked on arrival."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_packed = path.name.lower().endswith(".gz")
        self._whole = 0

    def pages(self) -> Iterator[RawPage]:
        """Pages of the records that are whole; what follows the last of these is cut off by the next `keep`."""
        if not self._path.exists():
            return
        if not self._is_packed:
            raise InvalidSetting("--resume", f"{self._path} is not packed", "name it .warc.gz to be able to go on")
        for record, end in _members(self._path):
            self._whole = end
            raw_page = _page_of(record)
            if raw_page:
                yield raw_page

    def keep(self, raw_page: RawPage) -> None:
        """Append a record."""
        record = _record(raw_page)
        packed = gzip.compress(record, mtime=0) if self._is_packed else record
        with output_errors(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as stream:
                if self._is_packed:
                    stream.truncate(self._whole)
                stream.write(packed)
            self._whole += len(packed)

    def finish(self) -> None:
        """Nothing is left to do."""


class ParquetKeeper:
    """A Parquet file, written whole at the end; until then, a WARC file beside it holds what is new."""

    def __init__(self, path: Path) -> None:
        import_pyarrow()  # say now rather than at the end that it is missing
        self._path = path
        self._journal = WarcKeeper(journal_of(path))

    def pages(self) -> Iterator[RawPage]:
        """Pages of the file, should an earlier crawl have been done, and new ones.

        If the end was interrupted after the file had its name, pages are in both.
        """
        known: set[str] = set()
        for raw_page in read_pages(self._path) if self._path.exists() else ():
            known.add(raw_page.label)
            yield raw_page
        for raw_page in self._journal.pages():
            if raw_page.label not in known:
                yield raw_page

    def keep(self, raw_page: RawPage) -> None:
        """Append a record to the WARC file."""
        self._journal.keep(raw_page)

    def finish(self) -> None:
        """Write the file, then remove what it was made of."""
        journal = journal_of(self._path)
        if not journal.exists():
            return  # nothing new
        with output_errors(self._path):
            with written_whole(self._path) as temporary:
                write_pages(temporary, self.pages())
            journal.unlink()


def journal_of(path: Path) -> Path:
    """Where pages are stored until the Parquet file is written. Hidden, so that it is not mistaken for a result."""
    return path.with_name(f".{path.name}.part.warc.gz")


def _end_line(index: BinaryIO) -> None:
    """End an incomplete last line, so that the next entry starts on a line of its own."""
    if index.seek(0, os.SEEK_END):
        index.seek(-1, os.SEEK_END)
        if index.read(1) != b"\n":
            index.write(b"\n")


# Records of a WARC file

_ASKED: Final = "Dehusk-Asked-URI"
"""The URL before redirects. WARC allows further field names."""


def _record(raw_page: RawPage) -> bytes:
    status = raw_page.status or 200
    headers = [*raw_page.headers, ("Content-Length", str(len(raw_page.body)))]
    http = _lines(f"HTTP/1.1 {status} {'OK' if status == 200 else 'Other'}", headers) + raw_page.body
    identity = uuid5(NAMESPACE_URL, f"{raw_page.label} {raw_page.fetched_at}")
    fields = [
        ("WARC-Type", "response"),
        ("WARC-Target-URI", raw_page.url),
        ("WARC-Date", _warc_date(raw_page.fetched_at)),
        ("WARC-Record-ID", f"<urn:uuid:{identity}>"),
        ("Content-Type", "application/http;msgtype=response"),
        ("Content-Length", str(len(http))),
        (_ASKED, raw_page.label),
        ("Dehusk-Version", __version__),
    ]
    return _lines("WARC/1.1", fields) + http + b"\r\n\r\n"


def _lines(first: str, fields: list[tuple[str, str]]) -> bytes:
    lines = [first, *(f"{name}: {value}" for name, value in fields)]
    # A line break inside a value would be the end of it to whoever reads the record.
    safe = (line.replace("\r", " ").replace("\n", " ") for line in lines)
    return "\r\n".join([*safe, "", ""]).encode("latin-1", "replace")


def _warc_date(fetched_at: str) -> str:
    try:
        moment = datetime.fromisoformat(fetched_at)
    except ValueError:
        moment = datetime.fromtimestamp(0, UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _members(path: Path) -> Iterator[tuple[bytes, int]]:
    """(unpacked record, where it ends in the file) of every record that is whole."""
    with open_binary(str(path)) as stream:
        start = 0
        while True:
            stream.seek(start)
            member, size = _member(stream, path)
            if not size:
                return
            start += size
            yield member, start


def _member(stream: BinaryIO, path: Path) -> tuple[bytes, int]:
    """The gzip member that begins here, and its packed size; size 0 if it is not whole."""
    unpacker = zlib.decompressobj(31)
    parts = bytearray()
    read = 0
    while not unpacker.eof:
        data = unpacker.unconsumed_tail
        if not data:
            data = stream.read(_CHUNK)
            read += len(data)
        if not data:
            return b"", 0
        try:
            parts += unpacker.decompress(data, 16 * _CHUNK)
        except zlib.error:
            return b"", 0
        if len(parts) > _MOST_OF_A_RECORD:
            raise SourceUnreadable(str(path), "a record is larger than any page", "begin with another file")
    return bytes(parts), read - len(unpacker.unused_data)


def _page_of(record: bytes) -> RawPage | None:
    """The page in a record as written above; None for records of another kind."""
    head, _, http = record.partition(b"\r\n\r\n")
    _, fields = _fields(head)
    named = dict(fields)
    if named.get("WARC-Type") != "response" or not named.get("Content-Length", "").isdigit():
        return None
    http_head, _, body = http[: int(named["Content-Length"])].partition(b"\r\n\r\n")
    status, headers = _fields(http_head)
    code = status.split()[1] if len(status.split()) > 1 else ""
    url = named.get("WARC-Target-URI", "")
    asked, date = named.get(_ASKED, url), named.get("WARC-Date", "")
    return RawPage(body, url, asked, tuple(headers), date, int(code) if code.isdecimal() else 0)


def _fields(head: bytes) -> tuple[str, list[tuple[str, str]]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return first, [(name.strip(), value.strip()) for name, _, value in pairs]
