"""Records of cleaned pages, into a file of either format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from dehusk.batch.bucket_tables import GROUP_BYTES, RECORD_FIELDS, open_table, record_row, record_schema, table_of
from dehusk.batch.page_steps import Record
from dehusk.outputs.block_json import json_text
from dehusk.sources.raw_page import RawPage


class RecordFile(Protocol):
    """Takes records."""

    def add(self, record: Record) -> None:
        """Write one, now or later."""


@contextmanager
def open_records(path: Path, format_name: str) -> Iterator[RecordFile]:
    """A new file, whole when the block ends."""
    if format_name == "parquet":
        with open_table(path, record_schema()) as write_group:
            records = _ParquetRecords(write_group)
            yield records
            records.flush()
    else:
        with open(path, "wb") as stream:
            yield _JsonRecords(stream)


def empty_record(raw: RawPage) -> Record:
    """What is left to say of a page that could not be cleaned."""
    lists: Record = {"authors": [], "categories": [], "tags": []}
    return dict.fromkeys(RECORD_FIELDS) | lists | {"name": raw.name, "url": raw.url}


class _JsonRecords:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def add(self, record: Record) -> None:
        self._stream.write(json_text(record).encode() + b"\n")


class _ParquetRecords:
    def __init__(self, write_group: Callable[[Any], None]) -> None:
        self._write_group = write_group
        self._rows: list[Record] = []
        self._gathered = 0

    def add(self, record: Record) -> None:
        self._rows.append(record_row(record))
        self._gathered += len(str(record["text"] or ""))
        if self._gathered > GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered as a group of rows."""
        if self._rows:
            self._write_group(table_of(self._rows, record_schema()))
        self._rows, self._gathered = [], 0
