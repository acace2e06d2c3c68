"""Page -> a key for the place of every element.

A page is read as a style tree of one page (Yi, Liu & Li 2003): elements in BODY, with text directly inside an element
that also has element children as a child of its own. The key of a place is made from the key of its parent and of what
tells the child from its siblings:

* `exact`, as published: the parent's whole sequence of children, and the position in it. One child more, and all
  siblings are elsewhere.
* `aligned`: tag, class names and ordinal among equals, so that a place is found again beside an optional element.

*Leaves* carry content: leaf tags, those without elements in them. Leaf tags cut a page into small pieces, so papers
take *virtual leaves*: the parents of leaf tags (Yi, Liu & Li, section 3.6) or their grandparents (Yi & Liu 2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.stable_hashing import Keys, combine, find_keys, key_of
from dehusk.page.style_sheets import sheet_keys
from dehusk.page.tags import TAG_CODES

_IS_LEFT_OUT: Final[NDArray[np.bool_]] = np.zeros(len(TAG_CODES) + 1, dtype=bool)
_IS_LEFT_OUT[[TAG_CODES[tag] for tag in "script style link meta wbr param source track".split()]] = True
"""By tag code: elements that are neither content nor structure. Tags outside the table share the last entry."""
_ROOT_KEY: Final = np.uint64(key_of("body"))
_TEXT_KEY: Final = np.uint64(key_of("#text"))


class Matching(StrEnum):
    """How the same place is recognised on another page."""

    EXACT = "exact"
    ALIGNED = "aligned"


@dataclass(frozen=True, eq=False)
class Merged:
    """Places that count as one: whose key stands for each of them. What is not listed stands for itself."""

    key: Keys
    """uint64, sorted."""
    place: Keys
    """uint64: the place it is part of."""

    def place_of(self, keys: Keys) -> Keys:
        """uint64: the place that each key stands for."""
        position = find_keys(self.key, keys)
        return np.where(position >= 0, self.place[position], keys) if len(self.key) else keys


NOTHING_MERGED: Final = Merged(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint64))


@dataclass(frozen=True, eq=False)
class PlacedPage:
    """A page with the key of every place; arrays have one entry a row."""

    page: Page
    node: RowMask
    """bool: elements of the tree, leaves and inner ones; not what is inside a leaf."""
    is_leaf: RowMask
    """bool: those of them that carry content."""
    key: Keys
    """uint64: the place; 0 outside the tree."""
    identity: Keys
    """uint64: what an element looks like, wherever it is."""
    own: Keys
    """uint64: what tells the element from its siblings; with the key of its parent it makes the key."""
    style: Keys
    """uint64: the sequence of children of an inner element; 0 for leaves."""
    parent: Rows
    """int32: row of the parent in the tree; -1 for the root and outside."""
    leaf: Rows
    """int32: the leaf a row is or lies in; -1 where there is none."""

    def known_share(self, places: Keys) -> float:
        """From 0 to 1: the share of the leaves with text that are at one of the places, which are sorted."""
        with_text = self.is_leaf & (self.page.subtree_sums(self.page.text_length) > 0)
        known = find_keys(places, self.key[with_text]) >= 0
        return float(known.mean()) if len(known) else 0.0


def place_page(
    page: Page,
    matching: Matching,
    leaf_height: int = 1,
    merged: Merged = NOTHING_MERGED,
    *,
    style_sheets: bool = False,
) -> PlacedPage:
    """Find the places of one page. Rows outside BODY, hidden ones and scripts have none.

    Leaves are elements with at most `leaf_height` levels of elements in them: with 0 leaf tags, with 1 their parents,
    with 2 their grandparents. If asked, rules in the page's own style sheets count in exact matching.
    """
    in_tree = _rows_of_tree(page)
    is_leaf = _leaves(page, in_tree, leaf_height)
    node = in_tree & ~_below(page, is_leaf)
    is_leaf = is_leaf | (node & page.is_text)  # text beside elements
    rows = np.flatnonzero(node).astype(np.int32)
    identity = _identities(page, matching, style_sheets)
    own, style = _own_and_style(page, rows, identity, matching)
    key = _keys(page, node, own, merged)
    style[is_leaf | ~node] = 0
    parent = np.where(node & (key != _ROOT_KEY), page.parent, np.int32(-1))
    leaf = page.climb(np.where(in_tree, np.arange(len(page), dtype=np.int32), np.int32(-1)), is_leaf)
    return PlacedPage(page, node, is_leaf, key, identity, own, style, parent, leaf)


def _rows_of_tree(page: Page) -> RowMask:
    body = page.tag == TAG_CODES["body"]
    left_out = page.covered(_IS_LEFT_OUT[np.minimum(page.tag, len(TAG_CODES))]) > 0
    return (page.covered(body) > 0) & ~left_out & ~page.hidden & (~page.is_text | (page.text_length > 0))


def _leaves(page: Page, in_tree: RowMask, leaf_height: int) -> RowMask:
    """The topmost elements with at most so many levels of elements in them."""
    elements = in_tree & ~page.is_text
    height = np.zeros(len(page), dtype=np.int32)
    for level in page.levels(elements)[::-1]:
        np.maximum.at(height, page.parent[level], np.where(page.parent[level] >= 0, height[level] + 1, 0))
    low = elements & (height <= leaf_height)
    return low & ~(low[page.parent] & in_tree[page.parent] & (page.parent >= 0))


def _below(page: Page, mask: RowMask) -> RowMask:
    """Rows strictly inside masked ones, which do not nest."""
    inside: RowMask = (page.covered(mask) > 0) & ~mask
    return inside


def _identities(page: Page, matching: Matching, style_sheets: bool) -> Keys:
    """uint64, one entry a row: what an element looks like to its siblings."""
    identity = page.style.copy() if matching is Matching.EXACT else page.class_keys.copy()
    if matching is Matching.EXACT and style_sheets:
        declared = sheet_keys(page)
        identity = np.where(declared > 0, combine(identity, declared), identity)
    identity[page.is_text] = _TEXT_KEY
    # Class names of BODY tell the kind of page, or even the page. There is one root all the same.
    identity[page.tag == TAG_CODES["body"]] = _ROOT_KEY
    return identity


def _rank(groups: tuple[NDArray[np.generic], ...]) -> NDArray[np.uint64]:
    """uint64: how many earlier entries have the same values in all columns."""
    order = np.lexsort(groups[::-1])
    size = len(order)
    is_first = np.ones(size, dtype=bool)
    is_first[1:] = np.any([column[order][1:] != column[order][:-1] for column in groups], axis=0)
    starts = np.flatnonzero(is_first)
    rank = np.empty(size, dtype=np.uint64)
    rank[order] = np.arange(size) - np.repeat(starts, np.diff(np.append(starts, size)))
    return rank


def _own_and_style(page: Page, rows: Rows, identity: Keys, matching: Matching) -> tuple[Keys, Keys]:
    """(what tells it from its siblings, the sequence of its children) of every row."""
    parent = page.parent[rows]
    position = _rank((parent,))
    style = np.zeros(len(page), dtype=np.uint64)
    # A sum is independent of order, so the position of each child is part of what is summed.
    np.add.at(style, np.maximum(parent, 0), combine(identity[rows], position))
    own = np.zeros(len(page), dtype=np.uint64)
    if matching is Matching.EXACT:
        own[rows] = combine(combine(style[parent], identity[rows]), position)
    else:
        own[rows] = combine(identity[rows], _rank((parent, identity[rows])))
    return own, style


def _keys(page: Page, node: RowMask, own: Keys, merged: Merged) -> Keys:
    """uint64: the place of every row, from the root down."""
    key = np.zeros(len(page), dtype=np.uint64)
    levels = page.levels(node)
    for level in levels[:1]:
        key[level] = _ROOT_KEY
    for level in levels[1:]:
        key[level] = merged.place_of(combine(key[page.parent[level]], own[level]))
    return key
