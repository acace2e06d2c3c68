"""Weights in single precision. Those of model files go to the compiled part without becoming arrays of numpy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dehusk.methods.model_files import StoredArrays
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Lendable, LentColumn
from dehusk.native.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"

_HALVES: Final = "<f2"
"""The type in which models are saved, as numpy writes it."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """One array of weights."""

    shape: tuple[int, ...]
    values: Lendable
    """float32, row after row."""
    are_finite: bool

    def array(self) -> Floats:
        """float32, of this shape."""
        values = self.values.make() if isinstance(self.values, LentColumn) else self.values
        return np.asarray(values).reshape(self.shape)


def weights_in(arrays: Mapping[str, NDArray[Any]], name: str) -> Weights:
    """The weights in an array of any type of numbers."""
    stored = arrays.stored[name] if isinstance(arrays, StoredArrays) else None
    if stored is not None and stored.code == _HALVES and not stored.by_columns:
        made = ask(Question.SINGLES, (stored.values,), subject=name)
        return Weights(stored.shape, LentColumn(made, 0), bool(made.summary.first))
    values = np.ascontiguousarray(arrays[name], dtype=np.float32)
    return Weights(values.shape, values, bool(np.isfinite(values).all()))


class WeightArrays(Mapping[str, Floats]):
    """Weights by name, as arrays for those who ask."""

    def __init__(self, weights: Mapping[str, Weights]) -> None:
        self.weights: Final = weights

    def __getitem__(self, name: str) -> Floats:
        return self.weights[name].array()

    def __iter__(self) -> Iterator[str]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)
