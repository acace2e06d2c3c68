"""Fourth phase, if duplicates are dropped: find pages of any site whose texts are nearly the same.

Signatures are compared band by band (see `text_signatures`), and a large batch in several shards of keys: each task
reads all signature files, some rows at a time, and holds 16 bytes for each page of its shard. It proposes each page to
the first page with the same band and to the one before it, compares these signatures, and writes the pairs that are
near. So memory does not grow with the number of pages, but for 16 bytes a pair when pairs are put together.

Of pages that are near, the first stays: by bucket, slice and position, which is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.batch.batch_files import duplicates, pairs, signatures
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage
from dehusk.batch.signature_files import read_rows, row_count, rows_at
from dehusk.filtering.text_signatures import HASHES, band_keys, band_rows
from dehusk.page.stable_hashing import Keys

MOST_KEYS: Final = 8_000_000
"""Pages that one task compares by one band: 128 MB of keys and numbers."""
_TOGETHER: Final = 20_000
"""Pairs whose signatures are compared at a time: 20 MB."""

SliceKey = tuple[int, int]
Numbers = NDArray[np.int64]
Pairs = NDArray[np.int64]
"""int64, n x 2: the later page, and an earlier one that it is near to. Pages are numbered through all slices."""


@dataclass(frozen=True, slots=True)
class CompareBand:
    """Task: compare all pages by one band, those whose keys are in this shard."""

    band: int
    shard: int
    shards: int
    slices: tuple[SliceKey, ...]
    out: str
    settings: BatchSettings


@dataclass(frozen=True, slots=True)
class BandCompared:
    """Result of a `CompareBand`."""

    band: int
    shard: int
    failure: str = ""
    """Why there is no result; the same command tries again."""


def comparing_tasks(
    storage: Storage, slices: Sequence[SliceKey], settings: BatchSettings, folder: Path
) -> list[CompareBand]:
    """The tasks that together compare all pages."""
    pages = sum(row_count(storage.fetched(signatures(*key), folder)) for key in slices)
    shards = max(1, -(-pages // MOST_KEYS))
    bands = HASHES // band_rows(settings.filters.similarity)
    return [
        CompareBand(band, shard, shards, tuple(slices), storage.address, settings)
        for band in range(bands)
        for shard in range(shards)
    ]


def compare_band(task: CompareBand) -> BandCompared:
    """Write the pairs of pages that are near."""
    storage = open_storage(task.out)
    with storage.task_folder() as folder:
        files = [storage.fetched(signatures(*key), folder) for key in task.slices]
        keys, numbers = _keys_of_shard(task, files)
        later, earlier = _proposals(keys, numbers)
        near = np.concatenate([*_near_pairs(files, later, earlier, task.settings.filters.similarity), _no_pairs()])
        with storage.written(pairs(task.band, task.shard)) as file:
            file.write_bytes(near.tobytes())
    return BandCompared(task.band, task.shard)


def give_up_comparing(task: CompareBand) -> BandCompared:
    """The result if `compare_band` killed its process."""
    cause = "the process that compared pages died, perhaps out of memory: run the same command again"
    return BandCompared(task.band, task.shard, cause)


def _keys_of_shard(task: CompareBand, files: Sequence[Path]) -> tuple[Keys, Numbers]:
    """Keys of the band and numbers of the pages, of those in the shard."""
    rows = band_rows(task.settings.filters.similarity)
    keys, numbers, first = [np.zeros(0, dtype=np.uint64)], [np.zeros(0, dtype=np.int64)], 0
    for file in files:
        for table in read_rows(file):
            own = band_keys(table["signature"][:, task.band * rows : (task.band + 1) * rows], rows)[:, 0]
            chosen = np.flatnonzero(own % np.uint64(task.shards) == task.shard)
            keys.append(own[chosen])
            numbers.append(chosen + first)
            first += len(table)
    return np.concatenate(keys), np.concatenate(numbers)


def _proposals(keys: Keys, numbers: Numbers) -> tuple[Numbers, Numbers]:
    """Later and earlier pages with the same key: each page with the first of them, and with the one before it."""
    order = np.argsort(keys, kind="stable")  # stable: pages with a key stay in their order
    keys, numbers = keys[order], numbers[order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    start = np.maximum.accumulate(np.where(is_first, np.arange(len(keys)), 0))
    entry = np.flatnonzero(~is_first)
    far = entry[start[entry] < entry - 1]
    later = np.concatenate([numbers[entry], numbers[far]])
    return later, np.concatenate([numbers[entry - 1], numbers[start[far]]])


def _near_pairs(files: Sequence[Path], later: Numbers, earlier: Numbers, similarity: float) -> Iterator[Pairs]:
    starts = np.cumsum([0, *map(row_count, files)])
    for begin in range(0, len(later), _TOGETHER):
        one, other = later[begin : begin + _TOGETHER], earlier[begin : begin + _TOGETHER]
        equal = _signatures_at(files, starts, one) == _signatures_at(files, starts, other)
        near = equal.mean(axis=1) >= similarity
        yield np.stack([one[near], other[near]], axis=1)


def _signatures_at(files: Sequence[Path], starts: Numbers, numbers: Numbers) -> NDArray[np.uint32]:
    """uint32, n x HASHES: the signatures of these pages."""
    wanted, back = np.unique(numbers, return_inverse=True)
    ends = np.searchsorted(wanted, starts)
    parts = [
        rows_at(file, wanted[begin:end] - start)["signature"]
        for file, start, begin, end in zip(files, starts[:-1], ends[:-1], ends[1:], strict=True)
        if end > begin
    ]
    return np.asarray(np.concatenate(parts)[back])


def _no_pairs() -> Pairs:
    return np.zeros((0, 2), dtype=np.int64)


# Putting the pairs together.


def write_duplicates(storage: Storage, tasks: Iterable[CompareBand], slices: Sequence[SliceKey], folder: Path) -> None:
    """For each slice, write the records to leave out: those of pages near an earlier page that stays."""
    found = _no_pairs()
    for task in tasks:
        content = storage.read(pairs(task.band, task.shard)) or b""
        # Bands find the same pairs again: each counts once, and memory holds no more than all different ones.
        found = np.unique(np.concatenate([found, np.frombuffer(content, dtype=np.int64).reshape(-1, 2)]), axis=0)
    dropped = _dropped(found)
    first = 0
    for key in slices:
        file = storage.fetched(signatures(*key), folder)
        end = first + row_count(file)
        own = dropped[np.searchsorted(dropped, first) : np.searchsorted(dropped, end)] - first
        with storage.written(duplicates(*key)) as target:
            target.write_bytes(own.tobytes())
        first = end


def _dropped(near: Pairs) -> Numbers:
    """int64, sorted: the pages to drop; pairs are sorted by their later page."""
    dropped: set[int] = set()
    for later, earlier in near.tolist():
        if later not in dropped and earlier not in dropped:
            dropped.add(later)
    return np.array(sorted(dropped), dtype=np.int64)
