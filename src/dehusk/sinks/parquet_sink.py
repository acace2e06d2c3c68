"""Parquet: a row a record, with the columns of `dehusk.outputs.page_records.FIELDS`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from dehusk.outputs.page_records import FIELDS
from dehusk.page.characters import encodable
from dehusk.sinks.sink import FileSink, Record, output_errors, text_of
from dehusk.sources.parquet_source import import_pyarrow

_LISTS: Final = frozenset({"authors", "categories", "tags"})
_NUMBERS: Final = frozenset({"confidence", "damage"})
_MOST_ROWS: Final = 10_000
_MOST_CHARACTERS: Final = 16_000_000
"""What a row group holds at most, which is held in memory until it is written. Large enough to compress well."""


class ParquetSink(FileSink):
    """Row groups of bounded size."""

    _writer: Any

    def __init__(self, target: Path) -> None:
        super().__init__(target)
        self._pyarrow = import_pyarrow()
        self._schema = self._pyarrow.schema([(name, self._type_of(name)) for name in FIELDS])
        self._rows: list[dict[str, object]] = []
        self._characters = 0

    def write(self, record: Record) -> None:
        """Take one row, and write those there are if they are enough."""
        self._rows.append({name: _value(record, name) for name in FIELDS})
        self._characters += len(text_of(record, "text"))
        if len(self._rows) >= _MOST_ROWS or self._characters >= _MOST_CHARACTERS:
            with output_errors(self._target):
                self._finish()

    def _open(self, temporary: Path, stack: ExitStack) -> None:
        writer = self._pyarrow.parquet.ParquetWriter(str(temporary), self._schema, compression="zstd")
        self._writer = stack.enter_context(writer)

    def _finish(self) -> None:
        if self._rows:
            self._writer.write_table(self._pyarrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._characters = [], 0

    def _type_of(self, name: str) -> Any:
        if name in _NUMBERS:
            return self._pyarrow.float64()
        text = self._pyarrow.string()
        return self._pyarrow.list_(text) if name in _LISTS else text


def _value(record: Record, name: str) -> object:
    value = record.get(name)
    if value is None or name in _NUMBERS:
        return value
    if name in _LISTS:
        return [encodable(str(one)) for one in value] if isinstance(value, list | tuple) else None
    return encodable(str(value))
