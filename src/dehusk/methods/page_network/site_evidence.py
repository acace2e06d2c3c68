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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.site_readings import (
    LOG_ODDS_LIMIT,
    PageReadings,
    SiteReadings,
    look_up_signatures,
    other_pages,
    pages_with,
)
from dehusk.methods.page_network.site_weights import COLUMNS, Columns, SiteWeights

_SENTENCE: Final = 12
"""Words of a text that several pages do not share by coincidence, and that is no label."""
_NEARLY_ALL: Final = 0.8
"""Share of pages that counts as all of them."""
_AROUND: Final = 3
"""Neighbouring blocks on each side."""
TEMPLATE: Final = 0.5
"""How much of a region other pages repeat; where it is more, it is template. Of the words dropped by kinds left out,
33 % were content in regions with 0.3 to 0.5, 4 % with 0.5 to 0.7, and 1 % above 0.9."""
_HALF_TRUST: Final = 2.0
"""Pages learnt that give half of the full trust."""
_ALIKE: Final = 0.5
"""Share of a page's text with a style signature of the site, from which the page belongs to the site."""


def site_columns(page: PageReadings, site: SiteReadings) -> Columns:
    """What the site knows about the blocks of a page, as columns."""
    signatures = look_up_signatures(site, page.signature)
    others = max(other_pages(page, site), 1)
    having = _other_pages_with(page, site)
    share = np.minimum(having / others, 1)
    own_text = (1 - np.log(np.maximum(having, 1)) / np.log(max(others, 2))) * (1 - page.link_share)
    # For a new signature the page itself is the best evidence.
    style = np.where(signatures.known, signatures.logits, page.logits)
    columns = {
        "same text": share * np.minimum(page.words / _SENTENCE, 1),
        "same sentence": (share > _NEARLY_ALL) & (page.words >= _SENTENCE) & (page.link_share < 0.5),
        "same link": (having > 0) * page.link_share,
        "template signature": site.regions.repeated_of(page.signature),
        "own text around": _mean_around(own_text),
        "signature": (page.logits - style) / 3,
    }
    return np.stack([columns[name] for name in COLUMNS], axis=1).astype(np.float32)


def is_repeated(page: PageReadings, site: SiteReadings) -> NDArray[np.bool_]:
    """bool: blocks that the site may take away: other pages have them in the same place, and they are no labels."""
    in_template = site.regions.repeated_of(page.signature) > TEMPLATE
    return np.asarray((_other_pages_with(page, site) > 0) & (in_template | (page.words >= _SENTENCE)))


def _other_pages_with(page: PageReadings, site: SiteReadings) -> NDArray[np.int64]:
    """int64: pages learnt, other than this one, that have each block in the same place."""
    itself = site.pages - other_pages(page, site)
    return np.maximum(pages_with(site, page.place) - itself, 0)


def _mean_around(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64: the mean over a block and its neighbours, with zeros beyond the page."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    number = np.arange(len(values))
    last, first = np.minimum(number + _AROUND + 1, len(values)), np.maximum(number - _AROUND, 0)
    return np.asarray((sums[last] - sums[first]) / (2 * _AROUND + 1))


def match(page: PageReadings, site: SiteReadings) -> float:
    """From 0 to 1: share of the page's text with a style signature of the site; 0 without text."""
    known = look_up_signatures(site, page.signature).known
    return float(page.words[known].sum() / page.words.sum()) if len(page) else 0.0


def trust(page: PageReadings, site: SiteReadings) -> float:
    """From 0 to 1: how far to trust the site on this page."""
    others = other_pages(page, site)
    return min(match(page, site) / _ALIKE, 1.0) * others / (others + _HALF_TRUST)


def site_shifts(page: PageReadings, site: SiteReadings, weights: SiteWeights) -> NDArray[np.float32]:
    """float32, one entry per block, at most 0: what the site adds to the log-odds of being content."""
    lowering = trust(page, site) * weights.lowering(site_columns(page, site)) * is_repeated(page, site)
    return np.asarray(-np.minimum(lowering, 2 * LOG_ODDS_LIMIT), dtype=np.float32)


def shifts_by_column(page: PageReadings, site: SiteReadings, weights: SiteWeights) -> Mapping[str, NDArray[np.float64]]:
    """Column -> float64: its part of what the site adds, shared out among the columns that speak against a block."""
    against = np.maximum(weights.weighed(site_columns(page, site)), 0)
    shares = against / np.maximum(against.sum(axis=1, keepdims=True), 1e-9)
    return dict(zip(COLUMNS, (shares * site_shifts(page, site, weights)[:, None]).T, strict=True))
