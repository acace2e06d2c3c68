"""Page evidence combined with site evidence. The default.

The page network's log-odds for a page (`page_evidence`) are lowered by what it has in common with other pages of the
site (`site_evidence`): text that most pages have in the same place is template, however much it reads like content.
Text that no other page has is judged by page evidence alone.

    >>> import dehusk
    >>> pages = [dehusk.read_page(f"<p>Menu of the site<p>Text number {number} of many.") for number in range(5)]
    >>> dehusk.learn(pages).pages
    5

Without pages of the site, on a page unlike those learnt, or if these are copies of one page (`site_reports`), it is
page evidence alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

import numpy as np

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.methods.corrections import NO_CORRECTIONS, Corrections
from dehusk.methods.model_files import ModelFile
from dehusk.methods.page_network.inference import Logits, NetworkReading
from dehusk.methods.page_network.page_evidence import Effects, PageEvidence, PageEvidenceModel
from dehusk.methods.page_network.site_evidence import SiteEvidence, site_evidence
from dehusk.methods.page_network.site_readings import (
    NOTHING_READ,
    SiteReadings,
    learn_readings,
    page_readings,
    pages_with,
)
from dehusk.methods.page_network.site_reports import SiteReport, report_on
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.methods.site_models import CountedSite
from dehusk.native.calls import Lendable
from dehusk.page.page_columns import Page

_NO_WEIGHTS: Final = "the network has no weights for site evidence; run `dehusk train site-evidence`"


@checked
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

    @cached_property
    def report(self) -> SiteReport:
        """How far the site can be trusted, and why not."""
        report = report_on(self.site)
        return report if self.trained.weights.columns else replace(report, distrust=_NO_WEIGHTS)

    def _site_logits(self, blocks: Blocks, reading: NetworkReading) -> Logits | None:
        evidence = self._evidence(blocks)
        return None if evidence is None else np.asarray(reading.content + evidence.shifts)

    @property
    def site_arrays(self) -> tuple[Lendable, ...]:
        """The weights of evidence, and what is looked up about a page; of a site that is not trusted, nothing."""
        return (self.trained.weights.numbers, *self.site.looked_up) if self._is_trusted else super().site_arrays

    @property
    def _is_trusted(self) -> bool:
        return self.pages > 0 and not self.report.distrust

    def _evidence(self, blocks: Blocks) -> SiteEvidence | None:
        """What the site says about a page; None if it is not trusted, or knows no other page."""
        # Hashing the page for the site costs as much as its features: skip it if there is no site.
        if not self._is_trusted:
            return None
        evidence = self._known_evidence.get(blocks)
        if evidence is None:
            readings = self.trained.site_readings(blocks)
            evidence = self._known_evidence[blocks] = site_evidence(readings, self.site, self.trained.weights)
        return evidence if evidence.other_pages else None

    @cached_property
    def _known_evidence(self) -> WeakKeyDictionary[Blocks, SiteEvidence]:
        """What was asked before: a page that is cleaned is also asked how far it trusts the site."""
        return WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what was asked before, which belongs to blocks of this process."""
        return {name: value for name, value in vars(self).items() if name != "_known_evidence"}

    def trust(self, blocks: Blocks) -> float:
        """From 0 to 1: how much the site counts on this page, beside the page itself."""
        evidence = self._evidence(blocks)
        return 0.0 if evidence is None else evidence.trust

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's text whose style signature is on the pages learnt."""
        blocks = segment(page)
        return site_evidence(page_readings(blocks, np.zeros(len(blocks), dtype=np.float32)), self.site).match

    def _site_effects(self, blocks: Blocks) -> Effects:
        evidence = self._evidence(blocks)
        return {} if evidence is None else evidence.shifts_by_column(self.trained.weights)

    def _site_reasons(self, blocks: Blocks) -> Mapping[int, tuple[str, ...]]:
        places = page_readings(blocks, np.zeros(len(blocks), dtype=np.float32)).place
        return {
            index: (f"its text is in the same place on {pages} of {self.pages} pages learnt",)
            for index, pages in enumerate(pages_with(self.site, places).tolist())
            if pages > 1
        }

    @classmethod
    def of_training(cls, file: ModelFile) -> HybridModel:
        """The model in a file written by `dehusk train hybrid`, for pages of any site."""
        return cls(Hybrid(), training=Trained.from_file(file))


def _learn(trained: str, pages: Iterable[Blocks]) -> SiteReadings:
    """The readings of some pages with the network in a file, or the one shipped with dehusk."""
    read = load_trained(trained).site_readings
    return learn_readings((read(blocks), blocks) for blocks in pages)
