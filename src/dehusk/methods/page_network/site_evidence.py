"""Page evidence and site evidence -> one log-odds a block.

    log-odds = page + trust * (bias + own * page + sum of weight * column)

`page` is the network's log-odds for the block. The columns hold what the site knows about it: the network's log-odds
for the same style signature and for the same text on other pages, how many pages have the same text, how certain the
network is about the site as a whole. The weights are few, and learnt from sites (`lab.training.site_weights`). Trust
grows with the number of pages learnt and is 0 without any, so one formula serves pages with and without a site. A page
unlike those learnt gets no trust, and articles get less, because the network knows them well.

The columns are about single blocks. As far as the site is trusted, blocks then take evidence from the others in their
part of the page (`part_trees`): labels stay with the facts they label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.part_trees import PartTree, evidence_from_others
from dehusk.methods.page_network.site_readings import (
    LOG_ODDS_LIMIT,
    PageReadings,
    SiteReadings,
    look_up,
    other_pages,
    weighted_quantile,
)

COLUMNS: Final = (
    "signature",
    "known signature",
    "template signature",
    "text log-odds",
    "same text",
    "same sentence",
    "same link",
    "link",
    "own text",
    "own text around",
    "own text of part",
    "level of site",
    "level of page",
    "certainty",
)
"""What the site knows about a block, by name; see `site_columns`."""
PAGE_COLUMNS: Final = frozenset(("level of site", "level of page", "certainty"))
"""Columns with the same value for all blocks of a page."""
_SENTENCE: Final = 12
"""Words of a text that several pages do not share by coincidence."""
_NEARLY_ALL: Final = 0.8
"""Share of pages that counts as all of them."""
_AROUND: Final = 3
"""Neighbouring blocks on each side."""
_OUTWARDS: Final = 2
"""Steps outwards from the closest part of the page: to a table, or to a box with its heading."""
_AGREEMENT: Final = 0.5
"""Weight of the evidence from other blocks. With 1, articles get worse: there the network alone knows better."""
_HALF_TRUST: Final = 2.0
"""Pages learnt that give half of the full trust."""
_ARTICLES: Final = 0.6
"""How much less the site is trusted on articles, where the network is seldom wrong."""
_ALIKE: Final = 0.5
"""Share of a page's text with a style signature of the site, from which the page belongs to the site."""

Columns = NDArray[np.float32]
"""float32, blocks x `COLUMNS`: values of about 1."""


@dataclass(frozen=True, slots=True)
class SiteWeights:
    """The weight of each kind of evidence."""

    bias: float = 0.0
    own: float = 0.0
    columns: Mapping[str, float] = field(default_factory=dict)
    """Name -> weight; missing columns have weight 0."""

    def shifts(self, page: PageReadings, columns: Columns) -> NDArray[np.float64]:
        """float64, blocks x (`COLUMNS` + 1): what each kind adds to the log-odds; the last column is own and bias."""
        weights = np.array([self.columns.get(name, 0.0) for name in COLUMNS])
        rest = self.bias + self.own * page.logits.astype(np.float64)
        return np.concatenate([columns * weights, rest[:, None]], axis=1) * in_body(page)[:, None]


def in_body(page: PageReadings) -> NDArray[np.bool_]:
    """bool: blocks inside BODY, which have a style signature; the title has none."""
    return np.asarray(page.signature != 0)


def site_columns(page: PageReadings, tree: PartTree, site: SiteReadings) -> Columns:
    """What the site knows about the blocks of a page, as columns."""
    signatures, texts = look_up(site.signatures, page.signature), look_up(site.texts, page.text)
    others = other_pages(page, site)
    # For a new signature the page itself is the best evidence.
    signature_logits = np.where(signatures.known, signatures.logits, page.logits)
    shared = np.maximum(texts.pages - (site.pages - others), 0)
    share = shared / max(others, 1)
    rarity = 1 - np.log(np.maximum(shared, 1)) / np.log(max(others, 2))
    own_text = rarity * (1 - page.link_share)
    is_own = (shared == 0) & (page.link_share < 0.5)
    columns = {
        "signature": signature_logits / 3,
        "known signature": signatures.known,
        "template signature": _template_share(page, signatures.known, share),
        # Where footers share the signature of paragraphs, a text on all pages is judged by itself.
        "text log-odds": np.minimum(share, 1) * (texts.logits - signature_logits) / 3,
        "same text": share * np.minimum(page.words / _SENTENCE, 1),
        "same sentence": (share > _NEARLY_ALL) & (page.words >= _SENTENCE) & (page.link_share < 0.5),
        "same link": (shared > 0) * page.link_share,
        "link": page.link_share,
        "own text": own_text,
        "own text around": _mean_around(own_text),
        "own text of part": tree.means(own_text, page.words.astype(np.float64), _OUTWARDS),
        "level of site": np.full(len(page), site.level / 3),
        "level of page": np.full(len(page), weighted_quantile(page.logits[is_own], page.words[is_own], 0.5) / 3),
        "certainty": np.full(len(page), float(np.abs(page.logits).mean()) / 3 if len(page) else 0.0),
    }
    return np.stack([columns[name] for name in COLUMNS], axis=1).astype(np.float32)


def _mean_around(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64: the mean over a block and its neighbours, with zeros beyond the page."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    number = np.arange(len(values))
    last, first = np.minimum(number + _AROUND + 1, len(values)), np.maximum(number - _AROUND, 0)
    return np.asarray((sums[last] - sums[first]) / (2 * _AROUND + 1))


def _template_share(page: PageReadings, known: NDArray[np.bool_], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64: share of the page's text of the same signature that other pages also have; 0 for new signatures."""
    _, number = np.unique(page.signature, return_inverse=True)
    words = np.bincount(number, weights=page.words)
    common = np.bincount(number, weights=page.words * np.minimum(share, 1))
    return np.where(known, (common / np.maximum(words, 1))[number], 0.0)


def match(page: PageReadings, site: SiteReadings) -> float:
    """From 0 to 1: share of the page's text with a style signature of the site; 0 without text."""
    known = look_up(site.signatures, page.signature).known
    return float(page.words[known].sum() / page.words.sum()) if len(page) else 0.0


def trust(page: PageReadings, site: SiteReadings) -> float:
    """From 0 to 1: how far to trust the site on this page."""
    alike = min(match(page, site) / _ALIKE, 1.0)
    others = other_pages(page, site)
    return alike * (1 - _ARTICLES * page.article) * others / (others + _HALF_TRUST)


def combine_evidence(
    page: PageReadings, tree: PartTree, site: SiteReadings, weights: SiteWeights
) -> NDArray[np.float32]:
    """float32, one entry per block: the log-odds of being content, clipped."""
    if not other_pages(page, site) or not len(page):
        return page.logits
    return weigh(page, tree, weights.shifts(page, site_columns(page, tree, site)), trust(page, site))


def weigh(page: PageReadings, tree: PartTree, shifts: NDArray[np.float64], trusted: float) -> NDArray[np.float32]:
    """float32: the log-odds of the page, shifted by the site as far as it is trusted."""
    moved = page.logits + trusted * shifts.sum(axis=1)
    combined = moved + agreement(moved, tree, trusted)
    return np.asarray(np.clip(combined, -2 * LOG_ODDS_LIMIT, 2 * LOG_ODDS_LIMIT), dtype=np.float32)


def agreement(logits: NDArray[np.float64], tree: PartTree, trusted: float) -> NDArray[np.float64]:
    """float64: what the other blocks of the page add to the log-odds of each block."""
    return _AGREEMENT * trusted * evidence_from_others(logits, tree)
