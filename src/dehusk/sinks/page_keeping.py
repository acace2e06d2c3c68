"""Where a crawl stores its pages so that it can be resumed: a folder, a WARC file, or a Parquet file.

A page is completely on disk before the index lists it, and a half-written record at the end is cut off on resuming.
A Parquet file cannot be appended to: until the crawl is done, its pages are in a WARC file next to it.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from dehusk.errors import InvalidSetting, SourceUnreadable
from dehusk.page.characters import encodable
from dehusk.sinks.parquet_sink import open_rows
from dehusk.sinks.warc_sink import header_lines, warc_date, warc_record
from dehusk.sources.crawl_index import INDEX_NAME, index_line, read_crawl_index
from dehusk.sources.decompression import Damaged, gunzip_members
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import open_binary, unreadable
from dehusk.version import __version__
from dehusk.workers.whole_files import (
    ANOTHER_OUTPUT,
    RESUMED_OUTPUT,
    digest_name,
    output_errors,
    remove_incomplete,
    write_whole,
    written_whole,
)

_LARGEST_RECORD: Final = 200_000_000
"""Bytes of a record, decompressed; several times what is fetched of a page."""
_ROWS_READ: Final = 32
"""Rows of a Parquet file that are read at a time: a few megabytes."""


class Keeper:
    """Stores the pages of one crawl."""

    def pages(self) -> Iterator[RawPage]:
        """The pages stored by earlier runs, in order."""
        raise NotImplementedError

    def keep(self, raw_page: RawPage) -> None:
        """Store a page; it is on disk when this returns."""
        raise NotImplementedError

    def finish(self) -> None:
        """Finish the output at the end of the crawl."""


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


class FolderKeeper(Keeper):
    """One file per page, and `index.json-lines`: one line per page, with everything but the body."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = folder / INDEX_NAME

    def pages(self) -> Iterator[RawPage]:
        """Pages with a complete line and a file. Of a page that was fetched again, the last line counts."""
        remove_incomplete(self._folder)
        for name, about in read_crawl_index(self._folder).items():
            with suppress(OSError):
                yield replace(about, body=(self._folder / name).read_bytes())

    def keep(self, raw_page: RawPage) -> None:
        """Write the file, then the line."""
        name = f"{digest_name(raw_page.label)}.html"
        with output_errors(self._folder, RESUMED_OUTPUT):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, raw_page.body)
            size, is_ended = _end_of(self._index)
            _append(self._index, size, (b"" if is_ended else b"\n") + index_line(name, raw_page))


class WarcKeeper(Keeper):
    """A WARC file: one response record per page, each compressed on its own. Bodies are stored decompressed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_compressed = path.name.lower().endswith(".gz")
        self._whole = 0

    def pages(self) -> Iterator[RawPage]:
        """Pages of the complete records; what follows the last of these is cut off by the next `keep`."""
        if not self._path.exists():
            return
        if not self._is_compressed:
            raise InvalidSetting("--resume", f"{self._path} is not compressed", "only a .warc.gz file can be resumed")
        for record, end in _whole_records(self._path):
            self._whole = end
            if raw_page := _page_of(record):
                yield raw_page

    def keep(self, raw_page: RawPage) -> None:
        """Append a record."""
        record = _record(raw_page)
        stored = gzip.compress(record, mtime=0) if self._is_compressed else record
        with output_errors(self._path, RESUMED_OUTPUT if self._is_compressed else ANOTHER_OUTPUT):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _append(self._path, self._whole, stored)
            self._whole += len(stored)


class ParquetKeeper(Keeper):
    """A Parquet file, written whole at the end; until then, a WARC file beside it holds the new pages."""

    def __init__(self, path: Path) -> None:
        import_pyarrow()  # say now rather than at the end that it is missing
        self._path = path
        self._journal = WarcKeeper(journal_of(path))

    def pages(self) -> Iterator[RawPage]:
        """Pages of the file, if an earlier crawl has finished, and new ones.

        If a crawl is interrupted just after the file was written, pages are in both.
        """
        known: set[str] = set()
        for raw_page in _read_rows(self._path) if self._path.exists() else ():
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
        remove_incomplete(self._path.parent, self._path.name)
        with output_errors(self._path, RESUMED_OUTPUT):
            with written_whole(self._path) as temporary, open_rows(temporary, _schema()) as add:
                for raw_page in self.pages():
                    add(_row(raw_page), len(raw_page.body))
            journal.unlink()


def journal_of(path: Path) -> Path:
    """Where pages are stored until the Parquet file is written. Hidden, so that it is not mistaken for a result."""
    return path.with_name(f".{path.name}.part.warc.gz")


def _append(path: Path, at: int, data: bytes) -> None:
    """Write at this offset of a file, instead of whatever follows it; if that fails, nothing follows it."""
    try:
        with path.open("ab") as stream:
            stream.truncate(at)
            stream.write(data)
    except OSError:
        with suppress(OSError):  # readers pass over what is incomplete, or cut it off
            os.truncate(path, at)
        raise


def _end_of(index: Path) -> tuple[int, bool]:
    """The size of the index, and whether its last line is complete."""
    if not index.exists():
        return 0, True
    with index.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(size - 1, 0))
        return size, stream.read(1) in {b"", b"\n"}


# Records of a WARC file

_ASKED: Final = "Dehusk-Asked-URI"
"""The URL before redirects. WARC allows further field names."""


def _record(raw_page: RawPage) -> bytes:
    status = raw_page.status or 200
    headers = [*raw_page.headers, ("Content-Length", str(len(raw_page.body)))]
    http = header_lines(f"HTTP/1.1 {status} {'OK' if status == 200 else 'Other'}", headers) + raw_page.body
    identity = uuid5(NAMESPACE_URL, f"{raw_page.label} {raw_page.fetched_at}")
    fields = [
        ("WARC-Type", "response"),
        ("WARC-Target-URI", raw_page.url),
        ("WARC-Date", warc_date(_moment(raw_page.fetched_at))),
        ("WARC-Record-ID", f"<{identity.urn}>"),
        ("Content-Type", "application/http;msgtype=response"),
        (_ASKED, raw_page.label),
        ("Dehusk-Version", __version__),
    ]
    return warc_record(fields, http)


def _moment(fetched_at: str) -> datetime:
    try:
        return datetime.fromisoformat(fetched_at)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def _whole_records(path: Path) -> Iterator[tuple[bytes, int]]:
    """Every complete record, and where it ends in the file."""
    record = bytearray()
    with open_binary(str(path)) as stream, suppress(Damaged):
        for data, end in gunzip_members(iter(lambda: stream.read(65_536), b"")):
            record += data
            if len(record) > _LARGEST_RECORD:
                raise SourceUnreadable(str(path), "a record is larger than any page", "choose another --output")
            if end is not None:
                yield bytes(record), end
                record.clear()


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


# Rows of a Parquet file, with columns that `open_source` knows by their names


def _read_rows(path: Path) -> Iterator[RawPage]:
    """The pages of a file written by a crawl. Their names are the URLs before redirects."""
    pyarrow = import_pyarrow()
    with open_binary(str(path)) as stream:
        try:
            file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False)
            if not file.schema_arrow.equals(_schema()):
                raise SourceUnreadable(str(path), "not written by a crawl", "choose another --output")
            for batch in file.iter_batches(batch_size=_ROWS_READ, use_threads=False):
                for row in batch.to_pylist():
                    headers = tuple((header["name"], header["value"]) for header in row["headers"])
                    yield RawPage(row["html"], row["url"], row["asked_url"], headers, row["fetched_at"], row["status"])
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            raise unreadable(str(path), f"not a readable Parquet file ({error})") from error


def _schema() -> Any:
    pyarrow = import_pyarrow()
    text = pyarrow.string()
    columns = {
        "url": text,
        "html": pyarrow.binary(),
        "fetched_at": text,
        "status": pyarrow.int32(),
        "asked_url": text,
        "headers": pyarrow.list_(pyarrow.struct([("name", text), ("value", text)])),
    }
    return pyarrow.schema([pyarrow.field(name, kind, nullable=False) for name, kind in columns.items()])


def _row(raw_page: RawPage) -> dict[str, object]:
    return {
        "url": encodable(raw_page.url),
        "html": raw_page.body,
        "fetched_at": encodable(raw_page.fetched_at),
        "status": raw_page.status,
        "asked_url": encodable(raw_page.label),
        "headers": [{"name": encodable(name), "value": encodable(value)} for name, value in raw_page.headers],
    }
