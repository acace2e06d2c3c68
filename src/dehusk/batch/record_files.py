"""Records of cleaned pages, into a file of either format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from dehusk.batch.page_steps import Record
from dehusk.batch.tables import GROUP_BYTES, RECORD_FIELDS, TableWriter, record_row, record_schema
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
        with TableWriter(path, record_schema()) as writer:
            yield _ParquetRecords(writer)
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
    def __init__(self, writer: TableWriter) -> None:
        self._writer = writer
        self._gathered = 0

    def add(self, record: Record) -> None:
        self._writer.add(record_row(record))
        self._gathered += len(str(record["text"] or ""))
        if self._gathered > GROUP_BYTES:
            self._writer.flush()
            self._gathered = 0
