"""Pages in buckets, in Arrow streams.

A stream is appended to while pages are sorted: nothing is kept of what was written, and nothing is written twice. It is
read one record batch at a time, of bounded size, so memory does not grow with files.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, repeat
from pathlib import Path
from typing import IO, Any, Final

from dehusk.errors import SourceUnreadable
from dehusk.page.characters import as_utf8
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage

GATHERED_BYTES: Final = 64_000_000
"""Bytes of pages collected before they are written, as a batch for each bucket. With the largest page allowed, that is
130 MB."""
_TEXTS: Final = ("site", "url", "name", "headers", "fetched_at", "error", "cause")
_NUMBERS: Final = ("position", "size")
_HEAD: Final = (*_TEXTS, *_NUMBERS)
"""All columns but the bodies."""
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
    size: int = 0
    """Bytes of its body, also where that was not read."""


@dataclass(frozen=True, slots=True)
class StoredSize:
    """What tells whether to read a page in a bucket."""

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


@cache
def page_schema() -> Any:
    """Columns of pages in buckets."""
    arrow = need_pyarrow()
    texts, numbers = dict.fromkeys(_TEXTS, arrow.string()), dict.fromkeys(_NUMBERS, arrow.int64())
    return arrow.schema([*texts.items(), *numbers.items(), ("body", arrow.large_binary())], metadata=_MARK)


def page_table(pages: Sequence[StoredPage]) -> Any:
    """A table of pages, with the columns of `page_schema`."""
    schema, raws = page_schema(), [page.raw for page in pages]
    bodies = [raw.body for raw in raws]
    columns: dict[str, list[Any]] = {
        "site": [page.site for page in pages],
        "url": [raw.url for raw in raws],
        "name": [raw.name for raw in raws],
        "headers": [json.dumps(raw.headers) for raw in raws],
        "fetched_at": [raw.fetched_at for raw in raws],
        "error": [page.error for page in pages],
        "cause": [page.cause for page in pages],
        "position": [page.position for page in pages],
        "size": list(map(len, bodies)),
        "body": bodies,
    }
    arrays = [_column(columns[field.name], field.type) for field in schema]
    return need_pyarrow().Table.from_arrays(arrays, schema=schema)


def _column(values: list[Any], kind: Any) -> Any:
    """A column without nulls, of whole numbers, texts or bytes.

    Made of buffers: `pyarrow.array` imports pandas where that is installed, which takes half a second in each process,
    and it would grow a column of bodies, and move it, several times.
    """
    arrow = need_pyarrow()
    if kind == arrow.int64():
        return arrow.Array.from_buffers(kind, len(values), [None, arrow.py_buffer(array("q", values))])
    parts = list(map(as_utf8, values)) if kind == arrow.string() else values
    offsets = array("i" if kind == arrow.string() else "q", accumulate(map(len, parts), initial=0))
    buffers = [None, arrow.py_buffer(offsets), arrow.py_buffer(b"".join(parts))]
    return arrow.Array.from_buffers(kind, len(values), buffers)


def open_stream(file: IO[bytes]) -> Any:
    """A writer of tables to a new stream; `close` ends it."""
    ipc = need_pyarrow().ipc
    options = ipc.IpcWriteOptions(compression="zstd", use_threads=False)
    return ipc.new_stream(file, page_schema(), options=options)


def read_sizes(path: Path) -> Iterator[list[StoredSize]]:
    """What tells which pages of a bucket to read, a list for each batch."""
    for batch in _without_bodies(path, "site", "position", "size", "error"):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        yield [StoredSize(site, position, size, not error) for site, position, size, error in rows]


def read_stored_heads(path: Path) -> Iterator[StoredPage]:
    """Pages of a bucket in order, with empty bodies."""
    for batch in _without_bodies(path, *_HEAD):
        for row in batch.to_pylist():
            yield _stored_page(row, b"")


def _without_bodies(path: Path, *names: str) -> Iterator[Any]:
    """Batches with these columns. Others are not decompressed."""
    arrow, schema = need_pyarrow(), page_schema()
    fields = [schema.get_field_index(name) for name in names]
    options = arrow.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
    with _opened(path) as file, arrow.ipc.open_stream(file, options=options) as reader:
        for batch in reader:
            batch.validate(full=True)
            yield batch.select(names)


def holds_stored(path: Path) -> bool:
    """Whether this is a part of a bucket, of this batch or another."""
    try:
        with _opened(path) as file, need_pyarrow().ipc.open_stream(file) as reader:
            return bool(reader.schema.equals(page_schema(), check_metadata=True))
    except SourceUnreadable:
        return False  # its reader will say what is wrong


def read_stored(
    path: Path, positions: Collection[int] | None = None, batches: range | None = None
) -> Iterator[StoredPage]:
    """Pages of a bucket in order; only those at the given positions or in the given batches.

    Batches without a wanted page are not decompressed.
    """
    arrow = need_pyarrow()
    with _opened(path) as file:
        messages = arrow.ipc.MessageReader.open_stream(file)
        schema = arrow.ipc.read_schema(messages.read_next_message())
        wanted = repeat(True) if positions is None else _with_any(path, positions)
        for number, (message, is_wanted) in enumerate(zip(messages, wanted, strict=False)):
            if is_wanted and (batches is None or number in batches):
                yield from _pages(arrow.ipc.read_record_batch(message, schema), positions)


def _with_any(path: Path, positions: Collection[int]) -> Iterator[bool]:
    """Whether a batch has one of these positions, for each batch."""
    return (any(page.position in positions for page in batch) for batch in read_sizes(path))


def _pages(batch: Any, positions: Collection[int] | None) -> Iterator[StoredPage]:
    batch.validate(full=True)  # the file may be anybody's
    # All at once but for the bodies, which are large: a value at a time takes several times as long.
    for body, row in zip(batch.column("body"), batch.select(_HEAD).to_pylist(), strict=True):
        if positions is None or row["position"] in positions:
            yield _stored_page(row, body.as_py())


def _stored_page(row: dict[str, Any], body: bytes) -> StoredPage:
    headers = tuple((str(name), str(value)) for name, value in json.loads(row["headers"]))
    raw = RawPage(body, row["url"], row["name"], headers, row["fetched_at"])
    return StoredPage(row["site"], raw, row["position"], row["error"], row["cause"], row["size"])


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    arrow = need_pyarrow()
    try:
        with arrow.memory_map(str(path)) as file:
            yield file
    except MemoryError:
        raise  # Arrow's is one of its exceptions, too
    except (arrow.ArrowException, OSError) as error:
        cause = f"not a readable stream of pages ({error})"
        raise SourceUnreadable(str(path), cause, "start anew with --fresh") from error


# Pages that are named instead of sent: whoever cleans them reads them from the files of their bucket.

Place = tuple[int, int]
"""Number of the input, and index of the page in it. Sorts in the order of the pages."""
Parts = tuple[tuple[int, Path, int], ...]
"""The parts of a bucket: numbers of the inputs, files, and when these were written, which tells two batches apart."""


@dataclass(frozen=True, slots=True)
class PageInBucket:
    """A page of a bucket of bounded size."""

    parts: Parts
    place: Place
    label: str
    """Its name in messages."""

    def read(self) -> RawPage:
        """The page. The bucket is read when one of its pages is first asked for, and held until one of another is."""
        return _read_bucket(self.parts)[self.place]


@lru_cache(maxsize=1)
def _read_bucket(parts: Parts) -> Mapping[Place, RawPage]:
    return {(number, page.position): page.raw for number, path, _ in parts for page in read_stored(path)}
