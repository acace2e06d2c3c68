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

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar, Self

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.model_files import ModelFile, stored_settings, write_model_file
from dehusk.methods.page_network.inference import Logits, NetworkReading
from dehusk.methods.page_network.page_evidence import Effects, PageEvidence, PageEvidenceModel
from dehusk.methods.page_network.part_trees import part_tree
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
    add_readings,
    add_up_readings,
    count_readings,
    look_up,
    other_pages,
    page_readings,
    readings_as_arrays,
    readings_from_arrays,
    text_keys,
)
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.page.page_columns import Page


@dataclass(frozen=True, slots=True)
class Hybrid(PageEvidence):
    """Settings, the same as for page evidence."""

    name: ClassVar[str] = "hybrid"
    learns: ClassVar[bool] = True

    def fit(self, pages: Iterable[Page] = ()) -> HybridModel:
        """Learn from pages of one site, in any order."""
        return self.fit_blocks(map(segment, pages))

    def fit_blocks(self, pages: Iterable[Blocks]) -> HybridModel:
        """Learn from pages that are segmented already."""
        return HybridModel(self, site=_learn(self.trained, pages))


@dataclass(frozen=True, eq=False)
class HybridModel(PageEvidenceModel):
    """What was learnt about a site, and the network that reads its pages."""

    site: SiteReadings = NOTHING_READ

    @property
    def pages(self) -> int:
        """Pages learnt from."""
        return self.site.pages

    @property
    def knows_a_template(self) -> bool:
        """Whether there were two different pages to compare; if not, page evidence decides alone."""
        return len(self.site.contents) > 1

    def _site_logits(self, blocks: Blocks, reading: NetworkReading) -> Logits | None:
        # Hashing the page for the site costs as much as its features: skip it if there is no site.
        if not self.pages or not other_pages(page := _readings(blocks, reading), self.site):
            return None
        return combine_evidence(page, part_tree(blocks), self.site, self._trained.weights)

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's text whose style signature is on the pages learnt."""
        blocks = segment(page)
        return match(page_readings(blocks, np.zeros(len(blocks), dtype=np.float32)), self.site)

    def _site_effects(self, blocks: Blocks, reading: NetworkReading) -> Effects:
        """Columns that are equal for all blocks of a page are no reason for one block, and are left out."""
        page, tree = _readings(blocks, reading), part_tree(blocks)
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

    def update(self, pages: Iterable[Page]) -> Self:
        """The model of these pages and all earlier ones: equal to learning all of them at once."""
        return self + type(self)(self.settings, site=_learn(self.settings.trained, map(segment, pages)))

    def __add__(self, other: Self) -> Self:
        if other.settings != self.settings:
            cause = "learnt with different settings, so their counts cannot be added"
            raise ModelError("the two models", cause, "learn both with the same settings")
        return type(self)(self.settings, site=add_readings([self.site, other.site]))

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write what was learnt about the site to a file, without the network."""
        arrays = readings_as_arrays(self.site)
        write_model_file(path, ModelFile(self.method, asdict(self.settings), self.pages, site, created, arrays))

    @classmethod
    def of_training(cls, file: ModelFile) -> HybridModel:
        """The model in a file written by `dehusk train hybrid`, for pages of any site."""
        return cls(Hybrid(), training=Trained.from_file(file))

    @classmethod
    def from_file(cls, file: ModelFile) -> HybridModel:
        """The model that was saved."""
        try:
            settings = Hybrid(**stored_settings(file.settings, Hybrid))
            return cls(settings, site=readings_from_arrays(file.pages, file.arrays))
        except (InvalidSetting, KeyError, TypeError, ValueError) as error:
            cause = f"holds no valid site readings ({error})"
            raise ModelError("the model file", cause, "learn the site again") from error


def _readings(blocks: Blocks, reading: NetworkReading) -> PageReadings:
    return page_readings(blocks, reading.content, reading.article)


def _learn(trained: str, pages: Iterable[Blocks]) -> SiteReadings:
    """The readings of some pages with the network in a file, or the one shipped with dehusk."""
    read = load_trained(trained).read_blocks
    return add_up_readings(count_readings(page_readings(blocks, read(blocks).content), blocks) for blocks in pages)
