"""Page evidence combined with site evidence. The default.

The page network's log-odds for a page (`page_evidence`) are combined with its log-odds on other pages of the site, and
with what these pages have in common (`site_evidence`): text on most pages is template however much it reads like
content; a block whose style held content on other pages is likely content here; and where the network doubts everything
a site has, as on pages of facts, doubtful text is kept.

    >>> import dehusk
    >>> pages = [dehusk.read_page(f"<p>Menu of the site<p>Text number {number} of many.") for number in range(5)]
    >>> dehusk.learn(pages).pages
    5

Without pages of the site, or on a page unlike those learnt, it is page evidence alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.methods.corrections import NO_CORRECTIONS, Corrections
from dehusk.methods.model_files import ModelFile
from dehusk.methods.page_network.inference import Logits, NetworkReading
from dehusk.methods.page_network.page_evidence import Effects, PageEvidence, PageEvidenceModel
from dehusk.methods.page_network.part_trees import PartTree, tree_of_parts
from dehusk.methods.page_network.site_evidence import (
    COLUMNS,
    PAGE_COLUMNS,
    agreement,
    combine_evidence,
    match,
    site_columns,
    trust,
)
from dehusk.methods.page_network.site_readings import (
    NOTHING_READ,
    PageReadings,
    SiteReadings,
    count_readings,
    look_up,
    other_pages,
    page_readings,
    text_keys,
)
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.methods.site_models import CountedSite, add_up
from dehusk.page.page_columns import Page


@dataclass(frozen=True, slots=True)
class Hybrid(PageEvidence):
    """The default method: a network over the blocks of a page, and what is known of its site. Settings:

    Arguments:
        threshold: drop blocks less likely than this to be content; None picks one for each page.
        trained: a file written by `dehusk train hybrid`, instead of the network shipped with dehusk.

    >>> html = "<ul><li><a href=/>Home</a><li><a href=/tea>Teas</a></ul><h1>Tea {0}</h1><p>" + "Number {0} is it. " * 9
    >>> site = dehusk.Hybrid().fit(dehusk.read_page(html.format(number)) for number in range(5))
    >>> site.method, "Number 9" in dehusk.clean(html.format(9), site).text
    ('hybrid', True)
    """

    name: ClassVar[str] = "hybrid"
    learns: ClassVar[bool] = True

    def fit(self, pages: Iterable[Page] = ()) -> HybridModel:
        """Learn from pages of one site, in any order."""
        return self.fit_blocks(map(segment, pages))

    def fit_blocks(self, pages: Iterable[Blocks]) -> HybridModel:
        """Learn from pages that are segmented already."""
        return HybridModel(self, site=_learn(self.trained, pages))


@dataclass(frozen=True, eq=False)
class HybridModel(CountedSite[Hybrid, SiteReadings], PageEvidenceModel):
    """What was learnt about a site, and the network that reads its pages. Files hold the former only."""

    settings_class = Hybrid
    counts_class = SiteReadings
    holds = "site readings"

    settings: Hybrid
    site: SiteReadings = NOTHING_READ
    corrections: Corrections = NO_CORRECTIONS

    @property
    def counts(self) -> SiteReadings:  # type: ignore[override]
        return self.site

    @classmethod
    def of_counts(cls, settings: Hybrid, counts: SiteReadings) -> Self:
        return cls(settings, site=counts)

    @property
    def knows_a_template(self) -> bool:
        """Whether there were two different pages to compare; if not, page evidence decides alone."""
        return len(self.site.contents) > 1

    @property
    def _knows_site(self) -> bool:
        return self.pages > 0

    def _site_logits(self, blocks: Blocks, reading: NetworkReading) -> Logits | None:
        # Hashing the page for the site costs as much as its features: skip it if there is no site.
        if not self.pages or not other_pages(page := _readings(blocks, reading), self.site):
            return None
        return combine_evidence(page, _part_tree(reading), self.site, self._trained.weights)

    def trust(self, blocks: Blocks) -> float:
        """From 0 to 1: how much the site counts on this page, beside the page itself."""
        page = _readings(blocks, self._trained.read_blocks(blocks))
        return trust(page, self.site) if other_pages(page, self.site) else 0.0

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's text whose style signature is on the pages learnt."""
        blocks = segment(page)
        return match(page_readings(blocks, np.zeros(len(blocks), dtype=np.float32)), self.site)

    def _site_effects(self, blocks: Blocks, reading: NetworkReading) -> Effects:
        """Columns that are equal for all blocks of a page are no reason for one block, and are left out."""
        page, tree = _readings(blocks, reading), _part_tree(reading)
        if not other_pages(page, self.site):
            return {}
        trusted = trust(page, self.site)
        shifts = self._trained.weights.shifts(page, site_columns(page, tree, self.site)) * trusted
        named = dict(zip(COLUMNS, shifts.T, strict=False))
        of_blocks = {name: shift for name, shift in named.items() if name not in PAGE_COLUMNS}
        return {**of_blocks, "agreement": agreement(page.logits + shifts.sum(axis=1), tree, trusted)}

    def _site_reasons(self, blocks: Blocks) -> Mapping[int, tuple[str, ...]]:
        shared = look_up(self.site.texts, text_keys(blocks)).pages.tolist()
        return {
            index: (f"its text is on {pages} of {self.pages} pages learnt",)
            for index, pages in enumerate(shared)
            if pages > 1
        }

    @classmethod
    def of_training(cls, file: ModelFile) -> HybridModel:
        """The model in a file written by `dehusk train hybrid`, for pages of any site."""
        return cls(Hybrid(), training=Trained.from_file(file))


def _readings(blocks: Blocks, reading: NetworkReading) -> PageReadings:
    return page_readings(blocks, reading.content, reading.article)


def _part_tree(reading: NetworkReading) -> PartTree:
    return tree_of_parts(reading.part_first, reading.part_last)


def _learn(trained: str, pages: Iterable[Blocks]) -> SiteReadings:
    """The readings of some pages with the network in a file, or the one shipped with dehusk."""
    read = load_trained(trained).read_blocks
    counted = (count_readings(page_readings(blocks, read(blocks).content), blocks) for blocks in pages)
    return add_up(counted, NOTHING_READ)
