"""Page types, predicted from the network and from clues in the page itself (`type_clues`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

PAGE_TYPES: Final[tuple[str, ...]] = (
    *("article", "documentation", "forum", "service", "product", "collection", "listing"),
)
"""A service page describes an offer, a collection shows many products, a listing links to other pages."""
LIKELIHOODS: Final = tuple(f"network {name}" for name in PAGE_TYPES)
ANY_PAGE: Final = "any page"

_LEAST: Final = 1e-3
"""Added to every probability of the network, which is overconfident."""

Likely = NDArray[np.float32]
"""float32: the probability of each of `PAGE_TYPES`."""


@dataclass(frozen=True, eq=False)
class TypeWeights:
    """The weight of each clue for each type. Without weights the network decides alone."""

    weights: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    """Clue -> float32, one entry per type: what it adds to the log-odds."""

    def likely(self, network: Likely, clues: Iterable[str]) -> Likely:
        """The probability of each type from the network and from clues; unknown clues are ignored."""
        if not self.weights:
            return network
        values = clue_values(network, clues)
        known = [name for name in sorted(values) if name in self.weights]
        logits = sum((values[name] * self.weights[name] for name in known), np.zeros(len(PAGE_TYPES)))
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum(), dtype=np.float32)


def clue_values(network: Likely, clues: Iterable[str]) -> dict[str, float]:
    """Clue -> its value: 1 for clues of the page, the log-probability for types predicted by the network."""
    log_probabilities = np.log(np.asarray(network, dtype=np.float64) + _LEAST).tolist()
    return {**dict.fromkeys(clues, 1.0), **dict(zip(LIKELIHOODS, log_probabilities, strict=True)), ANY_PAGE: 1.0}
