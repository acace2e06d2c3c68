"""Read archives and tables in a separate process, so that one that needs too much memory harms nothing else.

Readers keep to `Limits`, but native libraries may allocate whatever a damaged or hostile file makes them. So a `Worker`
reads, under the limits of a page, and hands over a few pages at a time. It is the process that later cleans pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from dehusk.batch.batch_files import PART_SUFFIX
from dehusk.batch.batch_settings import DEFAULT_SOURCE
from dehusk.batch.bucket_tables import StoredPage, holds_stored, read_stored
from dehusk.errors import DehuskError, SourceUnreadable
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage
from dehusk.sources.remote import is_remote, local_copy
from dehusk.sources.source_opening import find_reader, read_source_file
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.guard import guarded
from dehusk.workers.worker_process import Worker

Item: TypeAlias = StoredPage | RawPage | DehuskError
"""A page from a bucket of another batch; any other page; or an error."""

_TOGETHER: Final = 200_000
"""Bytes of pages handed over at a time, roughly. Pieces of a megabyte take three times as long to receive: memory of
that size is taken from the system anew each time."""
_SECONDS: Final = 3600.0
"""Time limit for the next pages. An archive may have gigabytes without a page, but they do not take an hour."""


@dataclass(frozen=True, slots=True)
class _ReadOn:
    """Task: read this file from the item at index `start`, until there are so many bytes."""

    file: PageFile
    start: int
    most_bytes: int
    options: SourceOptions


@dataclass(frozen=True, slots=True)
class _Read:
    items: tuple[Item, ...]
    is_end: bool


class _Reading:
    """The position of the reading process."""

    def __init__(self) -> None:
        self._file: PageFile | None = None
        self._start = 0
        self._items: Iterator[Item] = iter(())

    def read_on(self, task: _ReadOn) -> _Read:
        if (task.file, task.start) != (self._file, self._start):  # a new file, or a new process
            self._items = islice(_items(task.file, task.options), task.start, None)
        self._file = None  # in case of an exception
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


def read_items(file: PageFile, worker: Worker, options: SourceOptions = DEFAULT_SOURCE) -> Iterator[Item]:
    """The pages and errors of a file, in order. An unexpected error ends the file."""
    is_apart = (find_reader(file.path) or _is_part(file)) and not file.refusal
    return _items_apart(file, worker, options) if is_apart else _items_here(file)


def _items_here(file: PageFile) -> Iterator[Item]:
    """Read a file that is itself a page, within `Limits`."""
    items = _items(file, DEFAULT_SOURCE)
    while (item := guarded(_next, items, file.path)) is not None:
        yield item


def _next(items: Iterator[Item]) -> Item | None:
    return next(items, None)


def _items_apart(file: PageFile, worker: Worker, options: SourceOptions) -> Iterator[Item]:
    start, most_bytes = 0, _TOGETHER
    while True:
        read = worker.run(_read_on, _ReadOn(file, start, most_bytes, options), file.path, _SECONDS)
        if isinstance(read, _Read):
            yield from read.items
            start += len(read.items)
            if read.is_end:
                return
        elif most_bytes > 1:
            most_bytes = 1  # one by one, so that the items before the fault are not lost
        else:
            yield read
            return


def _read_on(task: _ReadOn) -> _Read:
    return _reading.read_on(task)


def _items(file: PageFile, options: SourceOptions) -> Iterator[Item]:
    if file.refusal or not _is_part(file):
        yield from read_source_file(file, options)
        return
    with local_copy(file.path) if is_remote(file.path) else nullcontext(Path(file.path)) as copy:
        if holds_stored(copy):
            yield from read_stored(copy)
        else:
            yield SourceUnreadable(file.path, "holds no pages that a batch sorted", "leave it out")


def _is_part(file: PageFile) -> bool:
    return file.path.endswith(PART_SUFFIX)


def _size(item: Item) -> int:
    """At least 1, so that items can be read one by one."""
    raw = item.raw if isinstance(item, StoredPage) else item
    return 1 + (len(raw.body) if isinstance(raw, RawPage) else 0)
