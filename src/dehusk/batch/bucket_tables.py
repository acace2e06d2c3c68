"""Pages in buckets, in Parquet files.

Rows are written in groups of bounded size and read back one group at a time, so memory does not grow with files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.errors import SourceUnreadable
from dehusk.page.characters import encodable
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage

GROUP_BYTES: Final = 32_000_000
"""Bytes of pages collected before they are written. With the largest page allowed, that is 100 MB."""
_MARK: Final = {b"dehusk": b"pages in a bucket"}
"""Metadata of the schema, by which a batch recognises such files among its inputs."""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page in a bucket; with an error instead of a body if it could not be read."""

    site: str
    raw: RawPage
    position: int = 0
    """Index of the page in its input."""
    error: str = ""
    cause: str = ""
    """The kind of the error."""


@dataclass(frozen=True, slots=True)
class StoredSize:
    """A page in a bucket, without its body."""

    site: str
    position: int
    size: int
    is_page: bool
    """Whether it could be read."""


def need_pyarrow() -> Any:
    """pyarrow with the system's allocator. Its own keeps freed memory, so that a process that reads bucket after bucket
    would grow. The variable is read when pyarrow is loaded, here or in a child process."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    return import_pyarrow()


def page_schema() -> Any:
    """Columns of pages in buckets."""
    arrow = need_pyarrow()
    text, number = arrow.string(), arrow.int64()
    columns = dict.fromkeys(("site", "url", "name", "headers", "fetched_at", "error", "cause"), text)
    fields = [*columns.items(), ("position", number), ("size", number), ("body", arrow.large_binary())]
    return arrow.schema(fields, metadata=_MARK)


def page_row(page: StoredPage) -> dict[str, object]:
    """A row for `page_schema`."""
    raw = page.raw
    texts = {"site": page.site, "url": raw.url, "name": raw.name, "fetched_at": raw.fetched_at}
    texts |= {"headers": json.dumps(raw.headers), "error": page.error, "cause": page.cause}
    numbers = {"position": page.position, "size": len(raw.body)}
    return {**{name: encodable(value) for name, value in texts.items()}, **numbers, "body": raw.body}


def read_sizes(path: Path) -> Iterator[StoredSize]:
    """Pages of a bucket without their bodies."""
    for table, _ in _groups(path, ("site", "position", "size", "error")):
        for row in table.to_pylist():
            yield StoredSize(row["site"], row["position"], row["size"], not row["error"])


def holds_stored(path: Path) -> bool:
    """Whether this is a part of a bucket, of this batch or another."""
    arrow = need_pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            return _MARK.items() <= (file.schema_arrow.metadata or {}).items()
    except (arrow.ArrowException, OSError):
        return False  # its reader will say what is wrong


def read_group_sizes(path: Path) -> list[int]:
    """Bytes of pages in each row group."""
    with _opened(path) as file:
        body = file.schema_arrow.get_field_index("body")
        groups = (file.metadata.row_group(group) for group in range(file.num_row_groups))
        return [group.column(body).total_uncompressed_size for group in groups]


def read_stored(
    path: Path, positions: Collection[int] | None = None, groups: range | None = None
) -> Iterator[StoredPage]:
    """Pages of a bucket in order; only those at the given positions or in the given row groups.

    Row groups without a wanted page are not read.
    """
    for table, wanted in _groups(path, page_schema().names, positions, groups):
        bodies = table.column("body")
        # All at once but for the bodies, which are large: a value at a time takes several times as long.
        rows = table.drop_columns(["body"]).to_pylist()
        for index in wanted:
            row = rows[index]
            headers = tuple((str(name), str(value)) for name, value in json.loads(row["headers"]))
            raw = RawPage(bodies[index].as_py(), row["url"], row["name"], headers, row["fetched_at"])
            yield StoredPage(row["site"], raw, row["position"], row["error"], row["cause"])


def _groups(
    path: Path, columns: Sequence[str], positions: Collection[int] | None = None, groups: range | None = None
) -> Iterator[tuple[Any, Sequence[int]]]:
    """Row groups as tables, and which of their rows are wanted."""
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
    """The wanted rows of a row group."""
    if positions is None:
        return range(file.metadata.row_group(group).num_rows)
    stored = file.read_row_group(group, columns=["position"], use_threads=False).column("position").to_pylist()
    return [index for index, position in enumerate(stored) if position in positions]
