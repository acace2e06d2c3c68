"""Second phase: learn the sites of a bucket, and clean its pages.

A bucket is a task that needs nothing but its parts, and can be run again at any time: its output appears whole, with
the same bytes, and a marker says when it is there. The bucket is read three times, never as a whole: sizes, to choose
which pages to learn from; these pages, as many as memory allows at a time; and all pages, one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from dehusk.batch.causes import cause_of
from dehusk.batch.counting import BatchCount, Heartbeat, PageCount, SiteCount
from dehusk.batch.folders import Folders, cannot_write, write_json, write_text
from dehusk.batch.page_steps import (
    CleanPage,
    LearnSite,
    Record,
    SiteLearnt,
    clean_nothing,
    clean_page,
    learn_site,
    try_site,
)
from dehusk.batch.record_files import empty_record, open_records
from dehusk.batch.sampling import Place, SiteSample, choose_samples, take_turns
from dehusk.batch.settings import BatchSettings
from dehusk.batch.tables import RECORD_FIELDS, StoredPage, read_stored
from dehusk.batch.workers import Worker
from dehusk.cleaning import find_method
from dehusk.errors import DehuskError
from dehusk.outputs.block_json import json_text
from dehusk.sources.raw_page import RawPage
from dehusk.writing import written_whole

_LEARNING_SECONDS: Final = 1.0
"""Allowed for each page learnt, on top of the time of a page; usual are hundredths."""


@dataclass(frozen=True, slots=True)
class CleanBucket:
    """Learn and clean this bucket."""

    bucket: int
    out: str
    settings: BatchSettings
    clean: Callable[[CleanPage], Record] = clean_page
    """A function of a module, as it is sent to other processes."""


@dataclass(frozen=True, slots=True)
class BucketCleaned:
    """What became of it."""

    bucket: int
    count: BatchCount
    failure: str = ""
    """Why there is no output; the same command tries again."""


def clean_bucket(task: CleanBucket) -> BucketCleaned:
    """Write records, models, counts by site and, last, the marker."""
    folders = Folders(Path(task.out))
    begun = time.monotonic()
    sites: dict[str, SiteCount] = {}
    try:
        with Worker(task.settings.limits, partial(clean_nothing, task.settings.method)) as worker:
            _learn_sites(task, folders, worker, sites)
            count = _clean_pages(task, folders, worker, sites)
        write_text(folders.cleaned_sites(task.bucket), "".join(json_text(asdict(s)) + "\n" for s in sites.values()))
        count.sites, count.learnt = len(sites), sum(bool(site.model) for site in sites.values())
        count.seconds = round(time.monotonic() - begun, 3)
        write_json(folders.cleaned_marker(task.bucket), count.to_dict())
    except OSError as error:
        raise cannot_write(folders.out, error) from error
    return BucketCleaned(task.bucket, count)


def give_up_bucket(task: CleanBucket) -> BucketCleaned:
    """In place of `clean_bucket` if that killed its process, which no page can do."""
    cause = "its process died, perhaps for want of memory: run the same command again, with fewer --jobs"
    return BucketCleaned(task.bucket, BatchCount(), f"bucket {task.bucket}: {cause}")


# Learning


def _learn_sites(task: CleanBucket, folders: Folders, worker: Worker, sites: dict[str, SiteCount]) -> None:
    settings, parts = task.settings, folders.parts(task.bucket)
    if not find_method(settings.method).learns:
        return
    folders.models.mkdir(parents=True, exist_ok=True)
    for samples in take_turns(choose_samples(parts, settings), settings.sample_bytes):
        pages = _gather(parts, samples)
        for sample in samples:
            model = folders.model(sample.site)
            raws = tuple(pages[place] for place in sample.places)
            wanted = LearnSite(sample.site, raws, settings.method, settings.least_pages, str(model))
            learnt = _learn(wanted, worker, settings)
            count = sites.setdefault(sample.site, SiteCount(sample.site, sampled=len(raws)))
            if isinstance(learnt, DehuskError):
                count.learning_failed = str(learnt)
            else:
                count.different, count.model = learnt.different, model.name if learnt.has_model else ""
            if not count.model:
                model.unlink(missing_ok=True)  # of an earlier run that had more time


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


def _learn(wanted: LearnSite, worker: Worker, settings: BatchSettings) -> SiteLearnt | DehuskError:
    """All pages at once; if that fails, those that fail alone are left out."""
    most = settings.limits.seconds + _LEARNING_SECONDS * len(wanted.pages)
    learnt = worker.run(learn_site, wanted, wanted.site, most)
    if not isinstance(learnt, DehuskError):
        return learnt
    alone = (replace(wanted, pages=(raw,)) for raw in wanted.pages)
    sound = [one.pages[0] for one in alone if worker.run(try_site, one, one.pages[0].label) is None]
    return worker.run(learn_site, replace(wanted, pages=tuple(sound)), wanted.site, most)


# Cleaning


def _clean_pages(task: CleanBucket, folders: Folders, worker: Worker, sites: dict[str, SiteCount]) -> BatchCount:
    count, heartbeat = BatchCount(), Heartbeat(folders.progress_of(task.bucket))
    output = folders.output(task.bucket, task.settings.format_name)
    output.parent.mkdir(parents=True, exist_ok=True)
    format_name = task.settings.format_name
    with written_whole(output) as temporary, open_records(temporary, format_name) as records:
        for page in _stored(folders, task.bucket):
            site = sites.setdefault(page.site, SiteCount(page.site))
            record, counted = _clean_one(task, folders, worker, page, site)
            records.add(record)
            site.add(counted)
            count.add_page(counted)
            count.sites = len(sites)
            heartbeat.beat(count)
    return count


def _stored(folders: Folders, bucket: int) -> Iterator[StoredPage]:
    for _, path in folders.parts(bucket):
        yield from read_stored(path)


def _clean_one(
    task: CleanBucket, folders: Folders, worker: Worker, page: StoredPage, site: SiteCount
) -> tuple[Record, PageCount]:
    """The record of a page and what to count; one that could not be read has its error already."""
    settings, raw = task.settings, page.raw
    if page.error:
        return _failed(page, page.error), PageCount(raw.label, 0, 0, 0.0, page.cause, page.error)
    model = str(folders.models / site.model) if site.model else ""
    begun = time.monotonic()
    wanted = CleanPage(raw, settings.method, model, settings.decision, settings.content)
    result = worker.run(task.clean, wanted, raw.label)
    seconds = time.monotonic() - begun
    if isinstance(result, DehuskError):
        error = str(result)
        return _failed(page, error), PageCount(raw.label, len(raw.body), 0, seconds, cause_of(result), error)
    size_after = len(str(result["text"]).encode("utf-8", "replace"))
    return _in_order(result | {"site": page.site}), PageCount(raw.label, len(raw.body), size_after, seconds)


def _failed(page: StoredPage, error: str) -> Record:
    return empty_record(page.raw) | {"site": page.site, "error": error}


def _in_order(values: Mapping[str, object]) -> Record:
    return {name: values.get(name) for name in RECORD_FIELDS}
