"""Third phase: clean the pages of a slice one by one, with the models of their sites.

A slice is a task that can be repeated at any time: its output appears whole, with the same bytes, and is followed by a
marker.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.batch.batch_counts import BatchCount, Heartbeat, PageCount, SiteCount, task_died
from dehusk.batch.batch_files import (
    MODELS,
    cleaned_marker,
    cleaned_sites,
    output,
    part,
    progress,
    records,
    signatures,
)
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage, write_json, write_text
from dehusk.batch.bucket_tables import Place, StoredPage, need_pyarrow, read_stored
from dehusk.batch.learning_sites import HeldBucket, Slice, read_learnt_sites
from dehusk.batch.page_steps import CHUNKS, SIGNATURE, CleanPage, PageMade, Record, clean_page, page_worker
from dehusk.batch.signature_files import SignatureRows
from dehusk.errors import DehuskError, ModelError, OutputError
from dehusk.filtering.page_filters import Dropped
from dehusk.methods.model_files import read_model_file
from dehusk.outputs.block_json import json_text
from dehusk.outputs.chunks import CHUNK_FIELDS
from dehusk.outputs.page_records import FIELDS
from dehusk.sinks.line_sinks import open_jsonl
from dehusk.sinks.parquet_sink import open_parquet
from dehusk.sinks.sink import Write

RECORD_FIELDS: Final = ("site", *FIELDS, "error")
"""Columns of the output: those of other records, with the site whose model was used, and the error."""
_CHUNK_FIELDS: Final = ("site", *CHUNK_FIELDS, "problem", "error")
"""The same for chunks."""


@dataclass(frozen=True, slots=True)
class CleanSlice:
    """Task: clean these pages of a bucket."""

    bucket: int
    number: int
    pages: Slice
    out: str
    settings: BatchSettings
    clean: Callable[[CleanPage], Record | Dropped] = clean_page
    """A module-level function, as it is sent to other processes."""

    @property
    def size(self) -> int:
        """Bytes of pages."""
        return sum(some.size for some in self.pages)


@dataclass(frozen=True, slots=True)
class SliceCleaned:
    """Result of a `CleanSlice`."""

    bucket: int
    number: int
    count: BatchCount
    failure: str = ""
    """Why there is no output; the same command tries again."""


def clean_slice(task: CleanSlice, held: HeldBucket | None = None) -> SliceCleaned:
    """Write records, counts by site and, last, the marker.

    A bucket that is held is not read again, and pages of it that were cleaned already are only written.
    """
    begun = time.monotonic()
    storage = open_storage(task.out)
    with ExitStack() as opened:
        folder = opened.enter_context(storage.task_folder())
        cleaner = _Cleaner(task, storage, folder, held or HeldBucket(folder))
        compares = task.settings.filters.drop_duplicates
        name = (records if compares else output)(task.bucket, task.number, task.settings.format_name)
        file = opened.enter_context(storage.written(name))
        write = opened.enter_context(open_records(file, task.settings, is_last=not compares))
        for record in cleaner.records():
            write(record)
    if compares:
        with storage.written(signatures(task.bucket, task.number)) as file:
            cleaner.signatures.save(file)
    counted = (site for site in cleaner.sites.values() if site.pages)
    lines = "".join(json_text(asdict(site)) + "\n" for site in counted)
    write_text(storage, cleaned_sites(task.bucket, task.number), lines)
    cleaner.count.seconds = round(time.monotonic() - begun, 3)
    write_json(storage, cleaned_marker(task.bucket, task.number), asdict(cleaner.count))
    return SliceCleaned(task.bucket, task.number, cleaner.count)


@contextmanager
def open_records(file: Path, settings: BatchSettings, is_last: bool = True) -> Iterator[Write]:
    """A new file of records. In the last one, which is the output, a page with chunks is a line for each."""
    need_pyarrow()
    opened = open_parquet(file, RECORD_FIELDS) if settings.format_name == "parquet" else open_jsonl(file)
    with opened as write:
        if settings.chunk_options is None or not is_last:
            yield write
        else:
            yield lambda record: deque(map(write, _chunk_lines(record)), maxlen=0)


def _chunk_lines(record: Mapping[str, Any]) -> Iterator[Record]:
    """The chunks of a page; of one that could not be cleaned, a line without text that says why."""
    known = {"site": record["site"], "problem": record["problem"], "error": record["error"]}
    for chunk in record.get(CHUNKS) or ([record] if record["error"] else ()):
        yield {name: (chunk | known).get(name) for name in _CHUNK_FIELDS}


def give_up_slice(task: CleanSlice) -> SliceCleaned:
    """The result if `clean_slice` killed its process, which no page can do."""
    return SliceCleaned(task.bucket, task.number, BatchCount(), task_died(task.bucket))


class _Cleaner:
    """Cleans and counts the pages of a slice."""

    def __init__(self, task: CleanSlice, storage: Storage, folder: Path, held: HeldBucket) -> None:
        self._task, self._storage, self._folder, self._held = task, storage, folder, held
        self._worker = page_worker(task.settings.limits, task.settings.method)
        self.sites = read_learnt_sites(storage, task.bucket)
        self.count = BatchCount()
        self.signatures = SignatureRows()

    def records(self) -> Iterator[Record]:
        heartbeat = Heartbeat(self._storage, progress(self._task.bucket, self._task.number))
        row = 0
        for place, page in self._stored():
            site = self.sites.setdefault(page.site, SiteCount(page.site))
            record, counted = self._clean(place, page, site)
            self.count.add_page(counted, site)
            heartbeat.beat(self.count)
            if record is not None:
                self.signatures.add(record.pop(SIGNATURE, b""), row, counted)
                row += 1
                yield record

    def _stored(self) -> Iterator[tuple[Place, StoredPage]]:
        if self._held.pages:
            yield from self._held.pages.items()
            return
        for some in self._task.pages:
            path = self._storage.fetched(part(self._task.bucket, some.number), self._folder)
            for page in read_stored(path, batches=range(some.first, some.end)):
                yield (some.number, page.position), page

    def _clean(self, place: Place, page: StoredPage, site: SiteCount) -> tuple[Record | None, PageCount]:
        """The record of a page, None if it is left out, and its counts. A page that could not be read has its error."""
        raw = page.raw
        if page.error:
            return _failed(page, page.error, page.cause), PageCount(raw.full_label, 0, 0, 0.0, page.cause, page.error)
        made = self._held.made.get(place) or self._made(place, page, site)
        result = made.result
        if isinstance(result, DehuskError):
            if isinstance(result, ModelError):
                _check_model(self._model(site))
            error = str(result.about(raw.full_label) if result.subject == raw.label else result)
            counted = PageCount(raw.full_label, page.size, 0, made.seconds, result.kind, error)
            return _failed(page, error, result.kind), counted
        if isinstance(result, Dropped):
            return None, PageCount(raw.full_label, page.size, 0, made.seconds, dropped=result.reason)
        size_after = len(str(result["text"]).encode("utf-8", "replace"))
        counted = PageCount(raw.full_label, page.size, size_after, made.seconds, damage=_damage(result))
        kept = {name: result[name] for name in (SIGNATURE, CHUNKS) if name in result}
        return _in_order(result | {"site": page.site}) | kept, counted

    def _made(self, place: Place, page: StoredPage, site: SiteCount) -> PageMade:
        """What comes of a page that is cleaned alone."""
        begun = time.monotonic()
        sent = self._held.page(place) if self._held.pages else page.raw
        wanted = CleanPage(sent, self._task.settings.method, self._model(site), self._task.settings.wishes)
        result = self._worker.run(self._task.clean, wanted, page.raw.label)
        return PageMade(result, time.monotonic() - begun)

    def _model(self, site: SiteCount) -> str:
        return str(self._storage.fetched(f"{MODELS}/{site.model}", self._folder)) if site.model else ""


def _damage(record: Record) -> tuple[float, str]:
    share = record["damage"]
    return (share if isinstance(share, float) else 0.0, str(record["encoding"]))


def _check_model(path: str) -> None:
    """Raise if the model is missing or damaged: the next run learns it again."""
    try:
        read_model_file(path)
    except ModelError as error:
        remedy = "delete that file if it is there, and run the same command again"
        raise OutputError(path, error.cause, remedy) from error


def _failed(page: StoredPage, error: str, kind: str) -> Record:
    """The record of a page that could not be cleaned; `problem` is the kind of the error."""
    known = {"name": page.raw.name, "url": page.raw.url, "site": page.site, "problem": kind, "error": error}
    return dict.fromkeys(RECORD_FIELDS) | {"authors": [], "categories": [], "tags": []} | known


def _in_order(values: Mapping[str, object]) -> Record:
    return {name: values.get(name) for name in RECORD_FIELDS}
