"""Why the style tree keeps or drops a block, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dehusk.methods.base import Reasons
from dehusk.methods.site_trees.importance import SiteTree
from dehusk.methods.site_trees.style_tree_scoring import ScoredBlocks
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.page.tags import TAG_CODES

NO_TEMPLATE = "fewer than two different pages were learnt: no template is known"
HIDDEN = "hidden text is not part of the tree"


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
        pages, importance = int(self.tree.pages[index]), self.tree.composite[index]
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
