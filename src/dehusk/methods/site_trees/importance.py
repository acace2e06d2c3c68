"""Importance of the places of a site: equations 1 to 5 of Yi, Liu & Li (2003), and the marks that follow.

* Node importance (equation 1) is the entropy of the styles below an element, composite importance (2 and 3) adds what
  its children are worth, and a leaf is worth one minus the mean entropy of its features (4 and 5).
* Probabilities of styles are shares of pages; the base of logarithms is the number of pages with the element. An
  element seen on one page only has importance 1; a leaf without features has importance 0.
* An element that is a leaf on some pages and not on others has "being a leaf" as one of its styles, whose composite
  importance is that of its content.
* MarkNoise (figure 5) stops at the first child that is not noisy. One pass from the leaves up marks all elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.site_trees.site_counts import SiteCounts, entropies
from dehusk.methods.tallies import Tally
from dehusk.page.stable_hashing import Keys, combine, find_keys

_FRAME_DEPTH: Final = 3
"""Levels of elements below BODY that make the frame of a page."""

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SiteTree:
    """The places of a site with their importance; one entry a place, sorted by key."""

    place: Keys
    parent: NDArray[np.intp]
    """Position of the parent; -1 for the root, and where the parent was dropped."""
    depth: NDArray[np.int64]
    pages: NDArray[np.int64]
    """Pages with the place."""
    leaf_pages: NDArray[np.int64]
    """Pages on which it is a leaf."""
    node: Values
    """Equation 1: entropy of the styles below."""
    composite: Values
    """Equations 2 to 4."""

    def find(self, keys: Keys) -> NDArray[np.intp]:
        """Position of each place; -1 where the site has none such."""
        return find_keys(self.place, keys)

    def mark(self, threshold: float) -> Marks:
        """Which elements are noisy, and which meaningful, if those up to the threshold are unimportant."""
        noisy = self.composite <= threshold
        has_noise_below = np.zeros(len(self.place), dtype=bool)
        for level in self._levels[::-1]:
            children = level[self.parent[level] >= 0]
            np.logical_and.at(noisy, self.parent[children], noisy[children])
            np.logical_or.at(has_noise_below, self.parent[children], noisy[children] | has_noise_below[children])
        return Marks(self, noisy, ~noisy & ~has_noise_below)

    @cached_property
    def family(self) -> NDArray[np.int64]:
        """Pages of the kind that has the place: those with the elements around it, down to the third below BODY.

        Shops, magazines and forums of one site have frames of their own; inside a frame, pages differ in what they say.
        """
        family = self.pages.copy()
        for number, level in enumerate(self._levels[1:], 1):
            children = level[self.parent[level] >= 0]
            around = family[self.parent[children]]
            family[children] = np.minimum(family[children], around) if number <= _FRAME_DEPTH else around
        return family

    @cached_property
    def _levels(self) -> list[NDArray[np.intp]]:
        """Places by depth, from the top."""
        order = np.argsort(self.depth, kind="stable")
        cuts = np.flatnonzero(np.diff(self.depth[order])) + 1
        return [level for level in np.split(order, cuts) if len(level)]


@dataclass(frozen=True, eq=False)
class Marks:
    """Noisy: nothing in it is important. Meaningful: nothing in it is noisy. Many elements are neither."""

    tree: SiteTree
    noisy: Mask
    meaningful: Mask

    @cached_property
    def maximal_noisy(self) -> Mask:
        """bool: noisy, and in no other noisy element."""
        return self.noisy & ~self._of_parent(self.noisy)

    @cached_property
    def maximal_meaningful(self) -> Mask:
        """bool: meaningful, and in no other meaningful element."""
        return self.meaningful & ~self._of_parent(self.meaningful)

    @cached_property
    def simplified(self) -> Mask:
        """bool: what is left if all below maximal noisy and maximal meaningful elements is taken away."""
        return ~self._of_parent(self.noisy) & ~self._of_parent(self.meaningful)

    def _of_parent(self, mask: Mask) -> Mask:
        # All in a noisy element is noisy, and all in a meaningful one meaningful: the parent speaks for all above.
        parent = self.tree.parent
        return np.where(parent >= 0, mask[parent], False)


def grow_tree(counts: SiteCounts, attenuation: float) -> SiteTree:
    """Importance of every place, from the deepest up."""
    place, depth = counts.places.keys[:, 0], counts.places.keys[:, 4].astype(np.int64)
    pages, leaf_pages = counts.places.counts[:, 0], counts.places.counts[:, 1]
    content = content_importance(counts.features, place, leaf_pages)
    styles = Styles(counts, place, pages, leaf_pages)
    composite = np.where(leaf_pages == pages, content, 0.0)
    composite[pages == 1] = 1.0
    weight = attenuation ** np.maximum(styles.number, 1)
    for level in np.unique(depth)[::-1].tolist():
        inner = np.flatnonzero((depth == level) & (leaf_pages < pages) & (pages > 1))
        below = styles.mean_of_children(composite, inner) + styles.leaf_share[inner] * content[inner]
        composite[inner] = (1 - weight[inner]) * styles.entropy[inner] + weight[inner] * below
    return SiteTree(
        place, find_keys(place, counts.places.keys[:, 1]), depth, pages, leaf_pages, styles.entropy, composite
    )


def feature_entropies(features: Tally, place: Keys, leaf_pages: NDArray[np.int64]) -> tuple[NDArray[np.intp], Values]:
    """(position of its place or -1, entropy) of every feature."""
    owner = find_keys(place, features.keys[:, 0])
    known_pages = np.where(owner >= 0, leaf_pages[owner], 1) if len(place) else np.ones(len(owner), dtype=np.int64)
    return owner, entropies(features, known_pages)


def content_importance(features: Tally, place: Keys, leaf_pages: NDArray[np.int64]) -> Values:
    """Equation 4: one minus the mean entropy of the features of each leaf; 0 without features."""
    owner, entropy = feature_entropies(features, place, leaf_pages)
    counted = owner >= 0
    number = np.bincount(owner[counted], minlength=len(place))
    total = np.bincount(owner[counted], weights=entropy[counted], minlength=len(place))
    mean = np.divide(total, number, out=np.ones(len(place)), where=number > 0)
    return np.where(leaf_pages == 1, np.where(number > 0, 1.0, 0.0), 1 - mean)


class Styles:
    """The styles below each place, with their shares of pages. `entropy` is equation 1."""

    def __init__(
        self, counts: SiteCounts, place: Keys, pages: NDArray[np.int64], leaf_pages: NDArray[np.int64]
    ) -> None:
        size = len(place)
        owner = find_keys(place, counts.styles.keys[:, 0])
        kept = owner >= 0  # in giant sites some places are not counted; their styles do not count either
        self._owner = owner[kept]
        self._share = counts.styles.counts[kept, 0] / np.maximum(pages[self._owner], 1) if size else np.zeros(0)
        self.leaf_share = leaf_pages / np.maximum(pages, 1)
        self.number = np.bincount(self._owner, minlength=size) + (leaf_pages > 0)
        entropy = np.bincount(self._owner, weights=-self._share * np.log(self._share), minlength=size)
        leaf_part = -self.leaf_share * np.log(np.where(leaf_pages > 0, self.leaf_share, 1.0))
        self.entropy = np.where(pages > 1, (entropy + leaf_part) / np.log(np.maximum(pages, 2)), 1.0)
        self._style_of_child, self._child = _children(counts, counts.styles.keys[kept], place)

    def mean_of_children(self, composite: Values, places: NDArray[np.intp]) -> Values:
        """Sum over styles of share times equation 3, for some places."""
        wanted = np.zeros(len(composite), dtype=bool)
        wanted[places] = True
        chosen = wanted[self._owner[self._style_of_child]]
        style, child = self._style_of_child[chosen], self._child[chosen]
        number = np.bincount(style, minlength=len(self._owner))
        total = np.bincount(style, weights=composite[child], minlength=len(self._owner))
        mean = np.divide(total, number, out=np.zeros(len(self._owner)), where=number > 0)
        below: Values = np.bincount(self._owner, weights=self._share * mean, minlength=len(composite)).astype(float)
        return below[places]


def _children(counts: SiteCounts, styles: Keys, place: Keys) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(position of its style, position of its place) of every child."""
    children = counts.children.keys
    style_key = combine(styles[:, 0], styles[:, 1])
    order = np.argsort(style_key, kind="stable")
    found = find_keys(style_key[order], combine(children[:, 0], children[:, 1]))
    child = find_keys(place, children[:, 2])
    known = (found >= 0) & (child >= 0)
    return order[found[known]], child[known]
