"""Count on how many pages a feature is anywhere inside an element, although counts are kept by leaf.

The pages of an element with a feature are not the sum over its leaves: a page may have the feature in several of them.
So beside the leaves, the *overlaps* are counted: of the leaves of a page that have a feature, each two neighbours meet
in one element, the lowest around both, and there the page was counted once too often. For every element above, the sum
over its leaves minus the overlaps inside is 1 for a page with the feature, however many leaves have it. Both add up
over pages, parts of a site and merged elements, and there are never more overlaps than leaves with features: storing
the features of every element would take as many entries for each as pages are deep.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.site_trees.template_positions import PositionedPage
from dehusk.methods.tallies import Tally, tally
from dehusk.page.page_columns import Page, Rows
from dehusk.page.stable_hashing import Keys, find_keys

Indices = NDArray[np.intp]

_ROW_BITS = np.int64(32)
"""Bits for a row beside its depth in one number, so that the smallest number names the shallowest row."""


def count_overlaps(positioned: PositionedPage, rows: Rows, features: Keys) -> Tally:
    """(position, feature) -> 1, overlaps: where the leaves of a page that have a feature meet; `rows` have features."""
    has_feature = tally([features, positioned.leaf[rows].astype(np.uint64)], [np.ones(len(rows), dtype=np.int64)]).keys
    leaves, number = np.unique(has_feature[:, 1], return_inverse=True)
    same = np.flatnonzero(has_feature[1:, 0] == has_feature[:-1, 0])
    around = _meeting_rows(positioned.page, leaves.astype(np.intp), number[same], number[same + 1])
    met = tally([positioned.key[around], has_feature[same, 0]], [np.ones(len(same), dtype=np.int64)])
    return Tally(met.keys, np.stack([np.ones(len(met), dtype=np.int64), met.counts[:, 0]], axis=1))


def _meeting_rows(page: Page, leaves: Indices, first: Indices, second: Indices) -> Indices:
    """The lowest element around each two leaves, given by their numbers among the leaves in document order.

    The shallowest row after the first leaf, up to the second, is a child of that element. Minima over 1, 2, 4, ...
    leaves answer that for all pairs, in time linear in the page but for a logarithm.
    """
    if not len(first):
        return np.zeros(0, dtype=np.intp)
    rank = (page.depth.astype(np.int64) << _ROW_BITS) + np.arange(len(page))
    shallowest = np.minimum.reduceat(rank[: leaves[-1] + 1], leaves[:-1] + 1)
    found = np.zeros(len(first), dtype=np.int64)
    power = np.frexp(second - first)[1] - 1
    for exponent in range(int(power.max()) + 1):
        chosen, width = np.flatnonzero(power == exponent), 1 << exponent
        found[chosen] = np.minimum(shallowest[first[chosen]], shallowest[second[chosen] - width])
        shallowest = np.minimum(shallowest[:-width], shallowest[width:])
    around: Indices = page.parent[found & ((1 << _ROW_BITS) - 1)].astype(np.intp)
    return around


def pages_inside(features: Tally, overlaps: Tally, position_key: Keys, around: Indices) -> Tally:
    """(index of an element, feature) -> pages on which it is anywhere in the element.

    `around` has for each position, sorted by key, the index of the element that its features count for, or -1.
    """
    keys: list[Keys] = []
    counts: list[NDArray[np.int64]] = []
    for table, pages in ((features, features.counts[:, 2]), (overlaps, -overlaps.counts[:, 1])):
        at = find_keys(position_key, table.keys[:, 0])
        element = np.where(at >= 0, around[at], -1)
        inside = element >= 0
        keys.append(np.stack([element[inside].astype(np.uint64), table.keys[inside, 1]], axis=1))
        counts.append(pages[inside])
    together = np.concatenate(keys)
    return tally([together[:, 0], together[:, 1]], [np.concatenate(counts)])
