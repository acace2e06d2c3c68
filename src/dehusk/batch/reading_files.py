"""Files of many pages, read in a process of their own: a file that takes too much memory takes nobody with it.

Readers keep to `Limits`, but libraries in native code decide what a damaged or hostile file makes them allocate. So it
is a `Worker` that reads, under the limits of a page, and hands over some pages at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from dehusk.batch.bucket_tables import StoredPage, holds_stored, need_pyarrow, read_stored
from dehusk.errors import DehuskError
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage
from dehusk.sources.remote import is_remote, local_copy
from dehusk.sources.source_opening import find_reader, read_source_file
from dehusk.workers.guard import guarded
from dehusk.workers.worker_process import Worker, WorkerLimits

Item: TypeAlias = StoredPage | RawPage | DehuskError
"""A page of another batch's bucket, of which all is known already; a page; or why there is none."""

_TOGETHER: Final = 1_000_000
"""Bytes of pages that are handed over at a time, about."""
_SECONDS: Final = 3600.0
"""Until the next pages are there. An archive may hold gigabytes that are no pages, but not for an hour."""


@dataclass(frozen=True, slots=True)
class _ReadOn:
    """Read this file on from the item of that number, until there are so many bytes."""

    file: PageFile
    start: int
    most_bytes: int


@dataclass(frozen=True, slots=True)
class _Read:
    items: tuple[Item, ...]
    is_end: bool


class _Reading:
    """Where a process that reads stands."""

    def __init__(self) -> None:
        self._file: PageFile | None = None
        self._start = 0
        self._items: Iterator[Item] = iter(())

    def read_on(self, task: _ReadOn) -> _Read:
        if (task.file, task.start) != (self._file, self._start):  # a new file, or this process is new
            self._items = islice(_items(task.file), task.start, None)
        self._file = None  # unless it comes to the end of this
        gathered: list[Item] = []
        size, is_end = 0, True
        for item in self._items:
            gathered.append(item)
            size += _size(item)
            if size >= task.most_bytes:
                is_end = False
                break
        self._file, self._start = task.file, task.start + len(gathered)
        return _Read(tuple(gathered), is_end)


_reading = _Reading()


def open_reader(limits: WorkerLimits) -> Worker:
    """A process that reads files; it starts with the first that needs it."""
    return Worker(limits, need_pyarrow)


def read_items(file: PageFile, reader: Worker) -> Iterator[Item]:
    """The pages of a file, with errors where they stand in it. One that nobody thought of is the last."""
    return _items_apart(file, reader) if find_reader(file.path) and not file.refusal else _items_here(file)


def _items_here(file: PageFile) -> Iterator[Item]:
    """Of a file that is a page itself, which is read in no more bytes than `Limits` allow."""
    items = _items(file)
    while (item := guarded(_next, items, file.path)) is not None:
        yield item


def _next(items: Iterator[Item]) -> Item | None:
    return next(items, None)


def _items_apart(file: PageFile, reader: Worker) -> Iterator[Item]:
    start, most_bytes = 0, _TOGETHER
    while True:
        read = reader.run(_read_on, _ReadOn(file, start, most_bytes), file.path, _SECONDS)
        if isinstance(read, _Read):
            yield from read.items
            start += len(read.items)
            if read.is_end:
                return
        elif most_bytes > 1:
            most_bytes = 1  # one by one, so that those before the fault are not lost with it
        else:
            yield read
            return


def _read_on(task: _ReadOn) -> _Read:
    return _reading.read_on(task)


def _items(file: PageFile) -> Iterator[Item]:
    with ExitStack() as opened:
        if file.path.endswith(".parquet") and not file.refusal:
            copy = opened.enter_context(local_copy(file.path)) if is_remote(file.path) else Path(file.path)
            if holds_stored(copy):
                yield from read_stored(copy)
                return
    yield from read_source_file(file)


def _size(item: Item) -> int:
    """At least one byte, so that items can be asked for one by one."""
    raw = item.raw if isinstance(item, StoredPage) else item
    return 1 + (len(raw.body) if isinstance(raw, RawPage) else 0)
