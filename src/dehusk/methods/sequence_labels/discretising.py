"""Feature numbers -> a finite set of values, in one table.

The paper: "The features must have a finite set of values. The mapping of integers and real numbers into finite sets was
chosen empirically and is specified in the configuration." That configuration is not printed. Ours follows the
quantiles of the raw features over every second page of CleanEval (46,735 text runs), rounded; "none", "exactly one" and
"all" are separate values wherever they mean something different from "few" and "many".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES, Scope, names_of
from dehusk.methods.sequence_labels.text_patterns import DATES, TIMES, URLS

_ANY: Final = 0.001
"""The smallest share above none: no readable text run has only one letter in a thousand characters."""
_IS_SO: Final = (1.0,)
_GROUP_SHARES: Final = (_ANY, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95)

EDGES: Final[Mapping[str, tuple[float, ...]]] = {
    **{name: _IS_SO for name in names_of(Scope.MARKUP) if name.startswith("container.")},
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
