"""What a site's pages have in common, as counts: places, styles, and the features in each leaf.

`count_page` counts one page and `add_counts` adds up; nothing else is needed to learn a site in parts. Features are
words, image sources and link targets, hashed to 64 bits. The sums that entropies need are whole numbers (see `_SCALE`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.characters import words_of
from dehusk.page.columns import Rows
from dehusk.places.hashing import Keys, KeyTable
from dehusk.places.placing import PlacedPage
from dehusk.places.tallies import Tally, add_tallies, empty_tally, tally

_SCALE: Final = 1 << 20
"""n log n is kept as a whole number of 2^-20ths, so that sums are exact in any order; the error of an entropy is below
a millionth."""

MOST_FEATURES: Final = 400_000
"""(place, feature) pairs kept of a site: about 13 MB in memory, 4 MB on disk. Beyond that, a sample by hash is kept."""
MOST_PLACES: Final = 200_000
"""Places, styles and their children kept of a site; sites of 300 pages have some thousands."""


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """Counts over some pages of a site."""

    pages: int
    places: Tally
    """(place, parent, depth) -> pages with the place, pages on which it is a leaf."""
    styles: Tally
    """(place, style) -> pages."""
    children: Tally
    """(place, style, child place) -> pages."""
    features: Tally
    """(place, feature) -> occurrences n, sum over pages of n log n (scaled), pages."""


NOTHING_COUNTED: Final = SiteCounts(0, empty_tally(3, 2), empty_tally(2, 1), empty_tally(3, 1), empty_tally(2, 3))


def count_page(placed: PlacedPage, keys: KeyTable) -> SiteCounts:
    """The counts of one page. `keys` saves hashing the same word again; it changes no result."""
    page, key = placed.page, placed.key
    nodes = np.flatnonzero(placed.node)
    inner = np.flatnonzero(placed.node & ~placed.is_leaf)
    children = np.flatnonzero(placed.parent >= 0)
    parents = placed.parent[children]
    parent_key = np.where(placed.parent[nodes] >= 0, key[placed.parent[nodes]], np.uint64(0))
    depth = page.depth[nodes].astype(np.uint64)
    one = np.ones(len(page), dtype=np.int64)
    return SiteCounts(
        pages=1,
        places=tally([key[nodes], parent_key, depth], [one[nodes], placed.is_leaf[nodes]]),
        styles=tally([key[inner], placed.style[inner]], [one[inner]]),
        children=tally([key[parents], placed.style[parents], key[children]], [one[children]]),
        features=_count_features(placed, keys),
    )


def add_counts(parts: Sequence[SiteCounts]) -> SiteCounts:
    """The counts over all pages of the parts."""
    return SiteCounts(
        pages=sum(part.pages for part in parts),
        places=add_tallies([part.places for part in parts], MOST_PLACES),
        styles=add_tallies([part.styles for part in parts], MOST_PLACES),
        children=add_tallies([part.children for part in parts], MOST_PLACES),
        features=add_tallies([part.features for part in parts], MOST_FEATURES),
    )


def entropies(features: Tally, pages: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64, from 0 to 1: H of each feature over the pages with its place (equation 5); `pages` has one entry each.

    With n_j occurrences on page j and N in all, -sum (n_j/N) log (n_j/N) = log N - (sum n_j log n_j) / N.
    """
    occurrences, scaled = features.counts[:, 0], features.counts[:, 1] / _SCALE
    natural = np.log(occurrences) - scaled / occurrences
    return np.clip(np.divide(natural, np.log(pages), out=np.zeros(len(features)), where=pages > 1), 0.0, 1.0)


def _count_features(placed: PlacedPage, keys: KeyTable) -> Tally:
    rows, features = _features(placed, keys)
    on_page = tally([placed.key[placed.leaf[rows]], features], [np.ones(len(rows), dtype=np.int64)])
    count = on_page.counts[:, 0]
    scaled = np.rint(count * np.log(count) * _SCALE).astype(np.int64)
    return Tally(on_page.keys, np.stack([count, scaled, np.ones_like(count)], axis=1))


def _features(placed: PlacedPage, keys: KeyTable) -> tuple[Rows, Keys]:
    """(row, feature key) of every word, image source and link target in the tree."""
    page = placed.page
    in_leaf = placed.leaf >= 0
    rows: list[int] = []
    texts: list[str] = []
    for row in np.flatnonzero(in_leaf & page.is_text).tolist():
        words = words_of(page.text[page.text_start[row] : page.text_end[row]])
        rows += [row] * len(words)
        texts += words
    addresses = [(row, name + value) for name in ("src ", "href ") for row, value in page.with_attribute(name.strip())]
    for row, address in addresses:
        if in_leaf[row]:
            rows.append(row)
            texts.append(address)
    return np.array(rows, dtype=np.int32), keys.keys_of(texts)


def add_up(parts: Iterable[SiteCounts], most_at_once: int = 64) -> SiteCounts:
    """The same as `add_counts`, with only so many parts in memory at a time."""
    waiting = [NOTHING_COUNTED]
    for part in parts:
        waiting.append(part)
        if len(waiting) >= most_at_once:
            waiting = [add_counts(waiting)]
    return add_counts(waiting)
