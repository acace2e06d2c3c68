"""Columns of features: declared first, then computed all at once.

On a page of a hundred blocks a call of numpy costs more than its arithmetic. So families of features only declare their
numbers; then one operation computes all logarithms, and another one all shares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

Numbers = NDArray[Any]
"""One number a block (m), or k of each (k x m)."""

_LOG_SCALE: Final = np.float32(0.25)
"""Logarithms of counts on pages end at about 8; times this they end at 2."""


@dataclass(frozen=True, slots=True)
class Log:
    """The logarithm of one more than a count, on the scale of other features; negative for a distance backwards."""

    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Share:
    """Numbers as shares of a whole that counts as 1 at least."""

    numbers: Numbers
    whole: Numbers | float
    """Of the shape of the numbers, or one for all."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Numbers as they are."""

    numbers: Numbers


Feature = Log | Share | Plain


def compute_columns(features: Sequence[Feature], size: int) -> NDArray[np.float32]:
    """float32, one row a column of the features, in their order; size = m numbers a row."""
    rows = [1 if feature.numbers.ndim == 1 else len(feature.numbers) for feature in features]
    kinds = list(_COMPUTE)
    kind = np.repeat([kinds.index(type(feature)) for feature in features], rows)
    columns = np.empty((len(kind), size), dtype=np.float32)
    for number, compute in enumerate(_COMPUTE.values()):
        rows_of_kind = np.flatnonzero(kind == number)
        if len(rows_of_kind):
            flat = compute([feature for feature in features if type(feature) is kinds[number]])
            columns[rows_of_kind] = flat.reshape(len(rows_of_kind), size)
    return columns


def _logarithms(features: Sequence[Log]) -> Numbers:
    numbers = _flat([feature.numbers for feature in features], np.float32)
    return np.copysign(np.log1p(np.abs(numbers)) * _LOG_SCALE, numbers)


def _shares(features: Sequence[Share]) -> Numbers:
    wholes = [
        feature.whole if isinstance(feature.whole, np.ndarray) else np.full(feature.numbers.shape, feature.whole)
        for feature in features
    ]
    return _flat([feature.numbers for feature in features]) / np.maximum(_flat(wholes), 1)


def _plain(features: Sequence[Plain]) -> Numbers:
    return _flat([feature.numbers for feature in features], np.float32)


_COMPUTE: Final[Mapping[type[Feature], Callable[[Sequence[Any]], Numbers]]] = {
    Log: _logarithms,
    Share: _shares,
    Plain: _plain,
}


def _flat(tables: Sequence[Numbers], dtype: DTypeLike = np.float64) -> Numbers:
    """All numbers, one table and one row after the other."""
    return np.concatenate(tables, axis=None, dtype=dtype, casting="unsafe")
