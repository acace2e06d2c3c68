"""First phase: sort pages into buckets, so that the pages of a site are together.

Each task reads some files and writes one Parquet part per bucket. It can be repeated at any time: parts appear whole,
with the same bytes, and a marker is written when all of them are there.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, Self

from dehusk.batch.batch_files import bucket_of, bucketed_marker, part
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage, read_json, refusals, write_json
from dehusk.batch.bucket_tables import GROUP_BYTES, StoredPage, need_pyarrow, page_row, page_schema
from dehusk.batch.page_steps import page_worker
from dehusk.batch.reading_files import file_reader, read_items
from dehusk.errors import DehuskError, OutputError
from dehusk.page.characters import encodable
from dehusk.page.page_reading import read_page
from dehusk.sinks.parquet_sink import open_table
from dehusk.sites.site_of import host_of, site_of
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.worker_process import Worker, WorkerDied

_HEAD_BYTES: Final = 100_000
"""Bytes of a page without a URL that are searched for a declared one. Few heads are longer."""

_LONGEST_HOST: Final = 253
"""Characters of a host name, by the domain name system."""


@dataclass(frozen=True, slots=True)
class BucketInput:
    """Task: sort the pages of these files into buckets."""

    number: int
    files: tuple[PageFile, ...]
    out: str
    settings: BatchSettings


@dataclass(frozen=True, slots=True)
class InputBucketed:
    """Result of a `BucketInput`."""

    number: int
    pages: int
    failed: int
    size: int
    buckets: tuple[int, ...]
    """Buckets that received pages."""


def bucket_input(task: BucketInput) -> InputBucketed:
    """Read pages, find their sites, and write them. A page that cannot be read becomes a row with an error."""
    limits = task.settings.limits
    return _write_parts(task, _pages(task, page_worker(limits, task.settings.method), file_reader(limits)))


def give_up_input(task: BucketInput) -> InputBucketed:
    """The result if `bucket_input` killed its process: a row with an error for every file."""
    errors = (_unread(file, WorkerDied(file.path, "the process that read it died")) for file in task.files)
    return _write_parts(task, (replace(page, position=number) for number, page in enumerate(errors)))


def bucketed_before(storage: Storage, number: int) -> InputBucketed | None:
    """The result of an earlier run, if any."""
    marker = read_json(storage, bucketed_marker(number))
    return None if marker is None else InputBucketed(**{**marker, "buckets": tuple(marker["buckets"])})


def _pages(task: BucketInput, worker: Worker, reader: Worker) -> Iterator[StoredPage]:
    stored = (page for file in task.files for page in _pages_of(file, worker, reader, task.settings.source))
    for position, page in enumerate(stored):
        yield replace(page, position=position)


def _pages_of(file: PageFile, worker: Worker, reader: Worker, options: SourceOptions) -> Iterator[StoredPage]:
    for found in read_items(file, reader, options):
        if isinstance(found, OutputError):
            raise found  # a fault of this machine, not of the page: the next run will read it
        if isinstance(found, DehuskError):
            yield _unread(file, found)
        elif isinstance(found, StoredPage):
            yield found
        else:
            yield StoredPage(_site(found, worker) or _named_folder(file), found)


def _unread(file: PageFile, error: DehuskError) -> StoredPage:
    raw = RawPage(b"", name=error.subject or file.path)
    return StoredPage(_named_folder(file), raw, error=str(error), cause=error.kind)


def _site(raw: RawPage, worker: Worker) -> str:
    """The host of its URL, or of the URL declared in its head."""
    found: str | DehuskError = host_of(raw.url)
    if not found:
        found = worker.run(_declared_site, replace(raw, body=raw.body[:_HEAD_BYTES], url=""), raw.label)
    return "" if isinstance(found, DehuskError) or len(found) > _LONGEST_HOST else encodable(found)


def _declared_site(raw: RawPage) -> str:
    return site_of(read_page(raw))


def _named_folder(file: PageFile) -> str:
    """The folder the user named: pages in it without a URL count as one site."""
    return encodable(file.path.removesuffix(file.relative).rstrip(os.sep)) or "."


def _write_parts(task: BucketInput, pages: Iterator[StoredPage]) -> InputBucketed:
    storage = open_storage(task.out)
    count = failed = size = 0
    with PagesByBucket(storage.scratch(), GROUP_BYTES) as sorted_pages:
        for page in pages:
            sorted_pages.add(bucket_of(page.site, task.settings.buckets, task.settings.seed), page)
            count, failed, size = count + 1, failed + bool(page.error), size + len(page.raw.body)
        buckets = sorted_pages.buckets
        for bucket in buckets:
            with storage.written(part(bucket, task.number)) as temporary:
                _write_part(temporary, sorted_pages.tables(bucket))
    result = InputBucketed(task.number, count, failed, size, buckets)
    write_json(storage, bucketed_marker(task.number), asdict(result))
    return result


def _write_part(path: Path, tables: Iterator[Any]) -> None:
    """Join tables into row groups of `GROUP_BYTES`."""
    concat_tables = need_pyarrow().concat_tables
    with open_table(path, page_schema(), use_dictionary=False) as write_group:
        together, gathered = [], 0
        for table in tables:
            together.append(table)
            gathered += table.nbytes
            if gathered > GROUP_BYTES:
                write_group(concat_tables(together))
                together, gathered = [], 0
        if together:
            write_group(concat_tables(together))


# Pages that wait on disk until a task has read all of its input.
#
# A Parquet file being written keeps metadata of every row group until it is closed. With one open file per bucket, and
# a small group for each whenever memory is full, that metadata grew with the input. So pages first go to streams, which
# keep nothing, and each bucket's file is then written in one go, in large groups.

_STREAM_COMPRESSION: Final = "lz4"


class PagesByBucket:
    """Collects pages by bucket, in their order, with at most `most_bytes` in memory."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._rows: defaultdict[int, list[dict[str, object]]] = defaultdict(list)
        self._streams: dict[int, _Stream] = {}
        self._gathered = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for stream in self._streams.values():
            stream.close()

    @property
    def buckets(self) -> tuple[int, ...]:
        return tuple(sorted(self._streams.keys() | self._rows.keys()))

    def add(self, bucket: int, page: StoredPage) -> None:
        self._rows[bucket].append(page_row(page))
        self._gathered += len(page.raw.body)
        if self._gathered > self._most_bytes:
            self._spill()

    def tables(self, bucket: int) -> Iterator[Any]:
        """The pages of a bucket as tables; can be called once, as it frees those in memory."""
        if bucket in self._streams:
            yield from self._streams[bucket].tables()
        if rows := self._rows.pop(bucket, []):
            yield _table(rows)

    def _spill(self) -> None:
        for bucket, rows in self._rows.items():
            if bucket not in self._streams:
                self._streams[bucket] = _Stream(self._folder)
            self._streams[bucket].append(_table(rows))
        self._rows.clear()
        self._gathered = 0


def _table(rows: list[dict[str, object]]) -> Any:
    arrow, schema = need_pyarrow(), page_schema()
    columns = {name: [row[name] for row in rows] for name in schema.names}
    bodies = _joined(columns.pop("body"))
    arrays = [arrow.array(values, schema.field(name).type) for name, values in columns.items()]
    return arrow.Table.from_arrays([*arrays, bodies], schema=schema)


def _joined(bodies: list[Any]) -> Any:
    """A column of bytes, joined at once: pyarrow would grow it, and move it several times."""
    arrow = need_pyarrow()
    offsets = arrow.array([0, *accumulate(map(len, bodies))], arrow.int64()).buffers()[1]
    buffers = [None, offsets, arrow.py_buffer(b"".join(bodies))]
    return arrow.LargeBinaryArray.from_buffers(arrow.large_binary(), len(bodies), buffers)


class _Stream:
    """Tables in a file without a name, which disappears when it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with refusals(folder):
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - open until `close`
        ipc = need_pyarrow().ipc
        options = ipc.IpcWriteOptions(compression=_STREAM_COMPRESSION, use_threads=False)
        self._writer = ipc.new_stream(self._file, page_schema(), options=options)

    def append(self, table: Any) -> None:
        with refusals(self._folder):
            self._writer.write_table(table)

    def tables(self) -> Iterator[Any]:
        with refusals(self._folder):
            self._writer.close()
            self._file.seek(0)
        arrow = need_pyarrow()
        with arrow.ipc.open_stream(self._file) as reader:
            for batch in reader:
                yield arrow.Table.from_batches([batch])

    def close(self) -> None:
        self._file.close()
