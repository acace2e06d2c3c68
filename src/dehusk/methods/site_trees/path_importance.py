"""Importance of places along their paths, and weights of words: equations 1 to 5 of Yi & Liu (2003).

* The importance of an inner element is the entropy of the styles below it (equation 1); that of a leaf is one minus the
  mean entropy of its features (2 and 3). Shares are shares of *tags*: after similar elements of a style are merged, an
  element has several tags on a page.
* Path importance (4) is one minus the product of all that is missing to 1 on the way from the root: it never falls on
  the way down, and an element is as important as the most important one around it.
* A word weighs path importance times one minus its entropy in the leaf (5), for each time it is there.

Readings: an element that is a leaf on some pages and not on others has "being a leaf" as one of its styles, and the
leaf hangs below it. Where the tree does not know a place, the equations say what it would be worth: an element with one
tag has importance 1, and a word on one tag entropy 0, so what was never seen before weighs 1, and a new word at a known
place the path importance of the place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.site_trees.importance import Styles, Values, content_importance, feature_entropies
from dehusk.methods.site_trees.site_counts import SiteCounts
from dehusk.page.stable_hashing import Keys, combine, find_keys

_NOTHING: Final = 1e-6
"""Counts are exact to a millionth (see `places.counting`), so one minus an entropy below that is 0."""


@dataclass(frozen=True, eq=False)
class StructureTree:
    """The elements of a site; one entry each, sorted by key, unless said otherwise."""

    place: Keys
    parent: NDArray[np.intp]
    """Position of the parent; -1 for the root, and where the parent was dropped."""
    tags: NDArray[np.int64]
    """m of equation 1: tags merged in the element."""
    leaf_tags: NDArray[np.int64]
    """m of equation 3: those of them that are leaves."""
    node: Values
    """Equation 1; 0 for what is always a leaf."""
    leaf: Values
    """Equation 2: importance of its content."""
    path: Values
    """Equation 4 for the element."""
    leaf_path: Values
    """Equation 4 for its content."""
    feature: Keys
    """uint64, one entry a feature of a place, sorted: both in one key."""
    distinction: Values
    """float64, one entry a feature: 1 - H."""

    def find(self, keys: Keys) -> NDArray[np.intp]:
        """Position of each place; -1 where the site has none such."""
        return find_keys(self.place, keys)

    def weights(self, places: Keys, features: Keys) -> Values:
        """Equation 5 for one occurrence of each feature at its place; NaN where the site has no such place."""
        if not len(self.place):
            return np.full(len(places), np.nan)
        position = self.find(places)
        found = find_keys(self.feature, combine(places, features))
        distinction = np.append(self.distinction, 1.0)[found]  # what is not found has position -1
        return np.where(position >= 0, self.leaf_path[position] * distinction, np.nan)


def grow_structure_tree(counts: SiteCounts) -> StructureTree:
    """Importance of every place, from the root down."""
    place, depth = counts.places.keys[:, 0], counts.places.keys[:, 4].astype(np.int64)
    tags, leaf_tags = counts.places.counts[:, 0], counts.places.counts[:, 1]
    parent = find_keys(place, counts.places.keys[:, 1])
    node = Styles(counts, place, tags, leaf_tags).entropy
    leaf = np.where(leaf_tags <= 1, 1.0, content_importance(counts.features, place, leaf_tags))
    missing = _products(1 - node, parent, depth)
    feature, distinction = _distinctions(counts, place, leaf_tags)
    leaf_path = 1 - missing * (1 - leaf)
    return StructureTree(place, parent, tags, leaf_tags, node, leaf, 1 - missing, leaf_path, feature, distinction)


def _products(values: Values, parent: NDArray[np.intp], depth: NDArray[np.int64]) -> Values:
    """The product of the values of each element and all above."""
    products = values.copy()
    for level in np.unique(depth):
        below = np.flatnonzero((depth == level) & (parent >= 0))
        products[below] *= products[parent[below]]
    return products


def _distinctions(counts: SiteCounts, place: Keys, leaf_tags: NDArray[np.int64]) -> tuple[Keys, Values]:
    """(key of place and feature, 1 - H), sorted."""
    owner, entropy = feature_entropies(counts.features, place, leaf_tags)
    key = combine(counts.features.keys[:, 0], counts.features.keys[:, 1])
    order = np.argsort(key, kind="stable")
    order = order[owner[order] >= 0]
    distinction = 1 - entropy[order]
    return key[order], np.where(distinction < _NOTHING, 0.0, distinction)
