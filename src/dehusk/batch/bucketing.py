"""First phase: sort pages into buckets, so that the pages of a site are together.

Each task reads some files and writes one part per bucket. It can be repeated at any time: parts appear whole,
with the same bytes, and a marker is written when all of them are there.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Self

from dehusk.batch.batch_files import bucket_of, bucketed_marker, part
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage, read_json, refusals, write_json
from dehusk.batch.bucket_tables import GATHERED_BYTES, StoredPage, open_stream, page_table
from dehusk.batch.page_steps import page_worker
from dehusk.batch.reading_files import read_items
from dehusk.errors import DehuskError, OutputError
from dehusk.page.characters import encodable
from dehusk.page.page_reading import read_page
from dehusk.sites.site_of import host_of, site_of
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.worker_process import Worker, WorkerDied

_HEAD_BYTES: Final = 100_000
"""Bytes of a page without a URL that are searched for a declared one. Few heads are longer."""

_LONGEST_HOST: Final = 253
"""Characters of a host name, by the domain name system."""


@dataclass(frozen=True, slots=True)
class BucketInput:
    """Task: sort the pages of these files into buckets."""

    number: int
    files: tuple[PageFile, ...]
    out: str
    settings: BatchSettings


@dataclass(frozen=True, slots=True)
class InputBucketed:
    """Result of a `BucketInput`."""

    number: int
    pages: int
    failed: int
    size: int
    buckets: tuple[int, ...]
    """Buckets that received pages."""


def bucket_input(task: BucketInput) -> InputBucketed:
    """Read pages, find their sites, and write them. A page that cannot be read becomes a row with an error."""
    return _write_parts(task, _pages(task, page_worker(task.settings.limits, task.settings.method)))


def give_up_input(task: BucketInput) -> InputBucketed:
    """The result if `bucket_input` killed its process: a row with an error for every file."""
    errors = (_unread(file, WorkerDied(file.path, "the process that read it died")) for file in task.files)
    return _write_parts(task, (replace(page, position=number) for number, page in enumerate(errors)))


def bucketed_before(storage: Storage, number: int) -> InputBucketed | None:
    """The result of an earlier run, if any."""
    marker = read_json(storage, bucketed_marker(number))
    return None if marker is None else InputBucketed(**{**marker, "buckets": tuple(marker["buckets"])})


def _pages(task: BucketInput, worker: Worker) -> Iterator[StoredPage]:
    stored = (page for file in task.files for page in _pages_of(file, worker, task.settings.source))
    for position, page in enumerate(stored):
        yield replace(page, position=position)


def _pages_of(file: PageFile, worker: Worker, options: SourceOptions) -> Iterator[StoredPage]:
    for found in read_items(file, worker, options):
        if isinstance(found, OutputError):
            raise found  # a fault of this machine, not of the page: the next run will read it
        if isinstance(found, DehuskError):
            yield _unread(file, found)
        elif isinstance(found, StoredPage):
            yield found
        else:
            yield StoredPage(_site(found, worker) or _named_folder(file), found)


def _unread(file: PageFile, error: DehuskError) -> StoredPage:
    raw = RawPage(b"", name=error.subject or file.path)
    return StoredPage(_named_folder(file), raw, error=str(error), cause=error.kind)


def _site(raw: RawPage, worker: Worker) -> str:
    """The host of its URL, or of the URL declared in its head."""
    found: str | DehuskError = host_of(raw.url)
    if not found:
        found = worker.run(_declared_site, replace(raw, body=raw.body[:_HEAD_BYTES], url=""), raw.label)
    return "" if isinstance(found, DehuskError) or len(found) > _LONGEST_HOST else encodable(found)


def _declared_site(raw: RawPage) -> str:
    return site_of(read_page(raw))


def _named_folder(file: PageFile) -> str:
    """The folder the user named: pages in it without a URL count as one site."""
    return encodable(file.path.removesuffix(file.relative).rstrip(os.sep)) or "."


def _write_parts(task: BucketInput, pages: Iterator[StoredPage]) -> InputBucketed:
    storage = open_storage(task.out)
    count = failed = size = 0
    with storage.task_folder() as folder, PagesByBucket(folder, GATHERED_BYTES) as sorted_pages:
        for page in pages:
            sorted_pages.add(bucket_of(page.site, task.settings.buckets, task.settings.seed), page)
            count, failed, size = count + 1, failed + bool(page.error), size + len(page.raw.body)
        streams = sorted_pages.finished()
        for bucket, stream in streams.items():
            with storage.written(part(bucket, task.number)) as file:
                shutil.move(stream, file)
    result = InputBucketed(task.number, count, failed, size, tuple(streams))
    write_json(storage, bucketed_marker(task.number), asdict(result))
    return result


class PagesByBucket:
    """Writes pages to a stream for each bucket, in their order; holds at most `most_bytes` of them in memory."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._pages: defaultdict[int, list[StoredPage]] = defaultdict(list)
        self._streams: dict[int, _Stream] = {}
        self._gathered = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for stream in self._streams.values():
            stream.file.close()

    def add(self, bucket: int, page: StoredPage) -> None:
        """The page of a bucket that follows those before it."""
        self._pages[bucket].append(page)
        self._gathered += len(page.raw.body)
        if self._gathered > self._most_bytes:
            self._write()

    def finished(self) -> dict[int, Path]:
        """The files of the buckets, sorted by these; nothing can be added to them."""
        self._write()
        for stream in self._streams.values():
            with refusals(stream.path):
                stream.writer.close()
                stream.file.close()
        return {bucket: self._streams[bucket].path for bucket in sorted(self._streams)}

    def _write(self) -> None:
        for bucket, pages in self._pages.items():
            path = self._folder / f"{bucket:05}"
            with refusals(path):
                if bucket not in self._streams:
                    self._streams[bucket] = _Stream(path)
                self._streams[bucket].writer.write_table(page_table(pages))
        self._pages.clear()
        self._gathered = 0


class _Stream:
    """A file that a bucket's pages are written to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = open(path, "wb")  # noqa: SIM115 - open until all pages are sorted
        self.writer = open_stream(self.file)
