"""Merge elements that are the same one at another template position (Yi, Liu & Li 2003, section 3.6).

Two children of an element with the same tag and attributes, in different styles of it, are one element if they have the
same content: their *characteristic features* are those on at least a share (gamma) of their pages. If the
characteristic features of two elements overlap by lambda or more, the elements are merged, and so is what is below
them. Merging works on finished counts, from the root down, so the order of pages never matters.

Readings: the characteristic features of an inner element are those of the leaves below that are on enough of *its*
pages. Children that ever occur together on a page are two elements, however similar, unless `within_styles` is set:
that is the compressed structure tree (Yi & Liu 2003, section 3.2), in which an element stands for a set of tags rather
than for one tag per page. Counts "of pages" are then counts of tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.key_samples import Samples, add_samples
from dehusk.methods.site_trees.site_counts import SiteCounts
from dehusk.methods.site_trees.template_positions import Merged
from dehusk.methods.tallies import tally
from dehusk.page.stable_hashing import Keys, combine, find_keys

_MOST_COMPARED: Final = 32
"""Elements that a child is compared with at most: thousands of children must not cost quadratic time."""

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Similar:
    """The rule for when two elements are one."""

    characteristic_share: float
    """Gamma."""
    overlap: float
    """Lambda."""
    within_styles: bool = False
    """Whether elements that occur together in a style may be one."""

    def holds(self, one: _Element, other: _Element) -> bool:
        """Whether two elements are one."""
        may_be_one = self.within_styles or not one.styles & other.styles
        shared, all_features = len(one.features & other.features), len(one.features | other.features)
        return bool(one.features) and may_be_one and shared >= self.overlap * all_features


def merge_similar(
    counts: SiteCounts, characteristic_share: float, overlap: float, *, within_styles: bool = False
) -> tuple[SiteCounts, Merged]:
    """The counts with similar elements merged, and which template positions were merged into which."""
    similar = _Similar(characteristic_share, overlap, within_styles)
    old: list[Keys] = []
    new: list[Keys] = []
    for depth in np.unique(counts.positions.keys[:, 4])[1:].tolist():
        pairs = _similar_at(counts, depth, similar)
        if len(pairs.key):
            counts = _relabelled(counts, pairs, depth)
            old.append(pairs.key)
            new.append(pairs.merged_into)
    keys = np.concatenate([np.zeros(0, dtype=np.uint64), *old])
    order = np.argsort(keys)
    return counts, Merged(keys[order], np.concatenate([np.zeros(0, dtype=np.uint64), *new])[order])


def _similar_at(counts: SiteCounts, depth: int, similar: _Similar) -> Merged:
    """The template positions of one depth to be merged into others of it."""
    pairs: list[tuple[int, int]] = []
    groups = [group for group in _alike(counts, depth) if len(group) > 1]
    if groups:
        characteristic = _characteristic(counts, similar.characteristic_share, np.concatenate(groups))
        styles = _styles_of_children(counts, counts.positions.keys[np.concatenate(groups), 0])
        position_key = counts.positions.keys[:, 0].tolist()
        for group in groups:
            pairs += _merged_in(group.tolist(), position_key, characteristic, styles, similar)
    pairs.sort()
    columns = np.array(pairs, dtype=np.uint64).reshape(-1, 2)
    return Merged(columns[:, 0], columns[:, 1])


def _alike(counts: SiteCounts, depth: int) -> Iterator[Indices]:
    """Groups of template positions of one depth with the same parent, tag and attributes."""
    keys = counts.positions.keys
    members = np.flatnonzero(keys[:, 4] == depth)
    order = members[np.lexsort((keys[members, 0], keys[members, 3], keys[members, 1]))]
    if len(order):
        is_new = (keys[order][1:, [1, 3]] != keys[order][:-1, [1, 3]]).any(axis=1)
        yield from np.split(order, np.flatnonzero(is_new) + 1)


def _characteristic(counts: SiteCounts, share: float, wanted: Indices) -> dict[int, frozenset[int]]:
    """The characteristic features of the wanted template positions, which are all of one depth."""
    position_key, pages, depth = counts.positions.keys[:, 0], counts.positions.counts[:, 0], counts.positions.keys[:, 4]
    parent = find_keys(position_key, counts.positions.keys[:, 1])
    is_wanted = np.zeros(len(position_key), dtype=bool)
    is_wanted[wanted] = True
    at = find_keys(position_key, counts.features.keys[:, 0])
    feature, on_pages = counts.features.keys[:, 1], counts.features.counts[:, 2]
    found: dict[int, set[int]] = {}
    # An element is on all pages that have its descendants: a feature on too few pages fails at every level above, too.
    while len(at):
        enough = (at >= 0) & (on_pages >= share * pages[at])
        at, feature, on_pages = at[enough], feature[enough], on_pages[enough]
        chosen = is_wanted[at]
        for index, key in zip(at[chosen].tolist(), feature[chosen].tolist(), strict=True):
            found.setdefault(index, set()).add(key)
        below = depth[at] > depth[wanted[0]]
        at, feature, on_pages = parent[at[below]], feature[below], on_pages[below]
    return {index: frozenset(features) for index, features in found.items()}


def _styles_of_children(counts: SiteCounts, children: Keys) -> dict[int, frozenset[int]]:
    """The styles that each of some children is in."""
    found: dict[int, set[int]] = {}
    pairs = counts.children.keys[np.isin(counts.children.keys[:, 2], children), 1:]
    for style, child in pairs.tolist():
        found.setdefault(child, set()).add(style)
    return {child: frozenset(styles) for child, styles in found.items()}


@dataclass(frozen=True, slots=True)
class _Element:
    """An element that template positions have been merged into so far."""

    position_key: int
    features: frozenset[int]
    styles: frozenset[int]


def _merged_in(
    group: list[int],
    position_key: list[int],
    characteristic: dict[int, frozenset[int]],
    styles: dict[int, frozenset[int]],
    similar: _Similar,
) -> Iterator[tuple[int, int]]:
    """(key, key it is merged into) for a group with the same tag and attributes, sorted by key: the first stays."""
    elements: list[_Element] = []
    for index in group:
        key = position_key[index]
        element = _Element(key, characteristic.get(index, frozenset()), styles.get(key, frozenset()))
        number = next((number for number, other in enumerate(elements) if similar.holds(element, other)), None)
        if number is None:
            if element.features and len(elements) < _MOST_COMPARED:
                elements.append(element)
        else:
            found = elements[number]
            elements[number] = replace(found, styles=found.styles | element.styles)
            yield key, found.position_key


def _relabelled(counts: SiteCounts, pairs: Merged, depth: int) -> SiteCounts:
    """The counts with template positions of one depth merged, and all positions below that then coincide."""
    keys = counts.positions.keys
    position_key = keys[:, 0].copy()
    parent = find_keys(keys[:, 0], keys[:, 1])
    at_depth = keys[:, 4] == depth
    position_key[at_depth] = pairs.position_of(position_key[at_depth])
    below = np.flatnonzero((keys[:, 4] > depth) & (parent >= 0))
    below = below[np.argsort(keys[below, 4], kind="stable")]
    for level in np.split(below, np.flatnonzero(np.diff(keys[below, 4])) + 1):
        moved = level[position_key[parent[level]] != keys[parent[level], 0]]
        position_key[moved] = combine(position_key[parent[moved]], keys[moved, 2])
    order = np.argsort(keys[:, 0])
    return _with_positions(counts, Merged(keys[order, 0], position_key[order]))


def _with_positions(counts: SiteCounts, now: Merged) -> SiteCounts:
    positions, children, texts = counts.positions.keys, counts.children.keys, counts.texts.keys
    styles, features = counts.styles.keys, counts.features.keys
    new_position = [now.position_of(positions[:, 0]), now.position_of(positions[:, 1]), *positions[:, 2:].T]
    new_children = [now.position_of(children[:, 0]), children[:, 1], now.position_of(children[:, 2])]
    # A merged element keeps the `own` key of the position whose key it has.
    new_position[2] = _own_of(new_position[0], positions)
    return replace(
        counts,
        positions=tally(new_position, list(counts.positions.counts.T)),
        styles=tally([now.position_of(styles[:, 0]), styles[:, 1]], list(counts.styles.counts.T)),
        children=tally(new_children, list(counts.children.counts.T)),
        features=tally([now.position_of(features[:, 0]), features[:, 1]], list(counts.features.counts.T)),
        texts=tally([texts[:, 0], now.position_of(texts[:, 1])], list(counts.texts.counts.T)),
        sample_texts=_moved(counts.sample_texts, now),
    )


def _own_of(position_key: Keys, positions: Keys) -> Keys:
    order = np.argsort(positions[:, 0])
    index = find_keys(positions[order, 0], position_key)
    return np.where(index >= 0, positions[order[index], 2], positions[:, 2])


def _moved(samples: Samples, now: Merged) -> Samples:
    key = now.position_of(samples.key)
    return add_samples([Samples(key, samples.rank, samples.text)], len(key))
