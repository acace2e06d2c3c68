"""Pages of a crawl as one Parquet file: a row a page, in columns that `open_source` knows by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from dehusk.errors import SourceUnreadable
from dehusk.page.characters import encodable
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import open_binary, unreadable

_GROUP_BYTES: Final = 16_000_000
"""Bytes of pages in a row group, which is held in memory until it is written. Large enough to compress well."""
_BATCH: Final = 32
"""Rows read at a time: a few megabytes."""


def write_pages(target: Path, pages: Iterable[RawPage]) -> None:
    """Write all pages, of which memory holds a row group."""
    pyarrow, schema = import_pyarrow(), _schema()
    rows: list[dict[str, object]] = []
    size = 0
    with pyarrow.parquet.ParquetWriter(str(target), schema, compression="zstd") as writer:
        for raw_page in pages:
            rows.append(_row(raw_page))
            size += len(raw_page.body)
            if size >= _GROUP_BYTES:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
                rows, size = [], 0
        writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


def read_pages(path: Path) -> Iterator[RawPage]:
    """What was written so, in order. Their names are the addresses that were asked for, as crawls have it."""
    pyarrow = import_pyarrow()
    with open_binary(str(path)) as stream:
        try:
            file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False)
            if not file.schema_arrow.equals(_schema()):
                raise SourceUnreadable(str(path), "not written by a crawl", "choose another --output")
            for batch in file.iter_batches(batch_size=_BATCH, use_threads=False):
                yield from map(_raw_page, batch.to_pylist())
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


def _raw_page(row: dict[str, Any]) -> RawPage:
    headers = tuple((header["name"], header["value"]) for header in row["headers"])
    return RawPage(row["html"], row["url"], row["asked_url"], headers, row["fetched_at"], row["status"])
