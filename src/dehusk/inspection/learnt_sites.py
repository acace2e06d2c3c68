"""What learning a site changed, in a few numbers: for the reports of `clean --learn` and `batch`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.base import SiteModel
from dehusk.methods.page_network.hybrid import HybridModel
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.methods.page_network.site_reports import SiteReport

MOST_COMPARED: Final = 20
"""Pages that are cleaned with and without the site: enough to see what it does, and quick."""
_TEMPLATE: Final = 0.2
"""Share of the pages that have a text from which on it is template: menus of a section are on its pages only."""
NOT_CLEANED: Final[Mapping[Blocks, BlockMask]] = MappingProxyType({})
"""No page is cleaned yet."""


@dataclass(frozen=True, slots=True)
class LearntSite:
    """What a model of a site does to some of its pages."""

    pages: int
    """Pages learnt from."""
    template_share: float
    """Share of the text of these pages that is on a fifth of them or more."""
    blocks: int
    """Blocks that were cleaned with and without the site."""
    blocks_changed: int
    """Those that were decided otherwise because of the site."""
    trust: float
    """From 0 to 1: how much the site counts beside the page; 0 if there was no template to find."""
    report: SiteReport | None = None
    """What a model of the default method says of itself."""

    def __str__(self) -> str:
        pages = "1 page" if self.pages == 1 else f"{self.pages:,} pages"
        learnt = f"learnt from {pages}, {self.template_share:.0%} of their text is template"
        if self.report and self.report.distrust:
            return f"{learnt}; {self.report}"
        if not self.trust:
            return f"{learnt}; not trusted: each page is judged by itself"
        changed = f"{self.blocks_changed:,} of {self.blocks:,} blocks decided otherwise, trust {self.trust:.2f}"
        return f"{learnt}; {changed}" + (f"; {self.report}" if self.report else "")


def describe_learning(
    model: SiteModel, pages: Sequence[Blocks], kept: Mapping[Blocks, BlockMask] = NOT_CLEANED
) -> LearntSite:
    """Clean pages of a site with and without its model, and compare; `kept` has what is known already."""
    changed = 0
    alone = PageEvidence().fit()
    for blocks in pages:
        with_site = kept[blocks] if blocks in kept else label_blocks(blocks, model).keep
        changed += int(np.count_nonzero(with_site != label_blocks(blocks, alone).keep))
    return LearntSite(
        model.pages,
        round(_template_share(pages), 4),
        sum(map(len, pages)),
        changed if model.knows_a_template else 0,
        round(_trust(model, pages), 4),
        model.report if isinstance(model, HybridModel) else None,
    )


def distrust_of(model: SiteModel) -> str:
    """Why a model lets each page be judged by itself; empty if it does not, or cannot tell."""
    return model.report.distrust if isinstance(model, HybridModel) else ""


def _template_share(pages: Sequence[Blocks]) -> float:
    having = Counter(chain.from_iterable(set(blocks.texts) for blocks in pages))
    least = max(2, int(_TEMPLATE * len(pages)) + 1)
    template = {text for text, number in having.items() if number >= least}
    texts = list(chain.from_iterable(blocks.texts for blocks in pages))
    return sum(map(len, filter(template.__contains__, texts))) / max(1, sum(map(len, texts)))


def _trust(model: SiteModel, pages: Sequence[Blocks]) -> float:
    if not model.knows_a_template or not pages:
        return 0.0
    # Methods that learn nothing but the site have nothing else to trust.
    return float(np.mean([model.trust(blocks) for blocks in pages])) if isinstance(model, HybridModel) else 1.0
