"""First phase: pages of one site come together, whichever inputs they are in.

Each task reads some files and writes one Parquet part a bucket. It can be run again at any time: parts appear whole,
with the same bytes, and a marker says when all of them are there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from dehusk.batch.batch_files import bucket_of, bucketed_marker, part
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage, read_json, write_json
from dehusk.batch.bucket_tables import (
    GROUP_BYTES,
    StoredPage,
    need_pyarrow,
    open_table,
    page_schema,
)
from dehusk.batch.causes import cause_of
from dehusk.batch.page_steps import page_worker
from dehusk.batch.reading_files import open_reader, read_items
from dehusk.batch.spilling import PagesByBucket
from dehusk.errors import DehuskError, OutputError
from dehusk.page.characters import encodable
from dehusk.page.page_reading import read_page
from dehusk.sites.site_of import host_of, site_of
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage
from dehusk.workers.worker_process import Worker, WorkerDied

_HEAD_BYTES: Final = 100_000
"""Of a page without address, where it may say which it has: in its head, which few pages have more of."""

_LONGEST_HOST: Final = 253
"""Characters of a name in the domain name system; what is longer is none."""


@dataclass(frozen=True, slots=True)
class BucketInput:
    """Put the pages of these files into buckets."""

    number: int
    files: tuple[PageFile, ...]
    out: str
    settings: BatchSettings


@dataclass(frozen=True, slots=True)
class InputBucketed:
    """What became of them."""

    number: int
    pages: int
    failed: int
    size: int
    buckets: tuple[int, ...]
    """Those that got something."""


def bucket_input(task: BucketInput) -> InputBucketed:
    """Read, find the site of each page, and write. What cannot be read is a row with an error."""
    with open_reader(task.settings.limits) as reader:
        return _write_parts(task, _pages(task, page_worker(task.settings.limits, task.settings.method), reader))


def give_up_input(task: BucketInput) -> InputBucketed:
    """In place of `bucket_input` if that killed its process: a row with an error for every file."""
    errors = (_unread(file, WorkerDied(file.path, "the process that read it died")) for file in task.files)
    return _write_parts(task, (replace(page, position=number) for number, page in enumerate(errors)))


def bucketed_before(storage: Storage, number: int) -> InputBucketed | None:
    """What an earlier run left."""
    marker = read_json(storage, bucketed_marker(number))
    return None if marker is None else InputBucketed(**{**marker, "buckets": tuple(marker["buckets"])})


def _pages(task: BucketInput, worker: Worker, reader: Worker) -> Iterator[StoredPage]:
    stored = (page for file in task.files for page in _pages_of(file, worker, reader))
    for position, page in enumerate(stored):
        yield replace(page, position=position)


def _pages_of(file: PageFile, worker: Worker, reader: Worker) -> Iterator[StoredPage]:
    for found in read_items(file, reader):
        if isinstance(found, OutputError):
            raise found  # this machine is at fault, not the page: the next run will read it
        if isinstance(found, DehuskError):
            yield _unread(file, found)
        elif isinstance(found, StoredPage):
            yield found
        else:
            yield StoredPage(_site(found, worker) or _named_folder(file), found)


def _unread(file: PageFile, error: DehuskError) -> StoredPage:
    raw = RawPage(b"", name=error.subject or file.path)
    return StoredPage(_named_folder(file), raw, error=str(error), cause=cause_of(error))


def _site(raw: RawPage, worker: Worker) -> str:
    """By its address; if there is none, by what its head says."""
    found: str | DehuskError = host_of(raw.url)
    if not found:
        found = worker.run(_declared_site, replace(raw, body=raw.body[:_HEAD_BYTES], url=""), raw.label)
    return "" if isinstance(found, DehuskError) or len(found) > _LONGEST_HOST else encodable(found)


def _declared_site(raw: RawPage) -> str:
    return site_of(read_page(raw))


def _named_folder(file: PageFile) -> str:
    """What the user named: pages that do not say where they are from are taken for one site."""
    return encodable(file.path.removesuffix(file.relative).rstrip(os.sep)) or "."


def _write_parts(task: BucketInput, pages: Iterator[StoredPage]) -> InputBucketed:
    storage = open_storage(task.out)
    count = failed = size = 0
    with PagesByBucket(storage.scratch(), GROUP_BYTES) as sorted_pages:
        for page in pages:
            sorted_pages.add(bucket_of(page.site, task.settings.buckets, task.settings.seed), page)
            count, failed, size = count + 1, failed + bool(page.error), size + len(page.raw.body)
        buckets = sorted_pages.buckets
        for bucket in buckets:
            with storage.written(part(bucket, task.number)) as temporary:
                _write_part(temporary, sorted_pages.tables(bucket))
    result = InputBucketed(task.number, count, failed, size, buckets)
    write_json(storage, bucketed_marker(task.number), asdict(result))
    return result


def _write_part(path: Path, tables: Iterator[Any]) -> None:
    """Tables that follow each other are one group of rows, until it has its size."""
    concat_tables = need_pyarrow().concat_tables
    with open_table(path, page_schema()) as write_group:
        together, gathered = [], 0
        for table in tables:
            together.append(table)
            gathered += table.nbytes
            if gathered > GROUP_BYTES:
                write_group(concat_tables(together))
                together, gathered = [], 0
        if together:
            write_group(concat_tables(together))
