"""Second phase: learn the sites of a bucket, and cut it into slices to clean.

A bucket is a task that needs nothing but its parts, and can be run again at any time: what it leaves appears whole,
with the same bytes, and a marker says when all is there. The bucket is read twice, never as a whole: sizes, to choose
which pages to learn from, and these pages, as many as memory allows at a time.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from dehusk.batch.batch_counts import SiteCount
from dehusk.batch.batch_files import bucket_folder, learnt_marker, learnt_sites, model
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage, read_json, write_json, write_text
from dehusk.batch.bucket_tables import read_group_sizes, read_stored
from dehusk.batch.causes import task_died
from dehusk.batch.page_steps import LearnSite, SiteLearnt, learn_site, page_worker, try_site
from dehusk.batch.site_sampling import Place, SiteSample, choose_samples, take_turns
from dehusk.cleaning import find_method
from dehusk.errors import DehuskError, OutputError
from dehusk.outputs.block_json import json_text
from dehusk.sources.raw_page import RawPage
from dehusk.workers.worker_process import Worker

_LEARNING_SECONDS: Final = 1.0
"""Allowed for each page learnt, on top of the time of a page; usual are hundredths."""


@dataclass(frozen=True, slots=True)
class LearnBucket:
    """Learn the sites of this bucket."""

    bucket: int
    out: str
    settings: BatchSettings


@dataclass(frozen=True, slots=True)
class PartSlice:
    """Some groups of rows of one part."""

    number: int
    """Of the input that the part is of."""
    first: int
    end: int
    size: int
    """Bytes of pages."""


Slice = tuple[PartSlice, ...]


@dataclass(frozen=True, slots=True)
class BucketLearnt:
    """What became of it."""

    bucket: int
    sites: int = 0
    learnt: int = 0
    slices: tuple[Slice, ...] = ()
    """Of about the same size, and in order all of the bucket."""
    failure: str = ""
    """Why nothing is learnt; the same command tries again."""


def learn_bucket(task: LearnBucket) -> BucketLearnt:
    """Write models, a line for each site that was to be learnt and, last, the marker."""
    storage = open_storage(task.out)
    with storage.task_folder() as copies:
        names = storage.names(bucket_folder(task.bucket))
        parts = [(int(Path(name).stem), storage.fetched(name, copies)) for name in names]
        samples = choose_samples(parts, task.settings)
        counts = list(_learn_sites(task.settings, storage, parts, samples.values(), copies))
        write_text(storage, learnt_sites(task.bucket), "".join(json_text(asdict(count)) + "\n" for count in counts))
        learnt = sum(bool(count.model) for count in counts)
        slices = tuple(cut_into_slices(parts, task.settings.slice_bytes))
    result = BucketLearnt(task.bucket, len(samples), learnt, slices)
    write_json(storage, learnt_marker(task.bucket), asdict(result))
    return result


def give_up_learning(task: LearnBucket) -> BucketLearnt:
    """In place of `learn_bucket` if that killed its process, which no page can do."""
    return BucketLearnt(task.bucket, failure=task_died(task.bucket))


def learnt_before(storage: Storage, bucket: int) -> BucketLearnt | None:
    """What an earlier run left."""
    marker = read_json(storage, learnt_marker(bucket))
    if marker is None:
        return None
    slices = tuple(tuple(PartSlice(**part) for part in slice_) for slice_ in marker["slices"])
    return BucketLearnt(**{**marker, "slices": slices})


def read_learnt_sites(storage: Storage, bucket: int) -> dict[str, SiteCount]:
    """What was learnt of the sites of a bucket that have enough pages; nothing is counted yet."""
    lines = (storage.read(learnt_sites(bucket)) or b"").splitlines()
    return {count.site: count for count in (SiteCount(**json.loads(line)) for line in lines)}


def cut_into_slices(parts: Iterable[tuple[int, Path]], most_bytes: int) -> Iterator[Slice]:
    """Runs of groups of rows. The model of a site serves all slices that its pages are in."""
    gathered: list[PartSlice] = []
    size = 0
    for number, path in parts:
        first = 0
        sizes = read_group_sizes(path)
        for group, group_size in enumerate(sizes):
            if (gathered or group > first) and size + group_size > most_bytes:
                yield (*gathered, *_some(number, sizes, first, group))
                gathered, size, first = [], 0, group
            size += group_size
        gathered += _some(number, sizes, first, len(sizes))
    if gathered:
        yield tuple(gathered)


def _some(number: int, sizes: Sequence[int], first: int, end: int) -> list[PartSlice]:
    return [PartSlice(number, first, end, sum(sizes[first:end]))] if end > first else []


def _learn_sites(
    settings: BatchSettings,
    storage: Storage,
    parts: list[tuple[int, Path]],
    samples: Iterable[SiteSample],
    folder: Path,
) -> Iterator[SiteCount]:
    to_learn = [sample for sample in samples if sample.places]
    if not to_learn or not find_method(settings.method).learns:
        return
    for together in take_turns(to_learn, settings.sample_bytes):
        pages = _gather(parts, together)
        for sample in together:
            raws = tuple(pages[place] for place in sample.places)
            target = folder / "learnt.dehusk"
            wanted = LearnSite(sample.site, raws, settings.method, settings.least_pages, str(target))
            learnt = learn_in(page_worker(settings.limits, settings.method), wanted, settings)
            yield _kept(storage, sample, learnt, target)


def _kept(storage: Storage, sample: SiteSample, learnt: SiteLearnt | DehuskError, learnt_file: Path) -> SiteCount:
    name, count = model(sample.site), SiteCount(sample.site, sampled=len(sample.places))
    if isinstance(learnt, OutputError):
        raise learnt
    if isinstance(learnt, DehuskError):
        count.learning_failed = str(learnt)
    else:
        count.different = learnt.different
    if isinstance(learnt, SiteLearnt) and learnt.has_model:
        with storage.written(name) as file:
            shutil.move(learnt_file, file)
        count.model = name.rpartition("/")[2]
    else:
        storage.remove(name)  # of an earlier run that had more time
    return count


def _gather(parts: Iterable[tuple[int, Path]], samples: Iterable[SiteSample]) -> dict[Place, RawPage]:
    wanted: dict[int, set[int]] = {}
    for sample in samples:
        for number, position in sample.places:
            wanted.setdefault(number, set()).add(position)
    return {
        (number, page.position): page.raw
        for number, path in parts
        if number in wanted
        for page in read_stored(path, wanted[number])
    }


def learn_in(worker: Worker, wanted: LearnSite, settings: BatchSettings) -> SiteLearnt | DehuskError:
    """All pages at once; if that fails and the disk is not to blame, those that fail alone are left out."""
    most = settings.limits.seconds + _LEARNING_SECONDS * len(wanted.pages)
    learnt = worker.run(learn_site, wanted, wanted.site, most)
    if isinstance(learnt, SiteLearnt | OutputError):
        return learnt
    alone = (replace(wanted, pages=(raw,)) for raw in wanted.pages)
    sound = [one.pages[0] for one in alone if worker.run(try_site, one, one.pages[0].label) is None]
    return worker.run(learn_site, replace(wanted, pages=tuple(sound)), wanted.site, most)
