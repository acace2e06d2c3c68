"""Page evidence and site evidence -> one log-odds a block.

    log-odds = page + trust * (bias + own * page + sum of weight * column)

The page is what the network says of the block. Columns say what the site knows of it: what the network said of the
same look and of the same text on other pages, on how many pages the same text stands, how sure the network is of the
site as a whole.
Weights are few, and learnt from sites (`training.site_weights`). Trust grows with the pages learnt from, and is 0
without any: one formula serves pages with a site and pages without. A page that looks like none of them gets none, and
articles get less, for the network knows them well.

What the site says is of single blocks, or of single places. As far as it is trusted, blocks then hear what is said of
the others in their part of the page (`network.part_trees`): labels stay with the facts they are labels of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.part_trees import PartTree, said_by_others
from dehusk.methods.page_network.site_readings import (
    SUREST,
    ReadPage,
    SiteReadings,
    find,
    other_pages,
    weighted_quantile,
)

COLUMNS: Final = (
    "look",
    "known look",
    "template look",
    "said of text",
    "same text",
    "same sentence",
    "same link",
    "link",
    "own text",
    "own text around",
    "own text of part",
    "level of site",
    "level of page",
    "sureness",
)
"""What the site knows of a block, by name; see `site_columns`."""
ALL_BLOCKS_ALIKE: Final = frozenset(("level of site", "level of page", "sureness"))
"""Those that are the same for all blocks of a page."""
_SENTENCE: Final = 12
"""Words of a text that is not on several pages by chance."""
_NEARLY_ALL: Final = 0.8
"""Share of pages that have what is said on all of them."""
_AROUND: Final = 3
"""Neighbours on either side."""
_OUTWARDS: Final = 2
"""Steps from the closest part of the page to the one whose text is looked at: a table, or a box with its heading."""
_AGREEMENT: Final = 0.5
"""How much of what is said of other blocks counts. On articles the network knows better, with 1 they are worse."""
_HALF_TRUST: Final = 2.0
"""Pages learnt from that make half of the trust."""
_ARTICLES: Final = 0.6
"""How much less the site is believed on articles: there the network is seldom wrong."""
_ALIKE: Final = 0.5
"""Share of a page's text in looks that the site has, from which on a page is one of the site."""

Columns = NDArray[np.float32]
"""float32, blocks x `COLUMNS`: each about as large as 1."""


@dataclass(frozen=True, slots=True)
class SiteWeights:
    """How much each kind of evidence counts."""

    bias: float = 0.0
    own: float = 0.0
    columns: Mapping[str, float] = field(default_factory=dict)
    """Name -> weight; 0 for what is not there."""

    def shifts(self, page: ReadPage, columns: Columns) -> NDArray[np.float64]:
        """float64, blocks x (`COLUMNS` and one more): what each kind adds to the log-odds; the last is own and bias."""
        weights = np.array([self.columns.get(name, 0.0) for name in COLUMNS])
        rest = self.bias + self.own * page.logits.astype(np.float64)
        return np.concatenate([columns * weights, rest[:, None]], axis=1) * in_body(page)[:, None]


def in_body(page: ReadPage) -> NDArray[np.bool_]:
    """bool: blocks that the site has something to say of. The title stands outside of BODY, and has no look."""
    return np.asarray(page.look != 0)


def site_columns(page: ReadPage, tree: PartTree, site: SiteReadings) -> Columns:
    """The evidence of a site for the blocks of a page."""
    looks, texts, others = find(site.looks, page.look), find(site.texts, page.text), other_pages(page, site)
    # Nobody knows better than the page itself what a look means that is new.
    said_of_look = np.where(looks.known, looks.logits, page.logits)
    shared = np.maximum(texts.pages - (site.pages - others), 0)
    share = shared / max(others, 1)
    rarity = 1 - np.log(np.maximum(shared, 1)) / np.log(max(others, 2))
    own_text = rarity * (1 - page.link_share)
    is_own = (shared == 0) & (page.link_share < 0.5)
    columns = {
        "look": said_of_look / 3,
        "known look": looks.known,
        "template look": _template_share(page, looks.known, share),
        # Where footers look like paragraphs, a text that all pages have is judged by itself.
        "said of text": np.minimum(share, 1) * (texts.logits - said_of_look) / 3,
        "same text": share * np.minimum(page.words / _SENTENCE, 1),
        "same sentence": (share > _NEARLY_ALL) & (page.words >= _SENTENCE) & (page.link_share < 0.5),
        "same link": (shared > 0) * page.link_share,
        "link": page.link_share,
        "own text": own_text,
        "own text around": _mean_around(own_text),
        "own text of part": tree.means(own_text, page.words.astype(np.float64), _OUTWARDS),
        "level of site": np.full(len(page), site.level / 3),
        "level of page": np.full(len(page), weighted_quantile(page.logits[is_own], page.words[is_own], 0.5) / 3),
        "sureness": np.full(len(page), float(np.abs(page.logits).mean()) / 3 if len(page) else 0.0),
    }
    return np.stack([columns[name] for name in COLUMNS], axis=1).astype(np.float32)


def _mean_around(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64: the mean over a block and its neighbours; beyond the page there is nothing."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    number = np.arange(len(values))
    last, first = np.minimum(number + _AROUND + 1, len(values)), np.maximum(number - _AROUND, 0)
    return np.asarray((sums[last] - sums[first]) / (2 * _AROUND + 1))


def _template_share(page: ReadPage, known: NDArray[np.bool_], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64: how much of the page's text of the same look other pages have as well; 0 for looks that are new."""
    _, number = np.unique(page.look, return_inverse=True)
    words = np.bincount(number, weights=page.words)
    common = np.bincount(number, weights=page.words * np.minimum(share, 1))
    return np.where(known, (common / np.maximum(words, 1))[number], 0.0)


def match(page: ReadPage, site: SiteReadings) -> float:
    """From 0 to 1: the share of the page's text that has a look which the site has; 0 without text."""
    known = find(site.looks, page.look).known
    return float(page.words[known].sum() / page.words.sum()) if len(page) else 0.0


def trust(page: ReadPage, site: SiteReadings) -> float:
    """From 0 to 1: how far what the site says of this page is to be believed."""
    alike = min(match(page, site) / _ALIKE, 1.0)
    others = other_pages(page, site)
    return alike * (1 - _ARTICLES * page.article) * others / (others + _HALF_TRUST)


def combine_evidence(page: ReadPage, tree: PartTree, site: SiteReadings, weights: SiteWeights) -> NDArray[np.float32]:
    """float32, one entry a block: the log-odds of being content, within what is as good as certain."""
    if not other_pages(page, site) or not len(page):
        return page.logits
    return weigh(page, tree, weights.shifts(page, site_columns(page, tree, site)), trust(page, site))


def weigh(page: ReadPage, tree: PartTree, shifts: NDArray[np.float64], trusted: float) -> NDArray[np.float32]:
    """float32: the log-odds of the page, moved by what a site says as far as it is trusted."""
    moved = page.logits + trusted * shifts.sum(axis=1)
    combined = moved + agreement(moved, tree, trusted)
    return np.asarray(np.clip(combined, -2 * SUREST, 2 * SUREST), dtype=np.float32)


def agreement(logits: NDArray[np.float64], tree: PartTree, trusted: float) -> NDArray[np.float64]:
    """float64: what the other blocks of the page add to the log-odds of each."""
    return _AGREEMENT * trusted * said_by_others(logits, tree)
