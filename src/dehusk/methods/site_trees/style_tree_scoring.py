"""Scores of texts in the style tree, before the threshold: importance, rarity and shared links (see `style_tree`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.base import Scores
from dehusk.methods.site_trees.importance import SiteTree
from dehusk.methods.site_trees.site_counts import link_targets
from dehusk.methods.site_trees.template_positions import Matching, PositionedPage
from dehusk.methods.site_trees.text_rows import TextRows
from dehusk.methods.tallies import Tally
from dehusk.page.stable_hashing import Keys, find_keys, keys_of

FEWEST_SHARING: Final = 2
"""Learnt pages that must have something for other pages to have it: the page itself may be one of those learnt."""
_FEW_PAGES: Final = 10
"""Least size of a family for rarity: with fewer pages, how rare a text is cannot be told."""


@dataclass(frozen=True, eq=False)
class PositionedBlocks:
    """The blocks of a page with what is known of them before a threshold is chosen."""

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
        return _pages_with(self.texts, texts)

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
        is_known = _pages_with(self.targets, keys_of([address for _, address in targets])) >= FEWEST_SHARING
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


def _pages_with(counted: Tally, keys: Keys) -> NDArray[np.int64]:
    """int64: the number of pages that each key was counted on."""
    index = find_keys(counted.keys[:, 0], keys)
    return np.where(index >= 0, counted.counts[index, 0], 0) if len(counted) else np.zeros(len(keys), np.int64)
