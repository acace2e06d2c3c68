"""Which pages of a bucket its sites are learnt from. Chosen by their sizes alone, before any page is read.

Of each site those pages are taken whose hashes are smallest: a sample in which every page has the same chance, that
needs no more memory than itself, and is the same in whatever order pages come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from heapq import heappush, heappushpop
from pathlib import Path
from typing import Final

from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.bucket_tables import read_sizes

LARGEST_LEARNT: Final = 4_000_000
"""Bytes of a page to learn from. Larger ones are documents rather than pages, and tell as much of the template."""

Place = tuple[int, int]
"""Number of the input, and position in it: the order of pages."""


@dataclass(frozen=True, slots=True)
class SiteSample:
    """Pages to learn a site from, in order."""

    site: str
    places: tuple[Place, ...]
    size: int
    """Bytes of all of them."""


_Chosen = tuple[int, Place, int]
"""Minus the hash, so that the largest hash is first; place; bytes."""


def choose_samples(parts: Iterable[tuple[int, Path]], settings: BatchSettings) -> dict[str, SiteSample]:
    """A sample of each site, in the order of their first page. It is empty if the site has too few pages to learn."""
    chosen: dict[str, list[_Chosen]] = {}
    for task, path in parts:
        for page in read_sizes(path):
            of_site = chosen.setdefault(page.site, [])
            if page.is_page and page.size <= LARGEST_LEARNT:
                place = (task, page.position)
                candidate = (-_hash(settings.seed, page.site, place), place, page.size)
                _keep_smallest(of_site, candidate, settings.sample)
    return {site: _sample(site, pages, settings) for site, pages in chosen.items()}


def take_turns(samples: Iterable[SiteSample], most_bytes: int) -> Iterator[list[SiteSample]]:
    """Samples that fit into memory together."""
    together: list[SiteSample] = []
    size = 0
    for sample in samples:
        if together and size + sample.size > most_bytes:
            yield together
            together, size = [], 0
        together.append(sample)
        size += sample.size
    if together:
        yield together


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
