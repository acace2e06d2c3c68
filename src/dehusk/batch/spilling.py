"""Pages of many buckets that wait on disk until a task has read all of its input.

A Parquet file that is being written keeps notes of every group of rows until it is closed. With as many files open as
there are buckets, and a little for each whenever memory is full, those notes grew with the input. So pages are put
by in streams, which keep nothing, and each bucket's file is then written at one go, in large groups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Final, Self

from dehusk.batch.batch_storage import refusals
from dehusk.batch.bucket_tables import StoredPage, need_pyarrow, page_row, page_schema, table_of

_COMPRESSION: Final = "lz4"


class PagesByBucket:
    """Pages in the order they came in, those of one bucket together; no more than `most_bytes` in memory."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._rows: defaultdict[int, list[dict[str, object]]] = defaultdict(list)
        self._streams: dict[int, _Stream] = {}
        self._gathered = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in self._streams.values():
            stream.close()

    @property
    def buckets(self) -> tuple[int, ...]:
        return tuple(sorted(self._streams.keys() | self._rows.keys()))

    def add(self, bucket: int, page: StoredPage) -> None:
        self._rows[bucket].append(page_row(page))
        self._gathered += len(page.raw.body)
        if self._gathered > self._most_bytes:
            self._put_by()

    def tables(self, bucket: int) -> Iterator[Any]:
        """The pages of a bucket as tables, once: what is still in memory is let go of."""
        if bucket in self._streams:
            yield from self._streams[bucket].tables()
        if rows := self._rows.pop(bucket, []):
            yield table_of(rows, page_schema())

    def _put_by(self) -> None:
        for bucket, rows in self._rows.items():
            if bucket not in self._streams:
                self._streams[bucket] = _Stream(self._folder)
            self._streams[bucket].append(table_of(rows, page_schema()))
        self._rows.clear()
        self._gathered = 0


class _Stream:
    """Tables in a file without a name, which is gone as soon as nobody has it open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with refusals(folder):
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - open until `close`
        ipc = need_pyarrow().ipc
        options = ipc.IpcWriteOptions(compression=_COMPRESSION, use_threads=False)
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
