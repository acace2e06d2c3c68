"""Merge elements that are the same one at another template position (Yi, Liu & Li 2003, section 3.6).

Two children of an element with the same tag and attributes, in different styles of it, are one element if they have the
same content: their *characteristic features* are those on at least a share (gamma) of their pages, anywhere inside
them. If the characteristic features of two elements overlap by lambda or more, the elements are merged, and so is what
is below them. The merged element has the characteristic features of all its pages, and may be merged in turn, until no
two elements are similar. Merging works on finished counts, from the root down, so the order of pages never matters.

Readings: the papers leave open in which order pairs are tried. Here elements come in the order of their keys, and each
is merged with the first similar one before it. Children that ever occur together on a page are two elements, however
similar, unless `within_styles` is set: that is the compressed structure tree (Yi & Liu 2003, section 3.2), in which an
element stands for a set of tags rather than for one tag per page. Counts "of pages" are then counts of tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.key_samples import Samples, add_samples
from dehusk.methods.site_trees.feature_overlaps import Indices, pages_inside
from dehusk.methods.site_trees.site_counts import SiteCounts
from dehusk.methods.site_trees.template_positions import Merged
from dehusk.methods.tallies import tally
from dehusk.page.stable_hashing import Keys, combine, find_keys

_MOST_COMPARED: Final = 32
"""Elements that a child is compared with at most: thousands of children must not cost quadratic time."""


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
        may_be_one = self.within_styles or one.styles.isdisjoint(other.styles)
        shared = len(one.characteristic & other.characteristic)
        features = len(one.characteristic) + len(other.characteristic) - shared
        return bool(one.characteristic and other.characteristic) and may_be_one and shared >= self.overlap * features

    def is_characteristic(self, pages_with_it: int, pages: int) -> bool:
        """Whether a feature is on enough pages of an element."""
        return pages_with_it >= self.characteristic_share * pages


@dataclass(eq=False, slots=True)
class _Element:
    """An element that template positions have been merged into so far."""

    position_key: int
    pages: int
    features: dict[int, int]
    """Feature -> pages. Features that are characteristic of no element in the group are left out: nor will they be
    characteristic of merged ones."""
    styles: set[int]
    characteristic: set[int]
    merged: list[int] = field(default_factory=list)
    """Keys of the other positions merged into it."""

    def absorb(self, other: _Element, similar: _Similar) -> None:
        """Add the pages of another element, which is then of no more use."""
        if len(other.features) > len(self.features):  # the larger one grows, so that each feature is moved rarely
            self.features, other.features = other.features, self.features
        for feature, pages in other.features.items():
            self.features[feature] = self.features.get(feature, 0) + pages
        self.pages += other.pages
        self.styles |= other.styles
        self.characteristic = {
            feature
            for feature in self.characteristic | other.characteristic
            if similar.is_characteristic(self.features[feature], self.pages)
        }
        self.merged += [max(self.position_key, other.position_key), *other.merged]
        self.position_key = min(self.position_key, other.position_key)


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
        elements = _elements(counts, groups, similar)
        for group in groups:
            pairs += _merged_in([elements[index] for index in group.tolist()], similar)
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


def _elements(counts: SiteCounts, groups: list[Indices], similar: _Similar) -> dict[int, _Element]:
    """Index of a position -> the element at it, for the positions in some groups, which are all of one depth."""
    wanted = np.concatenate(groups)
    position_key, pages = counts.positions.keys[:, 0], counts.positions.counts[:, 0]
    styles = _styles_of_children(counts, position_key[wanted])
    columns = (wanted.tolist(), position_key[wanted].tolist(), pages[wanted].tolist())
    elements = {
        index: _Element(key, number, {}, styles.get(key, set()), set())
        for index, key, number in zip(*columns, strict=True)
    }
    for index, feature, number in _candidates(counts, groups, similar):
        element = elements[index]
        element.features[feature] = number
        if similar.is_characteristic(number, element.pages):
            element.characteristic.add(feature)
    return elements


def _candidates(counts: SiteCounts, groups: list[Indices], similar: _Similar) -> Iterator[tuple[int, int, int]]:
    """(index, feature, pages with it) for features that are characteristic of an element in the same group."""
    position_key, pages = counts.positions.keys[:, 0], counts.positions.counts[:, 0]
    group = np.zeros(len(position_key), dtype=np.uint64)
    for label, members in enumerate(groups, 1):
        group[members] = label
    inside = pages_inside(counts.features, counts.overlaps, position_key, _around(counts, group > 0))
    index, number = inside.keys[:, 0].astype(np.intp), inside.counts[:, 0]
    in_group = combine(group[index], inside.keys[:, 1])
    characteristic = in_group[(number > 0) & (number >= similar.characteristic_share * pages[index])]
    chosen = (number > 0) & (find_keys(np.unique(characteristic), in_group) >= 0)
    return zip(index[chosen].tolist(), inside.keys[chosen, 1].tolist(), number[chosen].tolist(), strict=True)


def _around(counts: SiteCounts, wanted: NDArray[np.bool_]) -> Indices:
    """The wanted position that each is or lies in; -1 if there is none. Wanted positions do not nest."""
    keys = counts.positions.keys
    parent = find_keys(keys[:, 0], keys[:, 1])
    around: Indices = np.append(np.where(wanted, np.arange(len(keys)), parent), -1)
    # Each round doubles the steps up that are taken at once.
    for _ in range(int(keys[:, 4].max(initial=0)).bit_length()):
        around = around.take(around)
    return np.where((around[:-1] >= 0) & wanted[around[:-1]], around[:-1], -1)


def _styles_of_children(counts: SiteCounts, children: Keys) -> dict[int, set[int]]:
    """The styles that each of some children is in."""
    found: dict[int, set[int]] = {}
    pairs = counts.children.keys[np.isin(counts.children.keys[:, 2], children), 1:]
    for style, child in pairs.tolist():
        found.setdefault(child, set()).add(style)
    return found


def _merged_in(group: list[_Element], similar: _Similar) -> Iterator[tuple[int, int]]:
    """(key, key it is merged into) for elements with the same tag and attributes, sorted by key."""
    apart: list[_Element] = []
    for element in group:
        while found := next((other for other in apart if similar.holds(element, other)), None):
            apart.remove(found)
            element.absorb(found, similar)
        if element.merged or (element.characteristic and len(apart) < _MOST_COMPARED):
            apart.append(element)
    for element in apart:
        yield from ((key, element.position_key) for key in element.merged)


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
    styles, features, overlaps = counts.styles.keys, counts.features.keys, counts.overlaps.keys
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
        overlaps=tally([now.position_of(overlaps[:, 0]), overlaps[:, 1]], list(counts.overlaps.counts.T)),
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
