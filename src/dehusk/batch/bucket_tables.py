"""Parquet files of a batch: pages in buckets, and records of cleaned pages.

Rows are written in groups of bounded size and read back one group at a time, so that memory does not grow with files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.errors import SourceUnreadable
from dehusk.outputs.page_records import FIELDS
from dehusk.page.characters import encodable
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage

GROUP_BYTES: Final = 32_000_000
"""Of pages and records, gathered before they are written. With the largest page allowed that is 100 MB."""
RECORD_FIELDS: Final = ("site", *FIELDS, "error")
"""Columns of the output: a record as elsewhere, with the site the page was cleaned with, and what went wrong."""
_LISTS: Final = frozenset({"authors", "categories", "tags"})
_COMPRESSION: Final = "zstd"
_MARK: Final = {b"dehusk": b"pages in a bucket"}
"""In the schema of such files, by which a batch knows them when they are its input."""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page in a bucket. One that could not be read has an error instead of a body."""

    site: str
    raw: RawPage
    position: int = 0
    """Number of the page in its input."""
    error: str = ""
    cause: str = ""
    """The kind of error, as the report counts them."""


@dataclass(frozen=True, slots=True)
class StoredSize:
    """What can be known of a page in a bucket without reading its body."""

    site: str
    position: int
    size: int
    is_page: bool
    """Whether it could be read at all."""


def need_pyarrow() -> Any:
    """The package, told to give memory back: its own allocator keeps what was freed, and a process that reads one
    bucket after the other would grow with it. It listens when it is loaded, here or in processes that are started."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    return import_pyarrow()


def page_schema() -> Any:
    """Columns of pages in buckets."""
    arrow = need_pyarrow()
    text, number = arrow.string(), arrow.int64()
    columns = dict.fromkeys(("site", "url", "name", "headers", "fetched_at", "error", "cause"), text)
    fields = [*columns.items(), ("position", number), ("size", number), ("body", arrow.large_binary())]
    return arrow.schema(fields, metadata=_MARK)


def record_schema() -> Any:
    """Columns of the output."""
    arrow = need_pyarrow()
    texts = arrow.list_(arrow.string())
    kinds = {name: texts if name in _LISTS else arrow.string() for name in RECORD_FIELDS}
    numbers = dict.fromkeys(("confidence", "damage"), arrow.float64())
    return arrow.schema((kinds | numbers | {"text": arrow.large_string()}).items())


@contextmanager
def open_table(path: Path, schema: Any) -> Iterator[Callable[[Any], None]]:
    """A new Parquet file, whole when the block ends: what to call with each of its groups of rows, as tables."""
    writer = need_pyarrow().parquet.ParquetWriter(path, schema, compression=_COMPRESSION, use_dictionary=False)
    with writer:
        yield writer.write_table


def table_of(rows: Sequence[Mapping[str, object]], schema: Any) -> Any:
    """Rows side by side."""
    return need_pyarrow().Table.from_pylist(rows, schema=schema)


def page_row(page: StoredPage) -> dict[str, object]:
    """A row for `page_schema`."""
    raw = page.raw
    texts = {"site": page.site, "url": raw.url, "name": raw.name, "fetched_at": raw.fetched_at}
    texts |= {"headers": json.dumps(raw.headers), "error": page.error, "cause": page.cause}
    numbers = {"position": page.position, "size": len(raw.body)}
    return {**{name: encodable(value) for name, value in texts.items()}, **numbers, "body": raw.body}


def record_row(record: Mapping[str, object]) -> dict[str, object]:
    """A row for `record_schema`: lone surrogates, which pages may well contain, cannot be written."""
    return {name: _encodable(value) for name, value in record.items()}


def _encodable(value: object) -> object:
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    return encodable(value) if isinstance(value, str) else value


def read_sizes(path: Path) -> Iterator[StoredSize]:
    """Pages of a bucket without their bodies."""
    for table, _ in _groups(path, ("site", "position", "size", "error")):
        for row in table.to_pylist():
            yield StoredSize(row["site"], row["position"], row["size"], not row["error"])


def holds_stored(path: Path) -> bool:
    """Whether this is a file of pages in a bucket, of this batch or another."""
    arrow = need_pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            return _MARK.items() <= (file.schema_arrow.metadata or {}).items()
    except (arrow.ArrowException, OSError):
        return False  # whoever reads it as something else will say what is wrong


def read_group_sizes(path: Path) -> list[int]:
    """Bytes of pages in each group of rows."""
    with _opened(path) as file:
        body = file.schema_arrow.get_field_index("body")
        groups = (file.metadata.row_group(group) for group in range(file.num_row_groups))
        return [group.column(body).total_uncompressed_size for group in groups]


def read_stored(
    path: Path, positions: Collection[int] | None = None, groups: range | None = None
) -> Iterator[StoredPage]:
    """Pages of a bucket in their order; if positions or groups of rows are given, those alone.

    Groups without any page that is asked for are not read.
    """
    columns = page_schema().names
    for table, wanted in _groups(path, columns, positions, groups):
        for index in wanted:
            row = {name: table.column(name)[index].as_py() for name in columns}
            headers = tuple((str(name), str(value)) for name, value in json.loads(row["headers"]))
            raw = RawPage(row["body"], row["url"], row["name"], headers, row["fetched_at"])
            yield StoredPage(row["site"], raw, row["position"], row["error"], row["cause"])


def _groups(
    path: Path, columns: Sequence[str], positions: Collection[int] | None = None, groups: range | None = None
) -> Iterator[tuple[Any, Sequence[int]]]:
    """Groups of rows as tables, and which of their rows were asked for."""
    with _opened(path) as file:
        for group in range(file.num_row_groups) if groups is None else groups:
            wanted = _wanted(file, group, positions)
            if wanted:
                yield file.read_row_group(group, columns=list(columns), use_threads=False), wanted


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    arrow = need_pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            yield file
    except (arrow.ArrowException, OSError) as error:
        cause = f"not a readable Parquet file ({error})"
        raise SourceUnreadable(str(path), cause, "start anew with --fresh") from error


def _wanted(file: Any, group: int, positions: Collection[int] | None) -> Sequence[int]:
    """Rows of a group that were asked for."""
    if positions is None:
        return range(file.metadata.row_group(group).num_rows)
    stored = file.read_row_group(group, columns=["position"], use_threads=False).column("position").to_pylist()
    return [index for index, position in enumerate(stored) if position in positions]
