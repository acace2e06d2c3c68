"""Second phase: learn the sites of a bucket, and cut it into slices to clean.

A bucket is a task that needs only its parts, and can be repeated at any time: its files appear whole, with the same
bytes, and a marker is written when all are there. The bucket is read twice, never as a whole: first the sizes, to
choose the pages to learn from and to cut it, then these pages, as many at a time as memory allows.

A bucket of one slice is cleaned right away (`finishing_buckets`). The process that does it reads the bucket itself, and
holds its pages in memory meanwhile. Those that its sites are learnt from are parsed and judged once: they are cleaned
in the same step.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from heapq import heappush, heappushpop
from pathlib import Path
from typing import Final

from dehusk.batch.batch_counts import SiteCount
from dehusk.batch.batch_files import bucket_folder, learnt_marker, learnt_sites, model
from dehusk.batch.batch_inputs import cut_by_size
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, open_storage, read_json, write_json, write_text
from dehusk.batch.bucket_tables import (
    PageInBucket,
    Place,
    StoredPage,
    StoredSize,
    read_sizes,
    read_stored,
    read_stored_heads,
)
from dehusk.batch.page_steps import (
    CleanPage,
    LearnSite,
    PageMade,
    Record,
    SiteLearnt,
    clean_page,
    learn_site,
    page_worker,
    try_site,
)
from dehusk.errors import DehuskError, OutputError
from dehusk.filtering.page_filters import Dropped
from dehusk.methods import find_method
from dehusk.outputs.block_json import json_text
from dehusk.sources.raw_page import RawPage
from dehusk.workers.worker_process import Worker

_LEARNING_SECONDS: Final = 1.0
"""Time allowed per page to learn, on top of the time for one page; usually it takes hundredths."""
LARGEST_LEARNT: Final = 4_000_000
"""Bytes of a page to learn from. Larger ones are documents rather than pages, and show no more of the template."""


@dataclass(frozen=True, slots=True)
class LearnBucket:
    """Task: learn the sites of this bucket."""

    bucket: int
    out: str
    settings: BatchSettings
    clean: Callable[[CleanPage], Record | Dropped] = clean_page
    """How pages are cleaned: a module-level function, as it is sent to other processes."""


@dataclass(frozen=True, slots=True)
class PartSlice:
    """Record batches of one part."""

    number: int
    """Number of the input that the part is from."""
    first: int
    end: int
    size: int
    """Bytes of pages."""


Slice = tuple[PartSlice, ...]


@dataclass(frozen=True, slots=True)
class BucketLearnt:
    """Result of a `LearnBucket`."""

    bucket: int
    sites: int = 0
    learnt: int = 0
    slices: tuple[Slice, ...] = ()
    """The whole bucket in order, in slices of about the same size."""
    failure: str = ""
    """Why nothing was learnt; the same command tries again."""


@dataclass(frozen=True, slots=True)
class HeldBucket:
    """A bucket that is learnt and cleaned in one task. It has no pages if it is more than one slice."""

    copies: Path
    """Where copies of remote files are, until the task ends."""
    pages: dict[Place, StoredPage] = field(default_factory=dict)
    """By their places, in order, and without their bodies, which whoever cleans them reads."""
    parts: list[tuple[int, Path, int]] = field(default_factory=list)
    made: dict[Place, PageMade] = field(default_factory=dict)
    """Those that were cleaned while their sites were learnt."""

    def page(self, place: Place) -> PageInBucket:
        """A page, for whoever cleans it."""
        return PageInBucket(tuple(self.parts), place, self.pages[place].raw.label)


def learn_bucket(task: LearnBucket, held: HeldBucket) -> BucketLearnt:
    """Write models, a line for each site with enough pages and, last, the marker. One slice is then held."""
    storage = open_storage(task.out)
    names = storage.names(bucket_folder(task.bucket))
    parts = [(int(Path(name).stem), storage.fetched(name, held.copies)) for name in names]
    sizes: dict[int, list[int]] = {}
    samples = choose_samples(_measured(parts, sizes), task.settings)
    slices = tuple(cut_into_slices(sizes.items(), task.settings.slice_bytes))
    if len(slices) == 1 and sum(some.size for some in slices[0]) <= task.settings.learnt_bytes:
        held.pages.update(_heads(parts))
        held.parts.extend((number, path, path.stat().st_mtime_ns) for number, path in parts)
    counts = list(_Learning(task, storage, held).learn_sites(parts, samples.values()))
    write_text(storage, learnt_sites(task.bucket), "".join(json_text(asdict(count)) + "\n" for count in counts))
    learnt = sum(bool(count.model) for count in counts)
    result = BucketLearnt(task.bucket, len(samples), learnt, slices)
    write_json(storage, learnt_marker(task.bucket), asdict(result))
    return result


def learnt_before(storage: Storage, bucket: int) -> BucketLearnt | None:
    """The result of an earlier run, if any."""
    marker = read_json(storage, learnt_marker(bucket))
    if marker is None:
        return None
    slices = tuple(tuple(PartSlice(**part) for part in slice_) for slice_ in marker["slices"])
    return BucketLearnt(**{**marker, "slices": slices})


def read_learnt_sites(storage: Storage, bucket: int) -> dict[str, SiteCount]:
    """What was learnt of the sites of a bucket that have enough pages, with all counts at zero."""
    lines = (storage.read(learnt_sites(bucket)) or b"").splitlines()
    return {count.site: count for count in (SiteCount(**json.loads(line)) for line in lines)}


def _measured(
    parts: Iterable[tuple[int, Path]], sizes: dict[int, list[int]]
) -> Iterator[tuple[int, Iterator[StoredSize]]]:
    """The pages of each part, read once; `sizes` receives the bytes of its record batches."""

    def pages(number: int, path: Path) -> Iterator[StoredSize]:
        for batch in read_sizes(path):
            sizes[number].append(sum(page.size for page in batch))
            yield from batch

    for number, path in parts:
        sizes[number] = []
        yield number, pages(number, path)


def cut_into_slices(parts: Iterable[tuple[int, Sequence[int]]], most_bytes: int) -> Iterator[Slice]:
    """Cut a bucket, of which each part has record batches of these sizes, between them.

    A site's pages may be in several slices; they share its model.
    """
    gathered: list[PartSlice] = []
    size = 0
    for number, sizes in parts:
        first = 0
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


@dataclass(frozen=True, slots=True)
class _Learning:
    task: LearnBucket
    storage: Storage
    held: HeldBucket

    def learn_sites(self, parts: list[tuple[int, Path]], samples: Iterable[SiteSample]) -> Iterator[SiteCount]:
        settings = self.task.settings
        to_learn = [sample for sample in samples if sample.places]
        if not to_learn or not find_method(settings.method).learns:
            return
        for together in cut_by_size(to_learn, lambda sample: sample.size, settings.sample_bytes):
            gathered = {} if self.held.pages else _gather(parts, together)
            for sample in together:
                pages = (gathered[place].raw if gathered else self.held.page(place) for place in sample.places)
                yield self._learn(sample, tuple(pages))

    def _learn(self, sample: SiteSample, pages: tuple[RawPage | PageInBucket, ...]) -> SiteCount:
        settings, target = self.task.settings, self.held.copies / "learnt.dehusk"
        wanted = LearnSite(
            *(sample.site, pages, settings.method, settings.least_pages, str(target), settings.wishes),
            cleans=bool(self.held.pages) and self.task.clean is clean_page,
        )
        learnt = learn_in(page_worker(settings.limits, settings.method), wanted, settings)
        if isinstance(learnt, SiteLearnt):
            made = zip(sample.places, learnt.made, strict=False)  # none, or one for each
            self.held.made.update((place, one) for place, one in made if one)
        return _kept(self.storage, sample, learnt, target)


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
        if learnt.learnt:
            count.template_share, count.trust = learnt.learnt.template_share, learnt.learnt.trust
            count.blocks_compared, count.blocks_changed = learnt.learnt.blocks, learnt.learnt.blocks_changed
            count.distrust = learnt.learnt.report.distrust if learnt.learnt.report else ""
    else:
        storage.remove(name)  # an earlier run may have had more time
    return count


def _gather(parts: Iterable[tuple[int, Path]], samples: Iterable[SiteSample]) -> dict[Place, StoredPage]:
    wanted: dict[int, set[int]] = {}
    for sample in samples:
        for number, position in sample.places:
            wanted.setdefault(number, set()).add(position)
    return {
        (number, page.position): page
        for number, path in parts
        if number in wanted
        for page in read_stored(path, wanted[number])
    }


def _heads(parts: Iterable[tuple[int, Path]]) -> dict[Place, StoredPage]:
    return {(number, page.position): page for number, path in parts for page in read_stored_heads(path)}


def learn_in(worker: Worker, wanted: LearnSite, settings: BatchSettings) -> SiteLearnt | DehuskError:
    """Learn from all pages; if that fails and the disk is not to blame, without the pages that fail on their own."""
    most = settings.limits.seconds + _LEARNING_SECONDS * len(wanted.pages)
    learnt = worker.run(learn_site, wanted, wanted.site, most)
    if isinstance(learnt, SiteLearnt | OutputError):
        return learnt
    alone = (replace(wanted, pages=(raw,)) for raw in wanted.pages)
    sound = [one.pages[0] for one in alone if worker.run(try_site, one, one.pages[0].label) is None]
    return worker.run(learn_site, replace(wanted, pages=tuple(sound), cleans=False), wanted.site, most)


# Which pages a site is learnt from: chosen by size and hash before any page is read. Of each site, the pages with the
# smallest hashes are taken: a random sample that needs no more memory than itself, and does not depend on the order.


@dataclass(frozen=True, slots=True)
class SiteSample:
    """Pages to learn a site from, in order."""

    site: str
    places: tuple[Place, ...]
    size: int
    """Bytes of all of them."""


_Chosen = tuple[int, Place, int]
"""Negated hash, so that the largest is first in the heap; place; bytes."""


def choose_samples(parts: Iterable[tuple[int, Iterable[StoredSize]]], settings: BatchSettings) -> dict[str, SiteSample]:
    """A sample of each site, in the order of first pages; empty if a site has too few pages."""
    chosen: dict[str, list[_Chosen]] = {}
    for task, pages in parts:
        for page in pages:
            of_site = chosen.setdefault(page.site, [])
            if page.is_page and page.size <= LARGEST_LEARNT:
                place = (task, page.position)
                candidate = (-_hash(settings.seed, page.site, place), place, page.size)
                _keep_smallest(of_site, candidate, settings.sample)
    return {site: _sample(site, pages, settings) for site, pages in chosen.items()}


def _hash(seed: int, site: str, place: Place) -> int:
    key = f"{seed} {place[0]} {place[1]} {site}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest())


def _keep_smallest(kept: list[_Chosen], candidate: _Chosen, most: int) -> None:
    if len(kept) < most:
        heappush(kept, candidate)
    else:
        heappushpop(kept, candidate)


def _sample(site: str, chosen: list[_Chosen], settings: BatchSettings) -> SiteSample:
    places: list[Place] = []
    size = 0
    for _, place, page_size in sorted(chosen, reverse=True):
        if size + page_size <= settings.learnt_bytes:
            places.append(place)
            size += page_size
    if len(places) < settings.least_pages:
        return SiteSample(site, (), 0)
    return SiteSample(site, tuple(sorted(places)), size)
