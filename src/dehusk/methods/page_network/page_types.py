"""The types of pages, and what tells them apart: the network, and what a page says of itself (`network.type_clues`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

PAGE_TYPES: Final[tuple[str, ...]] = (
    *("article", "documentation", "forum", "service", "product", "collection", "listing"),
)
"""A service is a page about what somebody offers, a collection shows many products, a listing points to other pages."""
LIKELIHOODS: Final = tuple(f"network {name}" for name in PAGE_TYPES)
ANY_PAGE: Final = "any page"

_LEAST: Final = 1e-3
"""Probability that the network is taken to give to every type: it is never as sure as it says."""

Likely = NDArray[np.float32]
"""float32: how likely a page is of each of `PAGE_TYPES`."""


@dataclass(frozen=True, eq=False)
class TypeWeights:
    """How much each clue speaks for each type. Without weights the network decides alone."""

    weights: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    """Clue -> float32, one entry a type: what it adds to the log-odds."""

    def likely(self, network: Likely, clues: Iterable[str]) -> Likely:
        """How likely each type is, by what the network says and by clues; those that are not known say nothing."""
        if not self.weights:
            return network
        values = clue_values(network, clues)
        known = [name for name in sorted(values) if name in self.weights]
        logits = sum((values[name] * self.weights[name] for name in known), np.zeros(len(PAGE_TYPES)))
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum(), dtype=np.float32)


def clue_values(network: Likely, clues: Iterable[str]) -> dict[str, float]:
    """Clue -> its value: 1 for what a page says, the logarithm of the probability for what the network says."""
    said = np.log(np.asarray(network, dtype=np.float64) + _LEAST).tolist()
    return {**dict.fromkeys(clues, 1.0), **dict(zip(LIKELIHOODS, said, strict=True)), ANY_PAGE: 1.0}
