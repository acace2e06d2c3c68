"""The site style tree: what looks and reads alike on the pages of a site is template.

Yi, Liu & Li, "Eliminating Noisy Information in Web Pages for Data Mining", KDD 2003.

The idea: pages of a site are laid over each other, element by element. Where presentation or content differ from page
to page, the site says something; where both are the same everywhere, it is noise. Importance is entropy: of the styles
below an element (equation 1), of the features in a leaf (equations 4 and 5), and composite over the tree (2 and 3).

Readings:
* Trees start at BODY. Probabilities of styles are shares of pages; the base of logarithms is the number of pages with
  the element. An element seen on one page only has importance 1; a leaf without features has importance 0.
* An element that is a leaf on some pages and not on others has "being a leaf" as one of its styles, whose composite
  importance is that of its content.
* MarkNoise (figure 5) stops at the first child that is not noisy. One pass from the leaves up computes importance,
  noisy and meaningful for all elements instead.
* An element is noisy if nothing in it exceeds the threshold, so a part of a page is dropped just if the importance of
  its leaf does not: the mapping of figure 7 comes down to a look-up. What has no place in the tree is possibly
  meaningful: the model has no opinion (NaN), and it is kept.
* Hidden text is no part of the tree, and scores 0.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks
from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.base import Reasons, Scores
from dehusk.model_files import ModelFile, write_model_file
from dehusk.page.columns import Page
from dehusk.places.counting import MOST_FEATURES, SiteCounts, add_counts, add_up, count_page, entropies
from dehusk.places.hashing import Keys, KeyTable
from dehusk.places.placing import Matching, place_page
from dehusk.places.tallies import Tally, add_tallies

DEFAULT_THRESHOLD: Final = 0.2
"""The authors chose t per site by looking at cleaned pages."""


@dataclass(frozen=True, slots=True)
class StyleTree:
    """Settings, with the published values."""

    name: ClassVar[str] = "style-tree"
    learns: ClassVar[bool] = True

    matching: Matching = Matching.ALIGNED
    """How places are found again on other pages: `aligned`, or `exact` as published."""
    attenuation: float = 0.9
    """Gamma of equation 2: the more styles an element has, the more its own entropy counts."""
    virtual_leaves: bool = True
    """Whether parents of leaf tags are the leaves (section 3.6)."""
    threshold: float = DEFAULT_THRESHOLD
    """t: elements that are no more important are noisy."""

    def __post_init__(self) -> None:
        for setting in ("attenuation", "threshold"):
            if not 0 <= getattr(self, setting) <= 1:
                raise InvalidSetting(setting, f"{getattr(self, setting)} is outside 0 to 1", "see StyleTree")

    def fit(self, pages: Sequence[Page] = ()) -> StyleTreeModel:
        """Learn from pages of one site, in any order."""
        return StyleTreeModel(self, self._count(pages))

    def _count(self, pages: Sequence[Page]) -> SiteCounts:
        keys = KeyTable()
        placed = (place_page(page, self.matching, self.virtual_leaves) for page in pages)
        return add_up(count_page(page, keys) for page in placed)


@dataclass(frozen=True, eq=False)
class StyleTreeModel:
    """The counts of a site, and the importance of its places that follows from them."""

    settings: StyleTree
    counts: SiteCounts
    tree: Importance = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tree", composite_importance(self.counts, self.settings.attenuation))

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def threshold(self) -> float:
        # The paper drops what is *no more* important than t; a decision keeps what reaches the threshold.
        return float(np.nextafter(np.float32(self.settings.threshold), np.float32(2)))

    def update(self, pages: Sequence[Page]) -> StyleTreeModel:
        """The model of these pages and all before: the same as learning from everything at once."""
        return self + self.settings.fit(pages)

    def __add__(self, other: StyleTreeModel) -> StyleTreeModel:
        if other.settings != self.settings:
            cause = "learnt with other settings, so their counts do not add up"
            raise ModelError("the two models", cause, "learn both with the same settings")
        return StyleTreeModel(self.settings, add_counts([self.counts, other.counts]))

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write the model to a file; `created` is a date for its header."""
        tallies = {name: getattr(self.counts, name) for name in _TALLIES}
        arrays = {f"{name}_{part}": getattr(tally, part) for name, tally in tallies.items() for part in _PARTS}
        write_model_file(path, ModelFile(self.method, asdict(self.settings), self.counts.pages, site, created, arrays))

    @classmethod
    def from_file(cls, file: ModelFile) -> StyleTreeModel:
        """The model that was saved."""
        try:
            settings = StyleTree(**{**file.settings, "matching": Matching(file.settings["matching"])})
            tallies = {name: _checked(file, name, parts) for name, parts in _TALLIES.items()}
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                "the model file", f"does not hold a style tree ({error})", "learn the site again"
            ) from error
        return cls(settings, SiteCounts(pages=file.pages, **tallies))

    def score_blocks(self, blocks: Blocks) -> Scores:
        """The importance of the leaf each block is in."""
        place = self._places(blocks)
        known = place >= 0
        scores = np.where(known, self.tree.composite[np.maximum(place, 0)] if len(self.tree.place) else 0.0, np.nan)
        scores[blocks.hidden] = 0.0
        return scores.astype(np.float32)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """On how many pages the place was seen, and how much it varies."""
        places = self._places(blocks).tolist()
        return tuple(
            (self._reason(place, hidden),) for place, hidden in zip(places, blocks.hidden.tolist(), strict=True)
        )

    def _reason(self, place: int, hidden: bool) -> str:
        if hidden:
            return "hidden text is no part of the tree"
        if place < 0:
            return f"no page of {self.counts.pages} has this place: possibly meaningful"
        pages, importance = int(self.tree.pages[place]), self.tree.composite[place]
        return f"this place is on {pages} of {self.counts.pages} pages, importance {importance:.2f}"

    def _places(self, blocks: Blocks) -> NDArray[np.intp]:
        """Position of each block's leaf in the tree; -1 where it has none."""
        placed = place_page(blocks.page, self.settings.matching, self.settings.virtual_leaves)
        leaf = placed.leaf[blocks.first_row]
        keys = np.where(leaf >= 0, placed.key[leaf], np.uint64(0))
        return find_keys(self.tree.place, keys)


_TALLIES: Final = {"places": (3, 2), "styles": (2, 1), "children": (3, 1), "features": (2, 3)}
"""The tables of SiteCounts, with the parts of a key and the numbers of each."""
_PARTS: Final = ("keys", "counts")


def _checked(file: ModelFile, name: str, shape: tuple[int, int]) -> Tally:
    """A table of the file, if it is one: of the right shape and types, and sorted."""
    keys, counts = (file.arrays[f"{name}_{part}"] for part in _PARTS)
    if keys.dtype != np.uint64 or counts.dtype != np.int64 or keys.ndim != 2 or counts.ndim != 2:
        raise ValueError(f"{name} is of another type")
    if (keys.shape[1], counts.shape[1]) != shape or len(keys) != len(counts):
        raise ValueError(f"{name} is of another shape")
    return add_tallies([Tally(keys, counts)], MOST_FEATURES)


@dataclass(frozen=True, eq=False)
class Importance:
    """Importance of the places of a site; one entry a place, sorted by key."""

    place: Keys
    pages: NDArray[np.int64]
    node: NDArray[np.float64]
    """Equation 1: entropy of the styles below."""
    composite: NDArray[np.float64]
    """Equations 2 to 4."""


def find_keys(table: Keys, keys: Keys) -> NDArray[np.intp]:
    """Position of each key in a sorted table; -1 where it is not."""
    if not len(table):
        return np.full(len(keys), -1, dtype=np.intp)
    position = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[position] == keys, position, -1)


def composite_importance(counts: SiteCounts, attenuation: float) -> Importance:
    """Importance of every place, from the deepest up."""
    place, depth = counts.places.keys[:, 0], counts.places.keys[:, 2].astype(np.int64)
    pages, leaf_pages = counts.places.counts[:, 0], counts.places.counts[:, 1]
    content = _content_importance(counts.features, place, leaf_pages)
    styles = _Styles(counts, place, pages, leaf_pages)
    composite = np.where(leaf_pages == pages, content, 0.0)
    composite[pages == 1] = 1.0
    weight = attenuation ** np.maximum(styles.number, 1)
    for level in range(int(depth.max(initial=0)), -1, -1):
        inner = np.flatnonzero((depth == level) & (leaf_pages < pages) & (pages > 1))
        below = styles.mean_of_children(composite, inner) + styles.leaf_share[inner] * content[inner]
        composite[inner] = (1 - weight[inner]) * styles.entropy[inner] + weight[inner] * below
    return Importance(place, pages, styles.entropy, composite)


def _content_importance(features: Tally, place: Keys, leaf_pages: NDArray[np.int64]) -> NDArray[np.float64]:
    """Equation 4: one minus the mean entropy of the features of each leaf; 0 without features."""
    owner = find_keys(place, features.keys[:, 0])
    known = owner >= 0
    entropy = entropies(features, leaf_pages[np.maximum(owner, 0)] if len(place) else np.ones(0, dtype=np.int64))
    number = np.bincount(owner[known], minlength=len(place))
    total = np.bincount(owner[known], weights=entropy[known], minlength=len(place))
    mean = np.divide(total, number, out=np.ones(len(place)), where=number > 0)
    return np.where(leaf_pages == 1, np.where(number > 0, 1.0, 0.0), 1 - mean)


class _Styles:
    """The styles below each place, with their shares of pages."""

    def __init__(
        self, counts: SiteCounts, place: Keys, pages: NDArray[np.int64], leaf_pages: NDArray[np.int64]
    ) -> None:
        size = len(place)
        self._owner = np.maximum(find_keys(place, counts.styles.keys[:, 0]), 0)
        self._share = counts.styles.counts[:, 0] / np.maximum(pages[self._owner], 1) if size else np.zeros(0)
        self.leaf_share = leaf_pages / np.maximum(pages, 1)
        self.number = np.bincount(self._owner, minlength=size) + (leaf_pages > 0)
        log = np.log(np.maximum(pages, 2))
        entropy = np.bincount(self._owner, weights=-self._share * np.log(self._share), minlength=size)
        leaf_part = -self.leaf_share * np.log(np.where(leaf_pages > 0, self.leaf_share, 1.0))
        self.entropy = np.where(pages > 1, (entropy + leaf_part) / log, 1.0)
        self._style_of_child, self._child = self._children(counts, place)

    def _children(self, counts: SiteCounts, place: Keys) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Which style each child belongs to, and which place it is."""
        pairs, styles = counts.children.keys, counts.styles.keys
        order = {pair: number for number, pair in enumerate(map(tuple, styles.tolist()))}
        style = np.array([order.get((owner, style), -1) for owner, style, _ in pairs.tolist()], dtype=np.intp)
        child = find_keys(place, pairs[:, 2])
        known = (style >= 0) & (child >= 0)  # in giant sites the least of them are not counted
        return style[known], child[known]

    def mean_of_children(self, composite: NDArray[np.float64], places: NDArray[np.intp]) -> NDArray[np.float64]:
        """Sum over styles of share times equation 3, for some places."""
        wanted = np.zeros(len(composite), dtype=bool)
        wanted[places] = True
        chosen = wanted[self._owner[self._style_of_child]]
        style, child = self._style_of_child[chosen], self._child[chosen]
        number = np.bincount(style, minlength=len(self._owner))
        total = np.bincount(style, weights=composite[child], minlength=len(self._owner))
        mean = np.divide(total, number, out=np.zeros(len(self._owner)), where=number > 0)
        below = np.zeros(len(composite))
        np.add.at(below, self._owner, self._share * mean)
        return below[places]
