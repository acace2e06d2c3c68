"""A site with its pages at hand: some to learn from, others to score, each read once."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import label_blocks
from dehusk.lab.evaluation.text_scores import WordScore
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.methods.base import Method, Model
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from site_learning.scoring import PageWords, mean_score
from site_learning.sites import Site

LITTLE_CHROME: Final = 0.8
"""Content share from which a site has little to remove: there the question is whether a method does harm."""
LARGEST_SCORED_SHARE: Final = 0.4
"""Of a small site: most of its pages are needed to learn from."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many pages are learnt from and scored, and which."""

    pages: int = 100
    scored: int = 40
    seed: int = 0


class LoadedSite:
    """Pages of a site by number. Which are scored and in which order the others are learnt depends on the seed alone.

    Samples are nested: the first ten pages learnt are among the first twenty.
    """

    def __init__(self, site: Site, sampling: Sampling) -> None:
        self.site = site
        self.sampling = sampling
        # The same page under two addresses would be learnt and scored.
        distinct = {page.raw.body: page for page in Corpus(site.path) if page.site == site.name}
        self.members: tuple[GoldPage, ...] = tuple(distinct.values())
        self.scored, self.learnable = self.divide(range(len(self.members)), sampling.scored)
        self._pages: dict[int, Page] = {}
        self._blocks: dict[int, Blocks] = {}
        self._words: dict[int, PageWords] = {}
        self._models: dict[tuple[Method, int], Model] = {}

    def divide(self, numbers: Iterable[int], most: int) -> tuple[list[int], list[int]]:
        """(pages to score, pages to learn from), both in random order."""
        shuffled = list(numbers)
        random.Random(self.sampling.seed).shuffle(shuffled)
        scored = min(most, math.ceil(LARGEST_SCORED_SHARE * len(shuffled)))
        return shuffled[:scored], shuffled[scored:]

    def page(self, number: int) -> Page:
        if number not in self._pages:
            self._pages[number] = read_page(self.members[number].raw)
        return self._pages[number]

    def blocks(self, number: int) -> Blocks:
        if number not in self._blocks:
            self._blocks[number] = segment(self.page(number))
        return self._blocks[number]

    def words(self, number: int) -> PageWords:
        if number not in self._words:
            self._words[number] = PageWords.of(self.blocks(number), self.members[number].gold)
        return self._words[number]

    def model(self, method: Method, pages: int | None = None) -> Model:
        """What the method learns from the first so many pages (as the sampling says); learnt once."""
        most = min(pages or self.sampling.pages, len(self.learnable))
        if (method, most) not in self._models:
            self._models[method, most] = method.fit([self.page(number) for number in self.learnable[:most]])
        return self._models[method, most]

    def score(self, model: Model, numbers: Sequence[int] | None = None) -> list[WordScore]:
        """One score a page, of all that are to be scored unless said otherwise."""
        return [
            self.words(number).score(label_blocks(self.blocks(number), model).keep)
            for number in (self.scored if numbers is None else numbers)
        ]

    @cached_property
    def everything(self) -> list[WordScore]:
        """What keeping everything visible scores on each of the pages."""
        return [self.words(number).score(~self.blocks(number).hidden) for number in self.scored]

    @property
    def content_share(self) -> float:
        """Share of the visible words that are gold, mean over the scored pages: the precision of keeping everything."""
        return mean_score(self.everything).precision

    @property
    def has_chrome(self) -> bool:
        return self.content_share < LITTLE_CHROME
