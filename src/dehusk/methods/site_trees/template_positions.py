"""Page -> the key of every element's template position: the same position on two pages has the same key.

A page is read as a style tree of one page (Yi, Liu & Li 2003): the elements in BODY, where text directly inside an
element that also has element children counts as a child. A key combines the parent's key with what tells the child
from its siblings:

* `exact`, as published: the parent's whole sequence of children, each with all its display attributes, and the index in
  it. One more child moves all siblings to other template positions.
* `aligned`: tag, class names and ordinal among equals, so that a position is found despite optional elements. Class
  names are normalised: `post-1` and `post-2` are one.

*Leaves* carry content: leaf tags have no elements in them. Leaf tags cut a page into small parts, so the papers use
*virtual leaves*: the parents of leaf tags (Yi, Liu & Li, section 3.6) or their grandparents (Yi & Liu 2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InvalidSetting
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.stable_hashing import Keys, combine, find_keys, key_of
from dehusk.page.style_sheets import sheet_keys
from dehusk.page.tags import TAG_CODES

_IS_LEFT_OUT: Final[NDArray[np.bool_]] = np.zeros(len(TAG_CODES) + 1, dtype=bool)
_IS_LEFT_OUT[[TAG_CODES[tag] for tag in "script style link meta wbr param source track".split()]] = True
"""By tag code: elements that are neither content nor structure. Unknown tags share the last entry."""
_ROOT_KEY: Final = np.uint64(key_of("body"))
_TEXT_KEY: Final = np.uint64(key_of("#text"))


class Matching(StrEnum):
    """How the same template position is recognised on another page."""

    EXACT = "exact"
    ALIGNED = "aligned"


def check_matching(settings: object, matching: str) -> None:
    """Turn the name of a matching in frozen settings into a `Matching`; InvalidSetting if it is unknown."""
    if matching not in list(Matching):
        cause = f"{matching!r} must be one of {', '.join(Matching)}"
        raise InvalidSetting("matching", cause, f"see {type(settings).__name__}")
    object.__setattr__(settings, "matching", Matching(matching))


@dataclass(frozen=True, eq=False)
class Merged:
    """Template positions merged into others. Positions not listed stand for themselves."""

    key: Keys
    """uint64, sorted."""
    merged_into: Keys
    """uint64: the key it was merged into."""

    def position_of(self, keys: Keys) -> Keys:
        """uint64: the template position that each key stands for."""
        index = find_keys(self.key, keys)
        return np.where(index >= 0, self.merged_into[index], keys) if len(self.key) else keys


NOTHING_MERGED: Final = Merged(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint64))


@dataclass(frozen=True, eq=False)
class PositionedPage:
    """A page with the key of every template position; arrays have one entry per row."""

    page: Page
    matching: Matching
    node: RowMask
    """bool: nodes of the tree, leaves and inner ones; not what is inside a leaf."""
    is_leaf: RowMask
    """bool: nodes that carry content."""
    key: Keys
    """uint64: the template position; 0 outside the tree."""
    identity: Keys
    """uint64: the style signature of an element, independent of its position."""
    own: Keys
    """uint64: what tells the element from its siblings; combined with the parent's key it gives the key."""
    style: Keys
    """uint64: the sequence of children of an inner element; 0 for leaves."""
    parent: Rows
    """int32: row of the parent in the tree; -1 for the root and outside."""
    leaf: Rows
    """int32: the leaf that a row is or lies in; -1 if there is none."""

    def known_share(self, keys: Keys) -> float:
        """From 0 to 1: the share of the leaves with text whose template position is among the sorted keys."""
        with_text = self.is_leaf & (self.page.subtree_sums(self.page.text_length) > 0)
        known = find_keys(keys, self.key[with_text]) >= 0
        return float(known.mean()) if len(known) else 0.0


def find_positions(
    page: Page,
    matching: Matching,
    leaf_height: int = 1,
    merged: Merged = NOTHING_MERGED,
    *,
    style_sheets: bool = False,
) -> PositionedPage:
    """Find the template positions of a page. Rows outside BODY, hidden rows and scripts have none.

    Leaves are elements with at most `leaf_height` levels of elements in them: 0 for leaf tags, 1 for their parents, 2
    for their grandparents. With `style_sheets`, rules in the page's own style sheets count in exact matching.
    """
    in_tree = _rows_of_tree(page)
    is_leaf = _leaves(page, in_tree, leaf_height)
    node = in_tree & ((page.covered(is_leaf) == 0) | is_leaf)  # leaves do not nest
    is_leaf = is_leaf | (node & page.is_text)  # text beside elements
    rows = np.flatnonzero(node).astype(np.int32)
    identity = _identities(page, matching, style_sheets)
    own, style = _own_and_style(page, rows, identity, matching)
    key = _keys(page, node, own, merged)
    style[is_leaf | ~node] = 0
    parent = np.where(node & (key != _ROOT_KEY), page.parent, np.int32(-1))
    leaf = page.climb(np.where(in_tree, np.arange(len(page), dtype=np.int32), np.int32(-1)), is_leaf)
    return PositionedPage(page, matching, node, is_leaf, key, identity, own, style, parent, leaf)


def _rows_of_tree(page: Page) -> RowMask:
    body = page.tag == TAG_CODES["body"]
    left_out = page.covered(_IS_LEFT_OUT[np.minimum(page.tag, len(TAG_CODES))]) > 0
    return (page.covered(body) > 0) & ~left_out & ~page.hidden & (~page.is_text | (page.text_length > 0))


def _leaves(page: Page, in_tree: RowMask, leaf_height: int) -> RowMask:
    """The topmost elements with at most `leaf_height` levels of elements in them."""
    elements = in_tree & ~page.is_text
    height = np.zeros(len(page), dtype=np.int32)
    for level in page.levels(elements)[::-1]:
        np.maximum.at(height, page.parent[level], np.where(page.parent[level] >= 0, height[level] + 1, 0))
    low = elements & (height <= leaf_height)
    return low & ~(low[page.parent] & in_tree[page.parent] & (page.parent >= 0))


def _identities(page: Page, matching: Matching, style_sheets: bool) -> Keys:
    """uint64, one entry per row: the style signature of an element."""
    identity = page.style.copy() if matching is Matching.EXACT else page.class_keys.copy()
    if matching is Matching.EXACT and style_sheets:
        declared = sheet_keys(page)
        identity = np.where(declared > 0, combine(identity, declared), identity)
    identity[page.is_text] = _TEXT_KEY
    # Class names of BODY name the kind of page, or even the page; the root must be the same on all.
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
    """(what tells it from its siblings, the sequence of its children) for every row."""
    parent = page.parent[rows]
    position = _rank((parent,))
    style = np.zeros(len(page), dtype=np.uint64)
    # A sum ignores order, so the position of each child is part of what is summed.
    np.add.at(style, np.maximum(parent, 0), combine(identity[rows], position))
    own = np.zeros(len(page), dtype=np.uint64)
    if matching is Matching.EXACT:
        own[rows] = combine(combine(style[parent], identity[rows]), position)
    else:
        own[rows] = combine(identity[rows], _rank((parent, identity[rows])))
    return own, style


def _keys(page: Page, node: RowMask, own: Keys, merged: Merged) -> Keys:
    """uint64: the key of every row's template position, from the root down."""
    key = np.zeros(len(page), dtype=np.uint64)
    levels = page.levels(node)
    for level in levels[:1]:
        key[level] = _ROOT_KEY
    for level in levels[1:]:
        key[level] = merged.position_of(combine(key[page.parent[level]], own[level]))
    return key
