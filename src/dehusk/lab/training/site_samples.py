"""Sample sites: pages to judge, each with sibling pages of its site to learn from.

How much site evidence is trusted depends on the number of pages seen, so each page is sampled with different numbers of
random siblings.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.corpora import Corpus, GoldPage, fold_of
from dehusk.lab.training.prepared_pages import PreparedPage, prepare_page
from dehusk.methods.page_network.inference import PageNetwork
from dehusk.methods.page_network.part_trees import PartTree, tree_of_parts
from dehusk.methods.page_network.site_evidence import Columns, site_columns, trust
from dehusk.methods.page_network.site_readings import (
    NOTHING_READ,
    PageReadings,
    SiteReadings,
    count_readings,
    page_readings,
)
from dehusk.methods.site_models import add_counts
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages

SIBLINGS: Final = (1, 2, 5, 20, 50)
"""Numbers of sibling pages to learn a site from."""
FEWEST_PAGES: Final = 4
"""Fewest pages of a site to learn from."""
_MANY_PAGES: Final = 26
"""Pages from which on a site counts as having many: site evidence is meant for these."""
_JUDGED: Final = {False: 3, True: 6}
"""Pages to judge per site, by whether it has many."""
_LARGEST: Final = 2500
"""Pages with more blocks are left out: one of them would count like a hundred others."""


@dataclass(frozen=True, eq=False)
class SitePage:
    """A page with gold, read by the network."""

    prepared: PreparedPage
    read: PageReadings
    tree: PartTree


@dataclass(frozen=True, eq=False)
class SampledSite:
    """Sampled pages of a site: those to judge, and the counts of each of the others."""

    corpus: str
    site: str
    fold: int
    has_many_pages: bool
    judged: tuple[SitePage, ...]
    siblings: tuple[SiteReadings, ...]


@dataclass(frozen=True, eq=False)
class Example:
    """A page with a number of siblings."""

    site: SampledSite
    page: SitePage
    siblings: int
    columns: Columns
    trust: float


def sample_sites(corpus: Corpus, networks: Sequence[PageNetwork]) -> Iterator[SampledSite]:
    """Sample the sites of a corpus, each read by the network that was not trained on it."""
    for site, numbers in corpus.numbers_by_site().items():
        if site and len(numbers) >= FEWEST_PAGES:
            sampled = _sample_site(corpus, site, numbers, networks)
            if sampled.judged and sampled.siblings:
                yield sampled


def _sample_site(corpus: Corpus, site: str, numbers: list[int], networks: Sequence[PageNetwork]) -> SampledSite:
    has_many = len(numbers) >= _MANY_PAGES
    chooser = random.Random(site)
    chosen = chooser.sample(numbers, min(len(numbers), _JUDGED[has_many] + max(SIBLINGS)))
    pages = [(page, segment(read_page(page.raw))) for page in corpus.pick(frozenset(chosen))]
    pages = [(page, blocks) for page, blocks in pages if 0 < len(blocks) <= _LARGEST]
    chooser.shuffle(pages)
    to_judge = min(_JUDGED[has_many], len(pages) // 2)
    prepared = [prepare_page(corpus.name, page, blocks) for page, blocks in pages[:to_judge]]
    fold = fold_of(prepared[0].site, len(networks)) if prepared else 0
    network = networks[fold]
    judged = tuple(
        SitePage(page, _read(page, blocks, network), tree_of_parts(page.inputs.part_first, page.inputs.part_last))
        for page, (_, blocks) in zip(prepared, pages, strict=False)
        if page.usable
    )
    siblings = tuple(_count(blocks, network) for _, blocks in _distinct(pages[to_judge:]))
    return SampledSite(corpus.name, site, fold, has_many, judged, siblings)


def _distinct(pages: Sequence[tuple[GoldPage, Blocks]]) -> list[tuple[GoldPage, Blocks]]:
    return [pages[number] for number in distinct_pages([blocks.page for _, blocks in pages]).kept]


def _read(page: PreparedPage, blocks: Blocks, network: PageNetwork) -> PageReadings:
    reading = network.read(page.inputs)
    return page_readings(blocks, reading.content, reading.article)


def _count(blocks: Blocks, network: PageNetwork) -> SiteReadings:
    return count_readings(page_readings(blocks, network.logits(blocks)))


def examples_of(site: SampledSite, numbers: Sequence[int] = SIBLINGS) -> Iterator[Example]:
    """Every judged page of a site with each number of siblings; a number larger than there are means all."""
    reached = sorted({min(number, len(site.siblings)) for number in numbers})
    for number in reached:
        chosen = random.Random(f"{site.site} {number}").sample(range(len(site.siblings)), number)
        readings = add_counts([NOTHING_READ, *(site.siblings[index] for index in chosen)])
        for page in site.judged:
            yield Example(site, page, number, site_columns(page.read, page.tree, readings), trust(page.read, readings))
