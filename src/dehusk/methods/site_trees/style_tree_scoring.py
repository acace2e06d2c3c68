"""Scores of texts in the style tree: importance, rarity and shared links (see `style_tree`), votes of regions, the
threshold, and the reasons in words.

*Region voting* keeps or drops neighbouring blocks together, along the tree of the page. Each block has a gain: what is
won by keeping it (positive) or by dropping it (negative). Deciding block by block drops the labels in a table of facts
and keeps the date in a footer. Here every element gets a decision, and an element that decides differently from its
parent pays a price. The decisions with the largest sum of gains minus prices are found exactly, in one pass up the tree
and one down (a Potts model on a tree), in time linear in the number of rows.

The *automatic threshold* is the valley between the scores of template and content. Yi, Liu & Li (2003) chose t by
looking at cleaned pages of each site. What they saw is a gap: template scores near 0, content well above, and the less
text lies around t, the less its exact value matters. So t is the score around which the learnt pages have the least
text, within a range that holds for all sites.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.methods.base import Reasons, Scores
from dehusk.methods.site_trees.importance import SiteTree
from dehusk.methods.site_trees.site_counts import link_targets
from dehusk.methods.site_trees.template_positions import Matching, PositionedPage
from dehusk.methods.site_trees.text_rows import TextRows
from dehusk.methods.tallies import Tally, counts_of
from dehusk.page.stable_hashing import Keys, keys_of
from dehusk.page.tags import TAG_CODES

FEWEST_SHARING: Final = 2
"""Learnt pages that must have something for other pages to have it: the page itself may be one of those learnt."""
_FEW_PAGES: Final = 10
"""Least size of a family for rarity: fewer pages do not show how rare a text is."""
_RANGES: Final = {Matching.ALIGNED: (0.08, 0.16), Matching.EXACT: (0.10, 0.40)}
"""The lowest and the highest automatic threshold."""
_STEP: Final = 0.01
"""How finely thresholds are tried."""
_WIDTH: Final = 0.03
"""Standard deviation of the Gaussian that smooths the scores: a narrower gap is accidental."""

HIDDEN: Final = "hidden text is not part of the tree"


@dataclass(frozen=True, eq=False)
class PositionedBlocks:
    """The blocks of a page with what is known about them before a threshold is chosen."""

    page: PositionedPage
    texts: TextRows
    pages: NDArray[np.int64]
    """One entry per block: learnt pages with its text."""
    shared: NDArray[np.float64]
    """One entry per block: the share of its text in links that other pages have."""


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """What the site's counts say about some texts; one entry per text."""

    index: NDArray[np.intp]
    """Index of its template position in the tree; -1 if it has none."""
    importance: NDArray[np.float64]
    """Importance of its leaf; NaN if it has no template position."""
    pages: NDArray[np.int64]
    """Learnt pages with the text."""
    rarity: NDArray[np.float64]
    shared: NDArray[np.float64]
    """Share of the text in links that other pages have."""


@dataclass(frozen=True, slots=True)
class ScoredBlocks:
    """The scores of a page's blocks and the evidence for them; one entry per block."""

    blocks: Blocks
    evidence: TextEvidence
    own: NDArray[np.float64]
    """Scores before region voting."""
    scores: Scores

    def kept_share(self, size: NDArray[np.float64], threshold: float) -> float:
        """The share of the text that is kept; 1 if there is no text."""
        keep = np.isnan(self.scores) | (self.scores >= np.float32(threshold))
        return float(size[keep].sum() / size.sum()) if size.any() else 1.0


@dataclass(frozen=True, eq=False)
class TextScorer:
    """Scores texts by the counts of a site."""

    tree: SiteTree
    pages: int
    """Pages learnt."""
    texts: Tally
    """(text) -> pages with it, at any template position."""
    targets: Tally
    """(link target) -> pages."""
    matching: Matching
    use_rarity: bool
    use_links: bool

    def pages_with_texts(self, texts: Keys) -> NDArray[np.int64]:
        """int64: learnt pages with each text."""
        return counts_of(self.texts, texts)[:, 0]

    def is_shared(self, pages: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool: texts on enough pages to count as shared, if shared links count at all."""
        return (pages >= FEWEST_SHARING) & self.use_links

    def rarity(self, pages: NDArray[np.int64], index: NDArray[np.intp]) -> NDArray[np.float64]:
        """1 - log n / log m for texts on n pages, at template positions whose family has m pages."""
        family = np.where(index >= 0, self.tree.family[index], self.pages) if len(self.tree.key) else self.pages
        most = np.clip(family, min(_FEW_PAGES, self.pages), None)
        spread: NDArray[np.float64] = np.log(np.maximum(pages, 1)) / np.log(np.maximum(most, 2))
        return np.clip(1 - spread, 0.0, 1.0)

    def shared_links(self, blocks: Blocks, pages: NDArray[np.int64]) -> NDArray[np.float64]:
        """One entry per block: the share of its text in links that other pages have; `pages` have the block's text."""
        if not (self.matching is Matching.ALIGNED and self.use_links):
            return np.zeros(len(blocks))
        targets = link_targets(blocks.page)
        rows = np.array([row for row, _ in targets], dtype=np.int32)
        is_known = counts_of(self.targets, keys_of([address for _, address in targets]))[:, 0] >= FEWEST_SHARING
        is_shared = np.zeros(len(blocks.page) + 1, dtype=np.int64)
        is_shared[rows + 1] = is_known
        # An element comes before its text, so a link counts for the block that contains or follows it.
        before = np.cumsum(is_shared)
        start = np.concatenate(([0], blocks.last_row[:-1] + 1)) if len(blocks) else blocks.last_row
        known_targets = before[blocks.last_row + 1] - before[np.minimum(start, blocks.first_row)]
        return np.where((pages >= FEWEST_SHARING) | (known_targets > 0), blocks.link_share, 0.0).astype(np.float64)

    def scores(self, evidence: TextEvidence) -> NDArray[np.float64]:
        """float64: the score of each text; NaN for texts that are new in every respect."""
        importance, rarity = evidence.importance, evidence.rarity
        if self.matching is Matching.EXACT:
            return importance.copy()
        mean = (importance + rarity) / 2 if self.use_rarity else importance
        scores = np.where(np.isnan(importance), rarity, mean) * (1 - evidence.shared)
        is_new = np.isnan(importance) & (evidence.pages == 0) & (evidence.shared == 0)
        return np.where(is_new, np.nan, scores)


def keep_by_regions(blocks: Blocks, gain: NDArray[np.float64], price: float) -> BlockMask:
    """bool: the blocks to keep. Blocks without a gain (0) follow their surroundings."""
    page = blocks.page
    keeping = np.zeros(len(page))
    np.add.at(keeping, blocks.first_row, gain)
    dropping = np.zeros(len(page))
    has_blocks = np.zeros(len(page), dtype=bool)
    has_blocks[blocks.first_row] = True
    levels = page.levels(page.subtree_sums(has_blocks) > 0)
    for level in levels[:0:-1]:
        parent = page.parent[level]
        np.add.at(keeping, parent, np.maximum(keeping[level], dropping[level] - price))
        np.add.at(dropping, parent, np.maximum(dropping[level], keeping[level] - price))
    keep = np.zeros(len(page), dtype=bool)
    for level in levels[:1]:
        keep[level] = keeping[level] > dropping[level]
    for level in levels[1:]:
        advantage = keeping[level] - dropping[level]
        keep[level] = advantage > np.where(keep[page.parent[level]], -price, price)
    return keep[blocks.first_row]


def choose_threshold(scorer: TextScorer, texts: Tally) -> float:
    """Choose t for a site from its counted texts: (text, position key) -> pages, characters, characters in links."""
    index = scorer.tree.find(texts.keys[:, 1])
    known = index >= 0
    index, size = index[known], texts.counts[known, 1].astype(np.float64)
    pages = scorer.pages_with_texts(texts.keys[known, 0])
    # Counts have no link targets, so only links whose text other pages share count here.
    shared = scorer.is_shared(pages) * texts.counts[known, 2] / np.maximum(size, 1)
    evidence = TextEvidence(index, scorer.tree.leaf[index], pages, scorer.rarity(pages, index), shared)
    return deepest_valley(scorer.scores(evidence), size, *_RANGES[scorer.matching])


def deepest_valley(scores: NDArray[np.float64], weights: NDArray[np.float64], lowest: float, highest: float) -> float:
    """The score between `lowest` and `highest` with the least weight around it; the first of several.

    Scores are binned first, so the time is linear in their number.
    """
    steps = round(1 / _STEP)
    bins = np.clip(np.rint(scores * steps), 0, steps).astype(np.intp)
    heights = np.bincount(bins, weights=weights, minlength=steps + 1)
    cuts = np.arange(round(lowest * steps), round(highest * steps) + 1)
    distance = (cuts[:, None] - np.arange(steps + 1)[None, :]) * _STEP
    density = np.exp(-0.5 * (distance / _WIDTH) ** 2) @ heights
    return float(cuts[int(np.argmin(density))] * _STEP)


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains the scores of a page's blocks."""

    scored: ScoredBlocks
    tree: SiteTree
    pages: int
    """Pages learnt."""
    matching: Matching
    threshold: float

    def reasons(self) -> Reasons:
        """For each block: how many pages have its template position and its text, and what else counted."""
        return tuple(self._of_block(block) for block in range(len(self.scored.blocks)))

    def _of_block(self, block: int) -> tuple[str, ...]:
        blocks = self.scored.blocks
        if blocks.hidden[block]:
            return (HIDDEN,)
        if blocks.page.tag[blocks.owner[block]] == TAG_CODES["title"]:
            return ("the title repeats the main heading" if self.scored.own[block] == 0 else "the page's title",)
        return (self._of_position(block), *self._of_text(block), *self._of_region(block))

    def _of_position(self, block: int) -> str:
        index = int(self.scored.evidence.index[block])
        if index < 0:
            return f"none of {self.pages} pages has this template position: possibly meaningful"
        pages, importance = int(self.tree.pages[index]), self.tree.leaf[index]
        return f"this template position is on {pages} of {self.pages} pages, importance {importance:.2f}"

    def _of_text(self, block: int) -> list[str]:
        if self.matching is Matching.EXACT:
            return []
        pages, shared = int(self.scored.evidence.pages[block]), self.scored.evidence.shared[block]
        found = [f"its text is on {pages} of {self.pages} pages"] if pages > 1 else []
        return [*found, f"{shared:.0%} of it is links that other pages have, too"] if shared > 0 else found

    def _of_region(self, block: int) -> list[str]:
        own, score, threshold = self.scored.own[block], self.scored.scores[block], np.float32(self.threshold)
        was_kept, is_kept = bool(np.isnan(own) or own >= threshold), bool(np.isnan(score) or score >= threshold)
        return [] if was_kept == is_kept else [f"{'kept' if is_kept else 'dropped'} with its surroundings"]
