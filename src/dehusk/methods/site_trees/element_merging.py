"""Elements that are the same one in another position are merged (Yi, Liu & Li 2003, section 3.6).

Two children of an element, of the same tag and attributes but in different styles of it, are one element if they say
the same. What an element says everywhere are its *characteristic features*: those on at least a share (gamma) of its
pages. If the characteristic features of two elements overlap by lambda or more, they are merged, and so is what is
below them. This is done on finished counts, from the root down, so the order of pages never matters.

Readings: the characteristic features of an inner element are those of the leaves below, where they are on enough of
*its* pages. Children that are ever together on a page are two elements, however alike; only if `within_styles` is asked
for are they merged, too: that is the compressed structure tree (Yi & Liu 2003, section 3.2), in which an element stands
for a set of tags rather than for one tag a page. Counts "of pages" are then counts of tags.
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
"""Different elements that a child is compared with; a parent with thousands of children must not cost their square."""

Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Similar:
    """When two elements are one."""

    characteristic_share: float
    """Gamma."""
    overlap: float
    """Lambda."""
    within_styles: bool = False
    """Whether elements that are together in a style may be one."""

    def holds(self, one: _Element, other: _Element) -> bool:
        """Whether these are."""
        may_be_one = self.within_styles or not one.styles & other.styles
        shared, all_said = len(one.says & other.says), len(one.says | other.says)
        return bool(one.says) and may_be_one and shared >= self.overlap * all_said


def merge_similar(
    counts: SiteCounts, characteristic_share: float, overlap: float, *, within_styles: bool = False
) -> tuple[SiteCounts, Merged]:
    """The counts with similar elements merged, and which places are merged into which."""
    similar = _Similar(characteristic_share, overlap, within_styles)
    old: list[Keys] = []
    new: list[Keys] = []
    for depth in np.unique(counts.places.keys[:, 4])[1:].tolist():
        pairs = _similar_at(counts, depth, similar)
        if len(pairs.key):
            counts = _relabelled(counts, pairs, depth)
            old.append(pairs.key)
            new.append(pairs.place)
    keys = np.concatenate([np.zeros(0, dtype=np.uint64), *old])
    order = np.argsort(keys)
    return counts, Merged(keys[order], np.concatenate([np.zeros(0, dtype=np.uint64), *new])[order])


def _similar_at(counts: SiteCounts, depth: int, similar: _Similar) -> Merged:
    """The places of one depth that are others of it."""
    pairs: list[tuple[int, int]] = []
    groups = [group for group in _alike(counts, depth) if len(group) > 1]
    if groups:
        said = _characteristic(counts, similar.characteristic_share, np.concatenate(groups))
        styles = _styles_of_children(counts, counts.places.keys[np.concatenate(groups), 0])
        place = counts.places.keys[:, 0].tolist()
        for group in groups:
            pairs += _merged_in(group.tolist(), place, said, styles, similar)
    pairs.sort()
    columns = np.array(pairs, dtype=np.uint64).reshape(-1, 2)
    return Merged(columns[:, 0], columns[:, 1])


def _alike(counts: SiteCounts, depth: int) -> Iterator[Positions]:
    """Places of one depth that have parent, tag and attributes in common, group by group."""
    keys = counts.places.keys
    members = np.flatnonzero(keys[:, 4] == depth)
    order = members[np.lexsort((keys[members, 0], keys[members, 3], keys[members, 1]))]
    if len(order):
        is_new = (keys[order][1:, [1, 3]] != keys[order][:-1, [1, 3]]).any(axis=1)
        yield from np.split(order, np.flatnonzero(is_new) + 1)


def _characteristic(counts: SiteCounts, share: float, wanted: Positions) -> dict[int, frozenset[int]]:
    """The characteristic features of the wanted places, which are all of one depth."""
    place, pages, depth = counts.places.keys[:, 0], counts.places.counts[:, 0], counts.places.keys[:, 4]
    parent = find_keys(place, counts.places.keys[:, 1])
    is_wanted = np.zeros(len(place), dtype=bool)
    is_wanted[wanted] = True
    at = find_keys(place, counts.features.keys[:, 0])
    feature, on_pages = counts.features.keys[:, 1], counts.features.counts[:, 2]
    found: dict[int, set[int]] = {}
    # An element is on all pages that what is in it is on: once a feature is not on enough pages, it is not higher up.
    while len(at):
        enough = (at >= 0) & (on_pages >= share * pages[at])
        at, feature, on_pages = at[enough], feature[enough], on_pages[enough]
        chosen = is_wanted[at]
        for position, key in zip(at[chosen].tolist(), feature[chosen].tolist(), strict=True):
            found.setdefault(position, set()).add(key)
        below = depth[at] > depth[wanted[0]]
        at, feature, on_pages = parent[at[below]], feature[below], on_pages[below]
    return {position: frozenset(features) for position, features in found.items()}


def _styles_of_children(counts: SiteCounts, children: Keys) -> dict[int, frozenset[int]]:
    """The styles that each of some places is in."""
    found: dict[int, set[int]] = {}
    pairs = counts.children.keys[np.isin(counts.children.keys[:, 2], children), 1:]
    for style, child in pairs.tolist():
        found.setdefault(child, set()).add(style)
    return {child: frozenset(styles) for child, styles in found.items()}


@dataclass(frozen=True, slots=True)
class _Element:
    """What some places have been merged to so far."""

    place: int
    says: frozenset[int]
    styles: frozenset[int]


def _merged_in(
    group: list[int],
    place: list[int],
    said: dict[int, frozenset[int]],
    styles: dict[int, frozenset[int]],
    similar: _Similar,
) -> Iterator[tuple[int, int]]:
    """(place, place it is merged into) among places that look alike. Groups are sorted by key: the first stays."""
    elements: list[_Element] = []
    for position in group:
        key = place[position]
        element = _Element(key, said.get(position, frozenset()), styles.get(key, frozenset()))
        number = next((number for number, other in enumerate(elements) if similar.holds(element, other)), None)
        if number is None:
            if element.says and len(elements) < _MOST_COMPARED:
                elements.append(element)
        else:
            found = elements[number]
            elements[number] = replace(found, styles=found.styles | element.styles)
            yield key, found.place


def _relabelled(counts: SiteCounts, pairs: Merged, depth: int) -> SiteCounts:
    """The counts with places of one depth merged, and with them all places below that are then the same."""
    keys = counts.places.keys
    place = keys[:, 0].copy()
    parent = find_keys(keys[:, 0], keys[:, 1])
    at_depth = keys[:, 4] == depth
    place[at_depth] = pairs.place_of(place[at_depth])
    below = np.flatnonzero((keys[:, 4] > depth) & (parent >= 0))
    below = below[np.argsort(keys[below, 4], kind="stable")]
    for level in np.split(below, np.flatnonzero(np.diff(keys[below, 4])) + 1):
        moved = level[place[parent[level]] != keys[parent[level], 0]]
        place[moved] = combine(place[parent[moved]], keys[moved, 2])
    order = np.argsort(keys[:, 0])
    return _with_places(counts, Merged(keys[order, 0], place[order]))


def _with_places(counts: SiteCounts, now: Merged) -> SiteCounts:
    places, children, texts = counts.places.keys, counts.children.keys, counts.texts.keys
    new_place = [now.place_of(places[:, 0]), now.place_of(places[:, 1]), *places[:, 2:].T]
    # The element that stands for several has its own mark among siblings: that of the one whose key it has.
    new_place[2] = _own_of(new_place[0], places)
    return replace(
        counts,
        places=tally(new_place, list(counts.places.counts.T)),
        styles=tally([now.place_of(counts.styles.keys[:, 0]), counts.styles.keys[:, 1]], list(counts.styles.counts.T)),
        children=tally(
            [now.place_of(children[:, 0]), children[:, 1], now.place_of(children[:, 2])], list(counts.children.counts.T)
        ),
        features=tally(
            [now.place_of(counts.features.keys[:, 0]), counts.features.keys[:, 1]], list(counts.features.counts.T)
        ),
        texts=tally([texts[:, 0], now.place_of(texts[:, 1])], list(counts.texts.counts.T)),
        sample_texts=_moved(counts.sample_texts, now),
    )


def _own_of(place: Keys, places: Keys) -> Keys:
    order = np.argsort(places[:, 0])
    position = find_keys(places[order, 0], place)
    return np.where(position >= 0, places[order[position], 2], places[:, 2])


def _moved(samples: Samples, now: Merged) -> Samples:
    key = now.place_of(samples.key)
    return add_samples([Samples(key, samples.rank, samples.text)], len(key))
