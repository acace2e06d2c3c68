"""Page evidence and site evidence together. The default.

What the page network says of a page (`methods.page_evidence`) is combined with what it said of other pages of the site,
and with what these pages have in common (`network.site_weighing`): a text on most pages is template however much it
reads like content; a place whose like held content on other pages holds content here; and where the network doubts
all that a site says, as on pages of facts, what is doubtful is kept.

    >>> import dehusk
    >>> pages = [dehusk.read_page(f"<p>Menu of the site<p>Text number {number} of many.") for number in range(5)]
    >>> dehusk.learn(pages).pages
    5

Without pages of the site it is page evidence alone, and so it is for a page unlike those learnt.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.base import Judgement, Reasons, Scores
from dehusk.methods.model_files import ModelFile, stored_settings, write_model_file
from dehusk.methods.page_network.inference import NetworkReading
from dehusk.methods.page_network.network_inputs import page_inputs
from dehusk.methods.page_network.page_judging import Effects, judge_page, page_effects, reasons_in_words
from dehusk.methods.page_network.part_trees import PartTree, part_tree
from dehusk.methods.page_network.site_evidence import (
    ALL_BLOCKS_ALIKE,
    COLUMNS,
    agreement,
    combine_evidence,
    match,
    site_columns,
    trust,
)
from dehusk.methods.page_network.site_readings import (
    NOTHING_READ,
    ReadPage,
    SiteReadings,
    add_readings,
    add_up_readings,
    count_readings,
    find,
    other_pages,
    read_blocks,
    readings_as_arrays,
    readings_from_arrays,
)
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.page.page_columns import Page


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Settings."""

    name: ClassVar[str] = "hybrid"
    learns: ClassVar[bool] = True

    threshold: float | None = None
    """Blocks that are content with less probability are dropped. None chooses for each page what is best for F1."""
    trained: str = ""
    """A file that `dehusk train hybrid` wrote, instead of the training that comes with dehusk."""

    def __post_init__(self) -> None:
        if not isinstance(self.trained, str):
            raise InvalidSetting("trained", f"{self.trained!r} is not a path", "see Hybrid")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise InvalidSetting("threshold", f"{self.threshold} is outside 0 to 1", "see Hybrid")

    def fit(self, pages: Iterable[Page] = ()) -> HybridModel:
        """Learn from pages of one site, in any order."""
        network = load_trained(self.trained).network
        read = (segment(page) for page in pages)
        counts = (count_readings(read_blocks(blocks, network.logits(blocks)), blocks) for blocks in read)
        return HybridModel(self, add_up_readings(counts))


@dataclass(frozen=True, eq=False)
class HybridModel:
    """What is known of a site, and the network to read its pages with."""

    settings: Hybrid
    site: SiteReadings = NOTHING_READ
    training: Trained | None = None
    """Instead of the one that the settings name."""

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def threshold(self) -> float:
        return 0.5 if self.settings.threshold is None else self.settings.threshold

    @property
    def pages(self) -> int:
        """Pages learnt from."""
        return self.site.pages

    @property
    def knows_a_template(self) -> bool:
        """Whether there were two different pages to compare; if not, page evidence decides alone."""
        return len(self.site.contents) > 1

    @cached_property
    def _trained(self) -> Trained:
        return self.training or load_trained(self.settings.trained)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """How likely each block is content."""
        return self.judge(blocks).scores

    def judge(self, blocks: Blocks) -> Judgement:
        """Probabilities, the threshold for this page, comments, and its type."""
        return self._judge(blocks, self._trained.network.read_blocks(blocks))

    def _judge(self, blocks: Blocks, reading: NetworkReading) -> Judgement:
        trained, threshold = self._trained, self.settings.threshold
        # What the page looks like to a site costs as much as its features: asked for only if there is a site.
        if not self.pages or not other_pages(page := _as_read(blocks, reading), self.site):
            return judge_page(blocks, reading, trained, threshold)
        logits = combine_evidence(page, part_tree(blocks), self.site, trained.weights)
        return judge_page(blocks, reading, trained, threshold, beside_site=logits)

    def confidence(self, expected_f1: float) -> float:
        """The F1 to believe in where this one is expected."""
        return self._trained.confidence(expected_f1)

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's text in elements that look like some of the pages learnt."""
        blocks = segment(page)
        return match(read_blocks(blocks, np.zeros(len(blocks), dtype=np.float32)), self.site)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """How likely it is content, what speaks most for that or against, and where else the site has its text."""
        if not len(blocks):
            return ()
        network, inputs = self._trained.network, page_inputs(blocks)
        reading = network.read(inputs)
        judged = self._judge(blocks, reading)
        page = _as_read(blocks, reading)
        effects = {**page_effects(network, inputs, reading.content), **self._site_effects(page, part_tree(blocks))}
        shared = find(self.site.texts, page.text).pages.tolist()
        return tuple(
            (*reasons_in_words(blocks, index, judged, effects), *self._of_text(shared[index]))
            for index in range(len(blocks))
        )

    def _site_effects(self, page: ReadPage, tree: PartTree) -> Effects:
        """By how much the site moves each block; what it says of a page as a whole is no reason for one block."""
        if not other_pages(page, self.site):
            return {}
        trusted = trust(page, self.site)
        shifts = self._trained.weights.shifts(page, site_columns(page, tree, self.site)) * trusted
        named = dict(zip(COLUMNS, shifts.T, strict=False))
        of_blocks = {name: shift for name, shift in named.items() if name not in ALL_BLOCKS_ALIKE}
        return {**of_blocks, "agreement": agreement(page.logits + shifts.sum(axis=1), tree, trusted)}

    def _of_text(self, pages: int) -> tuple[str, ...]:
        return (f"its text is on {pages} of {self.pages} pages learnt",) if pages > 1 else ()

    def update(self, pages: Iterable[Page]) -> Self:
        """The model of these pages and all before: the same as learning from everything at once."""
        return self + type(self)(self.settings, self.settings.fit(pages).site)

    def __add__(self, other: Self) -> Self:
        if other.settings != self.settings:
            cause = "learnt with other settings, so their counts do not add up"
            raise ModelError("the two models", cause, "learn both with the same settings")
        return type(self)(self.settings, add_readings([self.site, other.site]))

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write what was learnt of the site to a file; the network is not in it."""
        arrays = readings_as_arrays(self.site)
        write_model_file(path, ModelFile(self.method, asdict(self.settings), self.pages, site, created, arrays))

    @classmethod
    def of_training(cls, file: ModelFile) -> HybridModel:
        """What `dehusk train hybrid` wrote, for pages of any site."""
        return cls(Hybrid(), training=Trained.from_file(file))

    @classmethod
    def from_file(cls, file: ModelFile) -> HybridModel:
        """The model that was saved."""
        try:
            return cls(Hybrid(**stored_settings(file.settings, Hybrid)), readings_from_arrays(file.pages, file.arrays))
        except (InvalidSetting, KeyError, TypeError, ValueError) as error:
            cause = f"does not hold what was read of a site ({error})"
            raise ModelError("the model file", cause, "learn the site again") from error


def _as_read(blocks: Blocks, reading: NetworkReading) -> ReadPage:
    return read_blocks(blocks, reading.content, reading.article)
