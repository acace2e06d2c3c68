"""What each kind of evidence of the style tree is worth: the method without it, on sites with chrome.

Noise whose content varies (related products, teasers) is what a tree of places cannot see. Repeated texts and shared
links are how far a site method can see it; the rest needs evidence of the page itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dehusk.lab.evaluation.text_scores import WordScore
from dehusk.methods.site_trees.style_tree import StyleTree
from site_learning.loaded_site import LITTLE_CHROME, LoadedSite
from site_learning.scoring import mean_score
from site_learning.sections import markdown_table

VARIANTS: Final[Mapping[str, StyleTree]] = {
    "all evidence": StyleTree(),
    "without rarity of texts": StyleTree(text_rarity=False),
    "without shared links": StyleTree(shared_links=False),
    "without regions": StyleTree(change_price=0.0),
    "importance of places alone": StyleTree(text_rarity=False, shared_links=False, change_price=0.0),
    "exact matching: importance alone": StyleTree(matching="exact"),  # type: ignore[arg-type]
}


@dataclass(frozen=True, slots=True)
class SiteEvidence:
    """Scores of a site by variant."""

    scores: Mapping[str, WordScore]


def measure(loaded: LoadedSite) -> SiteEvidence | None:
    """Sites with little chrome have little noise to see: they are left out."""
    if loaded.content_share >= LITTLE_CHROME:
        return None
    return SiteEvidence({name: mean_score(loaded.score(loaded.model(method))) for name, method in VARIANTS.items()})


def report(sites: Sequence[SiteEvidence]) -> str:
    rows = []
    for name in VARIANTS:
        mean = mean_score(site.scores[name] for site in sites)
        rows.append([name, f"{mean.f1:.3f}", f"{mean.precision:.3f}", f"{mean.recall:.3f}"])
    table = markdown_table(["style tree", "F1", "precision", "recall"], rows)
    return f"Means over the {len(sites)} sites with content share < {LITTLE_CHROME}.\n\n{table}\n"
