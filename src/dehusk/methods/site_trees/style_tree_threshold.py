"""The automatic threshold of the style tree: the valley between the scores of template and content.

Yi, Liu & Li (2003) chose t by looking at cleaned pages of each site. What they saw is a gap: template scores near 0,
content well above, and the less text lies around t, the less its exact value matters. So t is the score around which
the learnt pages have the least text, within a range that holds for all sites.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.site_trees.style_tree_scoring import TextEvidence, TextScorer
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.methods.tallies import Tally

_RANGES: Final = {Matching.ALIGNED: (0.08, 0.16), Matching.EXACT: (0.10, 0.40)}
"""The lowest and the highest automatic threshold."""
_STEP: Final = 0.01
"""How finely thresholds are tried."""
_WIDTH: Final = 0.03
"""Standard deviation of the Gaussian that smooths the scores: a narrower gap is accidental."""


def choose_threshold(scorer: TextScorer, texts: Tally) -> float:
    """Choose t for a site from its counted texts: (text, position key) -> pages, characters, characters in links."""
    index = scorer.tree.find(texts.keys[:, 1])
    known = index >= 0
    index, size = index[known], texts.counts[known, 1].astype(np.float64)
    pages = scorer.pages_with_texts(texts.keys[known, 0])
    # Counts have no link targets, so only links whose text other pages share count here.
    shared = scorer.is_shared(pages) * texts.counts[known, 2] / np.maximum(size, 1)
    evidence = TextEvidence(index, scorer.tree.composite[index], pages, scorer.rarity(pages, index), shared)
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
