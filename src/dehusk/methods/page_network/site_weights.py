"""The weights of site evidence. Apart from `site_evidence`, which most pages are cleaned without."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from dehusk.native.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS: Final = (
    "same text",
    "same sentence",
    "same link",
    "template signature",
    "own text around",
    "signature",
)
"""What the site knows about a block, by name; see `site_evidence.site_columns`."""
NO_WEIGHTS: Final = array("d")
"""What the compiled part takes instead of `SiteWeights.numbers` if no site counts."""
_NOTHING: Final = -20.0
"""A bias with which nothing is taken away."""

Columns: TypeAlias = "NDArray[np.float32]"
"""float32, blocks x `COLUMNS`: values of about 1."""


@dataclass(frozen=True)
class SiteWeights:
    """The weight of each kind of evidence; without any, a site takes nothing away."""

    bias: float = _NOTHING
    columns: Mapping[str, float] = field(default_factory=dict)
    """Name -> weight; missing columns have weight 0."""

    @cached_property
    def numbers(self) -> array[float]:
        """The bias, and the weights in the order of `COLUMNS`, as the compiled part takes them."""
        return array("d", [self.bias, *(self.columns.get(name, 0.0) for name in COLUMNS)])

    @cached_property
    def _vector(self) -> NDArray[np.float64]:
        """float64: the weights in the order of `COLUMNS`."""
        return np.array(self.numbers[1:])

    def weighed(self, columns: Columns) -> NDArray[np.float64]:
        """float64, blocks x `COLUMNS`: the weighted columns."""
        return np.asarray(columns * self._vector)

    def lowering(self, columns: Columns) -> NDArray[np.float64]:
        """float64: by how much the log-odds of repeated text fall, from 0. Training fits the weights by it."""
        return np.asarray(np.logaddexp(0.0, self.bias + columns @ self._vector))
