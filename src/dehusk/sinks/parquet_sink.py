"""Parquet files, written in row groups of bounded size: records of cleaned pages, and any other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from dehusk.outputs.page_records import FIELDS
from dehusk.page.characters import encodable
from dehusk.sinks.sink import Record, Write, text_of
from dehusk.sources.parquet_source import import_pyarrow

GROUP_ROWS: Final = 10_000
GROUP_BYTES: Final = 16_000_000
"""Most rows and bytes of a row group, which is held in memory until it is written. Large enough to compress well."""
_LISTS: Final = frozenset({"authors", "categories", "tags"})
_NUMBERS: Final = frozenset({"confidence", "damage"})


@contextmanager
def open_parquet(path: Path, fields: Sequence[str] = FIELDS) -> Iterator[Write]:
    """A new file with a row per record and these columns."""
    with open_rows(path, _record_schema(fields)) as add:

        def write(record: Record) -> None:
            add({name: _value(record, name) for name in fields}, len(text_of(record, "text")))

        yield write


@contextmanager
def open_rows(target: Path | IO[bytes], schema: Any) -> Iterator[Callable[[Mapping[str, object], int], None]]:
    """A new file; yields the function that takes a row and its size in bytes, roughly."""
    table_of = import_pyarrow().Table.from_pylist
    rows: list[Mapping[str, object]] = []
    size = 0
    with _open_table(target, schema) as write_group:

        def add(row: Mapping[str, object], row_size: int) -> None:
            nonlocal rows, size
            rows.append(row)
            size += row_size
            if size >= GROUP_BYTES or len(rows) >= GROUP_ROWS:
                write_group(table_of(rows, schema=schema))
                rows, size = [], 0

        yield add
        if rows:
            write_group(table_of(rows, schema=schema))


@contextmanager
def _open_table(target: Path | IO[bytes], schema: Any) -> Iterator[Callable[[Any], None]]:
    """A new file; yields the function that writes a table as a row group."""
    with import_pyarrow().parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        yield writer.write_table


def _record_schema(fields: Sequence[str]) -> Any:
    pyarrow = import_pyarrow()
    text = pyarrow.string()
    kinds = dict.fromkeys(_LISTS, pyarrow.list_(text)) | dict.fromkeys(_NUMBERS, pyarrow.float64())
    kinds["text"] = pyarrow.large_string()
    return pyarrow.schema([(name, kinds.get(name, text)) for name in fields])


def _value(record: Record, name: str) -> object:
    value = record.get(name)
    if value is None or name in _NUMBERS:
        return value
    if name in _LISTS:
        return [encodable(str(one)) for one in value] if isinstance(value, list | tuple) else None
    return encodable(str(value))
