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
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.discretising import discretise, number_of_values
from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES, Scope, names_of, raw_features
from dehusk.methods.sequence_labels.text_runs import Pieces

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


Look = tuple[str, int]
"""A feature at an offset."""

COMBINATIONS: Final[tuple[tuple[Look, ...], ...]] = (
    # Does the text before go on, and does this text look like it goes on?
    (("split.class-block", 0), ("sentence-end", -1), ("sentence-begin", 0)),
    (("split.class-block", 0), ("split.br", 0), ("split.p", 0)),
    (("split.br", 0), ("sentence-end", -1)),
    # Is the whole block bold, a link, a list item?
    (("container.class-bold", 0), ("split.class-block", 0), ("split.class-block", 1)),
    (("container.a", 0), ("split.class-block", 0), ("split.class-block", 1)),
    (("container.class-header", 0), ("split.class-block", 0)),
    (("container.li", 0), ("split.class-block", 0), ("container.a", 0)),
    (("container.p", 0), ("split.class-block", 0)),
    (("bullet", 0), ("split.class-block", 0)),
    # How much text is it, and what is around?
    (("token.alpha-abs", 0), ("container.a", 0), ("split.class-block", 0)),
    (("token.alpha-abs", 0), ("sentence-end", 0), ("container.class-bold", 0)),
    (("token.alpha-abs", -1), ("token.alpha-abs", 1)),
    (("div-group.word-ratio", 0), ("container.a", 0)),
    (("td-group.word-ratio", 0), ("container.a", 0)),
    (("div-group.word-ratio", 0), ("td-group.word-ratio", 0)),
    (("td-group.word-ratio", 0), ("document.max-td-group", 0)),
    (("div-group.word-ratio", 0), ("document.max-div-group", 0)),
    (("position", 0), ("container.a", 0)),
    (("position", 0), ("document.block-count", 0)),
)
"""Looks that say more together than each says alone. Those with a feature that is switched off are not used."""


@dataclass(frozen=True, eq=False)
class AttributeTable:
    """The attributes that some features have under some template.

    Equal settings give equal numbers: attributes are numbered by offset, then feature, then value, and after all of
    these come the combinations in their order.
    """

    features: tuple[str, ...] = FEATURE_NAMES
    """Names of the features that are switched on: the columns of the matrices below."""
    template: Mapping[str, Offsets] = field(default_factory=lambda: TEMPLATE)
    combinations: tuple[tuple[Look, ...], ...] = COMBINATIONS

    def __len__(self) -> int:
        """How many attributes there are."""
        return int(self._starts[-1])

    @cached_property
    def columns(self) -> tuple[tuple[Look, ...], ...]:
        """What each attribute that a piece has looks at."""
        offsets = sorted({offset for name in self.features for offset in self.template[name]})
        single = [((name, offset),) for offset in offsets for name in self.features if offset in self.template[name]]
        on = set(self.features)
        return (*single, *(looks for looks in self.combinations if all(name in on for name, _ in looks)))

    @cached_property
    def _starts(self) -> Attributes:
        """int32, one more than columns: the number of the first attribute of each column."""
        sizes = [prod(_size(look) for look in looks) for looks in self.columns]
        return np.cumsum([0, *sizes], dtype=np.int32)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each attribute."""
        return tuple(
            " & ".join(_name(look, value) for look, value in zip(looks, values, strict=True))
            for looks in self.columns
            for values in product(*(range(_size(look)) for look in looks))
        )

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """A short string for each attribute, for python-crfsuite: it copies and hashes them for every piece."""
        return tuple(map(str, range(len(self))))

    @cached_property
    def _keys(self) -> NDArray[np.object_]:
        return np.array(self.keys, dtype=object)

    def observe(self, values: NDArray[np.uint8]) -> Attributes:
        """int32, pieces x columns: the attributes of each piece, from its discretised features (pieces x features)."""
        position_of = {name: position for position, name in enumerate(self.features)}
        seen: dict[Look, Attributes] = {}
        attributes = np.empty((len(values), len(self.columns)), dtype=np.int32, order="F")
        for column, looks in enumerate(self.columns):
            number = attributes[:, column]
            number[:] = 0
            for look in looks:
                if look not in seen:
                    seen[look] = _looked_at(values[:, position_of[look[0]]], look)
                number *= _size(look)
                number += seen[look]
            number += self._starts[column]
        return attributes

    def keys_of(self, attributes: Attributes) -> list[list[str]]:
        """The keys of the attributes of each piece, as python-crfsuite takes them."""
        keys: list[list[str]] = self._keys[attributes].tolist()
        return keys


@lru_cache(maxsize=1000)
def _size(look: Look) -> int:
    """Values that are seen: those of the feature, and, beside the piece itself, that there is no such piece."""
    name, offset = look
    return number_of_values(name) + (offset != 0)


def _name(look: Look, value: int) -> str:
    name, offset = look
    return f"{name}[{offset}]={value if value < number_of_values(name) else 'none'}"


def _looked_at(values: NDArray[np.uint8], look: Look) -> Attributes:
    """int32, one entry a piece: the value of a feature at an offset."""
    name, offset = look
    found = np.full(len(values), number_of_values(name), dtype=np.int32)
    if offset >= 0:
        found[: len(values) - offset] = values[offset:]
    else:
        found[-offset:] = values[:offset]
    return found


def observations(pieces: Pieces, table: AttributeTable) -> Attributes:
    """int32, pieces x columns of the table: the attributes of each piece."""
    return table.observe(discretise(raw_features(pieces, table.features), table.features))
