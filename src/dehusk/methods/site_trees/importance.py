"""Importance of the template positions of a site: equations 1 to 5 of Yi, Liu & Li (2003), and noisy elements.

* Node importance (equation 1) is the entropy of the styles below an element, composite importance (2 and 3) adds the
  importance of its children, and that of a leaf is one minus the mean entropy of its features (4 and 5).
* Style probabilities are shares of pages; the base of logarithms is the number of pages with the element. An
  element seen on one page only has importance 1; a leaf without features has importance 0.
* For an element that is a leaf only on some pages, "being a leaf" is one of its styles, whose composite importance is
  that of its content. With `content_apart` that content is judged like a child of its own.
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
"""Levels of elements below BODY that form the frame of a page."""

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SiteTree:
    """The template positions of a site with their importance; one entry per position, sorted by key."""

    key: Keys
    parent: NDArray[np.intp]
    """Index of the parent; -1 for the root, and where the parent was dropped."""
    depth: NDArray[np.int64]
    pages: NDArray[np.int64]
    """Pages with the template position."""
    leaf_pages: NDArray[np.int64]
    """Pages on which it is a leaf."""
    node: Values
    """Equation 1: entropy of the styles below."""
    composite: Values
    """Equations 2 to 4."""
    content: Values
    """Equation 4 for content that is judged apart; NaN elsewhere."""

    @cached_property
    def leaf(self) -> Values:
        """Importance of a leaf at each position: of its content where that is judged apart, else of the element."""
        return np.where(np.isnan(self.content), self.composite, self.content)

    def find(self, keys: Keys) -> NDArray[np.intp]:
        """Index of each key; -1 where the site does not have it."""
        return find_keys(self.key, keys)

    def mark(self, threshold: float) -> NoiseMarks:
        """Mark elements as noisy or meaningful, given that those up to the threshold are unimportant."""
        noisy = (self.composite <= threshold) & ~(self.content > threshold)
        has_noise_below = self.content <= threshold
        for level in self._levels[::-1]:
            children = level[self.parent[level] >= 0]
            np.logical_and.at(noisy, self.parent[children], noisy[children])
            np.logical_or.at(has_noise_below, self.parent[children], noisy[children] | has_noise_below[children])
        return NoiseMarks(self, noisy, ~noisy & ~has_noise_below)

    @cached_property
    def family(self) -> NDArray[np.int64]:
        """Number of pages in the family of a template position: those with the elements around it, down to level 3.

        The shop, magazine and forum of one site have frames of their own; inside a frame, pages differ in content.
        """
        family = self.pages.copy()
        for number, level in enumerate(self._levels[1:], 1):
            children = level[self.parent[level] >= 0]
            around = family[self.parent[children]]
            family[children] = np.minimum(family[children], around) if number <= _FRAME_DEPTH else around
        return family

    @cached_property
    def _levels(self) -> list[NDArray[np.intp]]:
        """Indices by depth, from the top."""
        order = np.argsort(self.depth, kind="stable")
        cuts = np.flatnonzero(np.diff(self.depth[order])) + 1
        return [level for level in np.split(order, cuts) if len(level)]


@dataclass(frozen=True, eq=False)
class NoiseMarks:
    """Noisy elements (nothing in them is important) and meaningful ones (nothing in them is noisy); many neither."""

    tree: SiteTree
    noisy: Mask
    meaningful: Mask

    @cached_property
    def maximal_noisy(self) -> Mask:
        """bool: noisy, and not inside another noisy element."""
        return self.noisy & ~self._of_parent(self.noisy)

    @cached_property
    def maximal_meaningful(self) -> Mask:
        """bool: meaningful, and not inside another meaningful element."""
        return self.meaningful & ~self._of_parent(self.meaningful)

    @cached_property
    def simplified(self) -> Mask:
        """bool: the tree without everything below maximal noisy and maximal meaningful elements."""
        return ~self._of_parent(self.noisy) & ~self._of_parent(self.meaningful)

    def _of_parent(self, mask: Mask) -> Mask:
        # Marks are inherited by everything inside, so the parent stands for all ancestors.
        parent = self.tree.parent
        return np.where(parent >= 0, mask[parent], False)


def grow_tree(counts: SiteCounts, attenuation: float, *, content_apart: bool) -> SiteTree:
    """Compute the importance of every template position, from the deepest up."""
    key, depth = counts.positions.keys[:, 0], counts.positions.keys[:, 4].astype(np.int64)
    pages, leaf_pages = counts.positions.counts[:, 0], counts.positions.counts[:, 1]
    content = content_importance(counts.features, key, leaf_pages)
    styles = Styles(counts, key, pages, leaf_pages)
    composite = np.where(leaf_pages == pages, content, 0.0)
    composite[pages == 1] = 1.0
    weight = attenuation ** np.maximum(styles.number, 1)
    for level in np.unique(depth)[::-1].tolist():
        inner = np.flatnonzero((depth == level) & (leaf_pages < pages) & (pages > 1))
        below = styles.mean_of_children(composite, inner) + styles.leaf_share[inner] * content[inner]
        composite[inner] = (1 - weight[inner]) * styles.entropy[inner] + weight[inner] * below
    apart = content_apart & (leaf_pages > 0) & (leaf_pages < pages)
    parent = find_keys(key, counts.positions.keys[:, 1])
    own = np.where(apart, content, np.nan)
    return SiteTree(key, parent, depth, pages, leaf_pages, styles.entropy, composite, own)


def feature_entropies(features: Tally, key: Keys, leaf_pages: NDArray[np.int64]) -> tuple[NDArray[np.intp], Values]:
    """(index of its template position or -1, entropy) of every feature."""
    owner = find_keys(key, features.keys[:, 0])
    known_pages = np.where(owner >= 0, leaf_pages[owner], 1) if len(key) else np.ones(len(owner), dtype=np.int64)
    return owner, entropies(features, known_pages)


def content_importance(features: Tally, key: Keys, leaf_pages: NDArray[np.int64]) -> Values:
    """Equation 4: one minus the mean entropy of each leaf's features; 0 without features."""
    owner, entropy = feature_entropies(features, key, leaf_pages)
    counted = owner >= 0
    number = np.bincount(owner[counted], minlength=len(key))
    total = np.bincount(owner[counted], weights=entropy[counted], minlength=len(key))
    mean = np.divide(total, number, out=np.ones(len(key)), where=number > 0)
    return np.where(leaf_pages == 1, np.where(number > 0, 1.0, 0.0), 1 - mean)


class Styles:
    """The styles below each template position, with their shares of pages. `entropy` is equation 1."""

    def __init__(self, counts: SiteCounts, key: Keys, pages: NDArray[np.int64], leaf_pages: NDArray[np.int64]) -> None:
        size = len(key)
        owner = find_keys(key, counts.styles.keys[:, 0])
        kept = owner >= 0  # on giant sites some positions are not counted; their styles do not count either
        self._owner = owner[kept]
        self._share = counts.styles.counts[kept, 0] / np.maximum(pages[self._owner], 1) if size else np.zeros(0)
        self.leaf_share = leaf_pages / np.maximum(pages, 1)
        self.number = np.bincount(self._owner, minlength=size) + (leaf_pages > 0)
        entropy = np.bincount(self._owner, weights=-self._share * np.log(self._share), minlength=size)
        leaf_part = -self.leaf_share * np.log(np.where(leaf_pages > 0, self.leaf_share, 1.0))
        self.entropy = np.where(pages > 1, (entropy + leaf_part) / np.log(np.maximum(pages, 2)), 1.0)
        self._style_of_child, self._child = _children(counts, counts.styles.keys[kept], key)

    def mean_of_children(self, composite: Values, indices: NDArray[np.intp]) -> Values:
        """Sum over styles of share times equation 3, for the positions at some indices."""
        wanted = np.zeros(len(composite), dtype=bool)
        wanted[indices] = True
        chosen = wanted[self._owner[self._style_of_child]]
        style, child = self._style_of_child[chosen], self._child[chosen]
        number = np.bincount(style, minlength=len(self._owner))
        total = np.bincount(style, weights=composite[child], minlength=len(self._owner))
        mean = np.divide(total, number, out=np.zeros(len(self._owner)), where=number > 0)
        below: Values = np.bincount(self._owner, weights=self._share * mean, minlength=len(composite)).astype(float)
        return below[indices]


def _children(counts: SiteCounts, styles: Keys, key: Keys) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(index of its style, index of its template position) of every child."""
    children = counts.children.keys
    style_key = combine(styles[:, 0], styles[:, 1])
    order = np.argsort(style_key, kind="stable")
    found = find_keys(style_key[order], combine(children[:, 0], children[:, 1]))
    child = find_keys(key, children[:, 2])
    known = (found >= 0) & (child >= 0)
    return order[found[known]], child[known]
