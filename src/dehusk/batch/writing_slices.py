"""Fifth phase, if duplicates are dropped: copy the records of a slice to the output, without those of duplicates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.batch.batch_counts import BatchCount, SiteCount, task_died
from dehusk.batch.batch_files import (
    cleaned_marker,
    cleaned_sites,
    duplicates,
    output,
    records,
    signatures,
    written_marker,
    written_sites,
)
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, needed_json, open_storage, write_json, write_text
from dehusk.batch.bucket_tables import need_pyarrow
from dehusk.batch.cleaning_slices import RECORD_FIELDS, open_records
from dehusk.batch.signature_files import SignatureTable, rows_at
from dehusk.errors import OutputError
from dehusk.filtering.page_filters import DUPLICATES
from dehusk.outputs.block_json import json_text


@dataclass(frozen=True, slots=True)
class WriteSlice:
    """Task: write the records of a slice that stay."""

    bucket: int
    number: int
    out: str
    settings: BatchSettings


@dataclass(frozen=True, slots=True)
class SliceWritten:
    """Result of a `WriteSlice`."""

    bucket: int
    number: int
    failure: str = ""
    """Why there is no output; the same command tries again."""


def write_slice(task: WriteSlice) -> SliceWritten:
    """Write the records, the counts by site without duplicates and, last, the marker."""
    storage, key, format_name = open_storage(task.out), (task.bucket, task.number), task.settings.format_name
    count = BatchCount(**needed_json(storage, cleaned_marker(*key)))
    sites = {site.site: site for site in read_sites(storage, cleaned_sites(*key))}
    with ExitStack() as opened:
        folder = opened.enter_context(storage.task_folder())
        dropped = {int(row["record"]): row for row in _dropped_rows(storage, key, folder)}
        write = opened.enter_context(
            open_records(opened.enter_context(storage.written(output(*key, format_name))), task.settings)
        )
        for number, record in enumerate(_read_records(storage.fetched(records(*key, format_name), folder))):
            if number in dropped:
                _take_off(dropped[number], count, sites[str(record["site"])])
            else:
                write(record)
    write_text(storage, written_sites(*key), "".join(json_text(asdict(site)) + "\n" for site in sites.values()))
    write_json(storage, written_marker(*key), asdict(count))
    return SliceWritten(*key)


def give_up_writing(task: WriteSlice) -> SliceWritten:
    """The result if `write_slice` killed its process."""
    return SliceWritten(task.bucket, task.number, task_died(task.bucket))


def read_sites(storage: Storage, name: str) -> Iterator[SiteCount]:
    """The counts of sites in a file."""
    for line in (storage.read(name) or b"").splitlines():
        yield SiteCount(**json.loads(line))


def _take_off(row: Any, count: BatchCount, site: SiteCount) -> None:
    """Count a page as dropped that was counted as written."""
    count.drop(DUPLICATES, site)
    for counted in (count, site):
        counted.size_before -= int(row["size_before"])
        counted.size_after -= int(row["size_after"])


def _dropped_rows(storage: Storage, key: tuple[int, int], folder: Path) -> SignatureTable:
    content = storage.read(duplicates(*key))
    if content is None:
        name = f"{storage.address}/{duplicates(*key)}"
        raise OutputError(name, "was removed while the batch was running", "run the same command again")
    return rows_at(storage.fetched(signatures(*key), folder), np.frombuffer(content, dtype=np.int64))


def _read_records(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".parquet":
        with need_pyarrow().parquet.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                for batch in file.read_row_group(group, columns=list(RECORD_FIELDS)).to_batches(max_chunksize=256):
                    yield from batch.to_pylist()
        return
    with path.open("rb") as stream:
        yield from map(json.loads, stream)
