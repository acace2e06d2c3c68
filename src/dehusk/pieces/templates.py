"""Which values of which neighbours count: the paper's "offset specification described in a template file".

An attribute says that some feature has some value at some offset: `container.a[-1]=1`, the piece before is in a link.
At offsets beyond the ends of the page there is an attribute for just that: `container.a[-1]=none`.

Attributes are numbered, so that the observations of a page are one matrix of integers: with a row of weights for each
attribute, scores are a look-up and a sum. Strings are for python-crfsuite, to learn with. It is no tool to label with:
of a page of 227 pieces that is read in 2 milliseconds it takes in names in 16, short keys in 5, and labels it in 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.pieces.columns import Pieces
from dehusk.pieces.discretising import discretise, number_of_values
from dehusk.pieces.features import FEATURE_NAMES, Scope, names_of, raw_features

Offsets = tuple[int, ...]
Attributes = NDArray[np.int32]

_WIDE: Final[Offsets] = (-2, -1, 0, 1, 2)
_NEAR: Final[Offsets] = (-1, 0, 1)
_HERE: Final[Offsets] = (0,)

_LOOKED_FOR_FAR: Final = (
    *"container.p container.a container.li container.class-header split.br split.class-block".split(),
    *"char.punct-rel token.alpha-abs sentence.count sentence-begin sentence-end duplicate-count".split(),
    *"regexp.date bullet div-group.word-ratio td-group.word-ratio".split(),
)
"""What tells runs of links, lists and paragraphs from single ones, two pieces to each side."""

TEMPLATE: Final[Mapping[str, Offsets]] = {
    **dict.fromkeys(FEATURE_NAMES, _NEAR),
    **dict.fromkeys(_LOOKED_FOR_FAR, _WIDE),
    **dict.fromkeys(names_of(Scope.DOCUMENT), _HERE),  # what neighbours share
}
"""By name of the feature, the offsets it is looked at. The paper does not print its template."""


@dataclass(frozen=True, eq=False)
class AttributeTable:
    """The attributes that some features have under some template.

    Equal settings give equal numbers: attributes are numbered by offset, then feature, then value.
    """

    features: tuple[str, ...] = FEATURE_NAMES
    """Names of the features that are switched on: the columns of the matrices below."""
    template: Mapping[str, Offsets] = field(default_factory=lambda: TEMPLATE)

    def __len__(self) -> int:
        """How many attributes there are."""
        return int(self._starts[-1])

    @cached_property
    def columns(self) -> tuple[tuple[int, int], ...]:
        """(offset, position in `features`) of each attribute that a piece has."""
        offsets = sorted({offset for name in self.features for offset in self.template[name]})
        return tuple(
            (offset, position)
            for offset in offsets
            for position, name in enumerate(self.features)
            if offset in self.template[name]
        )

    @cached_property
    def _sizes(self) -> list[int]:
        """Values of each of the features; one more means there is no such piece."""
        return [number_of_values(name) for name in self.features]

    @cached_property
    def _starts(self) -> Attributes:
        """int32, one more than columns: the number of the first attribute of each column."""
        sizes = [self._sizes[position] + (offset != 0) for offset, position in self.columns]
        return np.cumsum([0, *sizes], dtype=np.int32)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each attribute."""
        return tuple(
            f"{self.features[position]}[{offset}]={value if value < self._sizes[position] else 'none'}"
            for offset, position in self.columns
            for value in range(self._sizes[position] + (offset != 0))
        )

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """A short key for each attribute: its number."""
        return tuple(format(number, "x") for number in range(len(self)))

    @cached_property
    def _keys(self) -> NDArray[np.object_]:
        return np.array(self.keys, dtype=object)

    def observe(self, values: NDArray[np.uint8]) -> Attributes:
        """int32, pieces x columns: the attributes of each piece, from its discretised features (pieces x features)."""
        margin = max((abs(offset) for offset, _ in self.columns), default=0)
        size = len(values)
        padded = np.empty((size + 2 * margin, len(self.features)), dtype=np.int32)
        padded[:] = self._sizes
        padded[margin : margin + size] = values
        attributes = np.empty((size, len(self.columns)), dtype=np.int32)
        for start, end, offset, positions in self._spans:
            shifted = padded[margin + offset : margin + offset + size]
            np.add(shifted.take(positions, axis=1), self._starts[start:end], out=attributes[:, start:end])
        return attributes

    @cached_property
    def _spans(self) -> list[tuple[int, int, int, NDArray[np.intp]]]:
        """(first column, column after the last, offset, positions in `features`) of each offset."""
        offsets = np.array([offset for offset, _ in self.columns], dtype=np.intp)
        positions = np.array([position for _, position in self.columns], dtype=np.intp)
        edges = [*np.flatnonzero(np.diff(offsets, prepend=-(2**31))).tolist(), len(offsets)]
        return [(start, end, int(offsets[start]), positions[start:end]) for start, end in pairwise(edges)]

    def keys_of(self, attributes: Attributes) -> list[list[str]]:
        """The keys of the attributes of each piece, as python-crfsuite takes them."""
        keys: list[list[str]] = self._keys[attributes].tolist()
        return keys


def observations(pieces: Pieces, table: AttributeTable) -> Attributes:
    """int32, pieces x columns of the table: the attributes of each piece."""
    return table.observe(discretise(raw_features(pieces, table.features), table.features))
