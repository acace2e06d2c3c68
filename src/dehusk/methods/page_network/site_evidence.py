"""Site evidence: by how much a text that other pages repeat is less likely content.

    log-odds = page - trust * softplus(bias + sum of weight * column)

`page` is the network's log-odds for the block. Site evidence takes away and never adds: on sites of kinds that the
weights had not seen, evidence that raised text did more harm than good (`benchmarks/unseen_kinds.py`). It concerns only
text that another page has in the same place, with the same style signature: a heading that is an item of every menu is
the page's own, and so is all text that no other page has. And a short text is left to page evidence in a region that
mostly differs from page to page: it is the label of a fact there.

The columns say how many pages have the text, how much other pages repeat the text around it, and whether the network
takes the text for better than what else has its style. Their weights are few, and learnt from sites of many kinds
(`lab.training.evidence_weights`). Trust grows with the number of pages learnt and is 0 for a page unlike these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.site_readings import PageReadings, SiteReadings
from dehusk.methods.page_network.site_weights import COLUMNS, NO_WEIGHTS, Columns, SiteWeights
from dehusk.native.calculations import Question, ask

TEMPLATE: Final = 0.5
"""How much of a region other pages repeat; where it is more, it is template. `native/src/site_evidence.rs` has
the same, with the reason, and all other numbers of the columns."""


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """What a site says about the blocks of a page; one entry or row per block."""

    columns: Columns
    is_repeated: NDArray[np.bool_]
    """bool: blocks that the site may take away: other pages have them in the same place, and they are no labels."""
    other_pages: int
    """Pages learnt other than this one, which is no evidence about itself."""
    match: float
    """From 0 to 1: share of the page's text with a style signature of the site; 0 without text."""
    trust: float
    """From 0 to 1: how far to trust the site on this page."""

    shifts: NDArray[np.float32]
    """float32, at most 0: what the site adds to the log-odds of being content. Empty without weights."""

    def shifts_by_column(self, weights: SiteWeights) -> Mapping[str, NDArray[np.float64]]:
        """Column -> float64: its part of what the site adds, shared out among those that speak against a block."""
        against = np.maximum(weights.weighed(self.columns), 0)
        shares = against / np.maximum(against.sum(axis=1, keepdims=True), 1e-9)
        return dict(zip(COLUMNS, (shares * self.shifts[:, None]).T, strict=True))


def site_evidence(page: PageReadings, site: SiteReadings, weights: SiteWeights | None = None) -> SiteEvidence:
    """What a site says about a page, which may be one of those learnt; with weights, also what it adds to log-odds."""
    numbers_of_weights = weights.numbers if weights else NO_WEIGHTS
    found = ask(Question.SITE_EVIDENCE, [*page.arrays, numbers_of_weights, *site.looked_up])
    columns, is_repeated, shifts = found.columns(3)
    numbers = found.summary
    return SiteEvidence(
        columns.reshape(-1, len(COLUMNS)),
        is_repeated.view(np.bool_),
        int(numbers.first),
        numbers.second,
        numbers.third,
        shifts,
    )
