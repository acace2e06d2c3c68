"""Raw features -> a finite set of values -> the attributes that the CRF sees.

The paper: "The features must have a finite set of values. The mapping of integers and real numbers into finite sets was
chosen empirically and is specified in the configuration." That configuration is not printed. Ours follows the
quantiles of the raw features over every second page of CleanEval (46,735 text runs), rounded; "none", "exactly one" and
"all" are separate values wherever they mean something different from "few" and "many".

Templates say which neighbours' features are used (the paper's "template file" of offsets). An attribute is a feature
with a value at an offset: `container.a[-1]=1` means that the previous text run is in a link. Offsets beyond the ends of
the page have an attribute of their own: `container.a[-1]=none`.

Attributes are numbered, so the observations of a page are one integer matrix and scoring is a look-up of weight rows
and a sum.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.run_features import DOCUMENT, FEATURE_NAMES, MARKUP, raw_features
from dehusk.methods.sequence_labels.text_patterns import DATES, TIMES, URLS
from dehusk.methods.sequence_labels.text_runs import TextRuns

_ANY: Final = 0.001
"""The smallest share above none: no readable text run has only one letter in a thousand characters."""
_IS_SO: Final = (1.0,)
_GROUP_SHARES: Final = (_ANY, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95)

EDGES: Final[Mapping[str, tuple[float, ...]]] = {
    **{name: _IS_SO for name in MARKUP if name.startswith("container.")},
    "split.p": (1, 2, 3),
    "split.br": (1, 2, 3),
    "split.hr": _IS_SO,
    "split.class-inline": (1, 2, 3, 5, 9),
    "split.class-block": (1, 2, 3, 5, 9),
    "char.alpha-rel": (_ANY, 0.5, 0.7, 0.77, 0.81, 0.85, 0.92, 1),
    "char.num-rel": (_ANY, 0.05, 0.2, 0.5, 1),
    "char.punct-rel": (_ANY, 0.02, 0.04, 0.08, 0.2, 0.5, 1),
    "char.white-rel": (_ANY, 0.06, 0.1, 0.13, 0.15, 0.17, 0.2),
    "char.other-rel": (_ANY, 0.05, 0.2, 0.5, 1),
    "token.alpha-rel": (_ANY, 0.5, 0.75, 0.95, 1),
    "token.num-rel": (_ANY, 0.05, 0.25, 0.5, 1),
    "token.mix-rel": (_ANY, 0.05, 0.25, 1),
    "token.other-rel": (_ANY, 0.05, 0.25, 0.5, 1),
    "token.alpha-abs": (1, 2, 3, 5, 8, 14, 25, 40, 80),
    "token.num-abs": (1, 2, 4),
    "token.mix-abs": (1, 2),
    "token.other-abs": (1, 2, 4),
    "sentence.count": (1, 2, 3, 5, 9),
    "sentence.avg-length": (1, 2, 3, 5, 8, 12, 18, 26),
    "sentence-begin": _IS_SO,
    "sentence-end": _IS_SO,
    "first-duplicate": _IS_SO,
    "duplicate-count": (2, 3, 5, 10, 30),
    "regexp.url": tuple(range(1, len(URLS) + 1)),
    "regexp.date": tuple(range(1, len(DATES) + 1)),
    "regexp.time": tuple(range(1, len(TIMES) + 1)),
    "bullet": (1, 2, 4, 5, 6, 9, 10, 16, 32),  # every combination that there is
    "div-group.word-ratio": _GROUP_SHARES,
    "td-group.word-ratio": _GROUP_SHARES,
    "position": (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98),
    "document.word-count": (100, 300, 700, 1500, 3000, 6000),
    "document.sentence-count": (5, 15, 40, 100, 200, 500),
    "document.block-count": (20, 50, 100, 200, 400, 800),
    "document.max-div-group": (_ANY, 0.1, 0.3, 0.5, 0.7, 0.9),
    "document.max-td-group": (_ANY, 0.1, 0.3, 0.5, 0.7, 0.9),
}
"""Feature name -> ascending edges: value v covers numbers from edge v - 1 up to, but not including, edge v."""

_EDGES: Final = {name: np.array(edges, dtype=np.float64) for name, edges in EDGES.items()}


def number_of_values(name: str) -> int:
    """The number of values n of a feature; values are 0 to n - 1."""
    return len(EDGES[name]) + 1


def discretise(numbers: NDArray[np.float64], names: Sequence[str] = FEATURE_NAMES) -> NDArray[np.uint8]:
    """uint8, runs x names: the discretised values of the raw features with these names."""
    values = np.empty(numbers.shape, dtype=np.uint8, order="F")
    for position, name in enumerate(names):
        values[:, position] = _EDGES[name].searchsorted(numbers[:, position], side="right")
    return values


Offsets = tuple[int, ...]
Attributes = NDArray[np.int32]

_WIDE: Final[Offsets] = (-2, -1, 0, 1, 2)
_NEAR: Final[Offsets] = (-1, 0, 1)
_HERE: Final[Offsets] = (0,)

_SEEN_FAR: Final = (
    *"container.p container.a container.li container.class-header split.br split.class-block".split(),
    *"char.punct-rel token.alpha-abs sentence.count sentence-begin sentence-end duplicate-count".split(),
    *"regexp.date bullet div-group.word-ratio td-group.word-ratio".split(),
)
"""Features also seen two text runs away: they tell series of links, list items and paragraphs from single ones."""

TEMPLATE: Final[Mapping[str, Offsets]] = {
    **dict.fromkeys(FEATURE_NAMES, _NEAR),
    **dict.fromkeys(_SEEN_FAR, _WIDE),
    **dict.fromkeys(DOCUMENT, _HERE),  # the same for all neighbours
}
"""Feature name -> the offsets at which it is used. The paper does not print its template."""


FeatureAtOffset = tuple[str, int]
"""A feature at an offset."""

COMBINATIONS: Final[tuple[tuple[FeatureAtOffset, ...], ...]] = (
    # Does the previous text continue, and does this text look like a continuation?
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
    # How much text is there, and what surrounds it?
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
"""Features at offsets that are used jointly. Combinations with a disabled feature are left out."""


@dataclass(frozen=True, eq=False)
class AttributeTable:
    """The numbered attributes of a set of features under a template.

    Equal settings give equal numbers: attributes are numbered by offset, then feature, then value, and after all of
    these come the combinations in their order.
    """

    features: tuple[str, ...] = FEATURE_NAMES
    """Names of the enabled features: the columns of the matrices below."""
    template: Mapping[str, Offsets] = field(default_factory=lambda: TEMPLATE)
    combinations: tuple[tuple[FeatureAtOffset, ...], ...] = COMBINATIONS

    def __len__(self) -> int:
        """The number of attributes."""
        return int(self._starts[-1])

    @cached_property
    def columns(self) -> tuple[tuple[FeatureAtOffset, ...], ...]:
        """The features and offsets behind each column of the observations."""
        offsets = sorted({offset for name in self.features for offset in self.template[name]})
        single = [((name, offset),) for offset in offsets for name in self.features if offset in self.template[name]]
        on = set(self.features)
        return (*single, *(terms for terms in self.combinations if all(name in on for name, _ in terms)))

    @cached_property
    def _starts(self) -> Attributes:
        """int32, columns + 1 entries: the number of the first attribute of each column."""
        sizes = [prod(_size(term) for term in terms) for terms in self.columns]
        return np.cumsum([0, *sizes], dtype=np.int32)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each attribute."""
        return tuple(
            " & ".join(_name(term, value) for term, value in zip(terms, values, strict=True))
            for terms in self.columns
            for values in product(*(range(_size(term)) for term in terms))
        )

    def uses_only(self, features: Collection[str]) -> NDArray[np.bool_]:
        """bool, one entry per attribute: whether all of its features are among these."""
        allowed = [all(name in features for name, _ in terms) for terms in self.columns]
        return np.repeat(np.array(allowed, dtype=bool), np.diff(self._starts))

    def observe(self, values: NDArray[np.uint8]) -> Attributes:
        """int32, runs x columns: the attributes of each text run, from its discretised features (runs x features)."""
        position_of = {name: position for position, name in enumerate(self.features)}
        seen: dict[FeatureAtOffset, Attributes] = {}
        attributes = np.empty((len(values), len(self.columns)), dtype=np.int32, order="F")
        for column, terms in enumerate(self.columns):
            number = attributes[:, column]
            number[:] = 0
            for term in terms:
                if term not in seen:
                    seen[term] = _shifted(values[:, position_of[term[0]]], term)
                number *= _size(term)
                number += seen[term]
            number += self._starts[column]
        return attributes


@lru_cache(maxsize=1000)
def _size(term: FeatureAtOffset) -> int:
    """The number of values: those of the feature and, at offsets other than 0, one for "no text run there"."""
    name, offset = term
    return number_of_values(name) + (offset != 0)


def _name(term: FeatureAtOffset, value: int) -> str:
    name, offset = term
    return f"{name}[{offset}]={value if value < number_of_values(name) else 'none'}"


def _shifted(values: NDArray[np.uint8], term: FeatureAtOffset) -> Attributes:
    """int32, one entry per text run: the value of a feature at an offset."""
    name, offset = term
    found = np.full(len(values), number_of_values(name), dtype=np.int32)
    if offset >= 0:
        found[: len(values) - offset] = values[offset:]
    else:
        found[-offset:] = values[:offset]
    return found


def observations(runs: TextRuns, table: AttributeTable) -> Attributes:
    """int32, runs x columns of the table: the attributes of each text run."""
    return table.observe(discretise(raw_features(runs, table.features), table.features))
