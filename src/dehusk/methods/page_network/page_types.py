"""Page types, predicted from the network and from clues in the page itself: its URL, OpenGraph and schema.org.

Clues are names such as `address forum`, `og article` or `schema Product`. Their weights are learnt (`TypeWeights`).
The compiled part finds and weighs them, `native/src/deciding/type_clues.rs` and `likely_types.rs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Outcome
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page

PAGE_TYPES: Final[tuple[str, ...]] = (
    *("article", "documentation", "forum", "service", "product", "data", "listing", "empty"),
)
"""`docs/what-is-content.md` says what is content on each. A forum page is a discussion, or a question with its answers;
a service page describes an offer or an organisation; a data page has the facts about one person, place or thing; a
listing has items to choose from: search results, categories, galleries, indexes of forums, front pages. A page without
content (an error, a robot check, a shell that a script would fill) is empty."""
LIKELIHOODS: Final = tuple(f"network {name}" for name in PAGE_TYPES)
ANY_PAGE: Final = "any page"

_LEAST: Final = 1e-3
"""Added to every probability of the network, which is overconfident; `likely_types.rs` has the same."""

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
        joined = "".join(f"{clue}\0" for clue in frozenset(clues))
        arrays = (network.astype(np.float32, copy=False), as_utf8(joined))
        return ask(Question.LIKELY_TYPES, arrays, self.native).column(0)

    @cached_property
    def native(self) -> Outcome:
        """The weights in the compiled part, `native/src/deciding/likely_types.rs`."""
        rows = {name: row for row, name in enumerate(self.weights)}
        likelihoods = [rows.get(name, -1) for name in (*LIKELIHOODS, ANY_PAGE)]
        names = "".join(f"{name}\0" for name in self.weights)
        table = np.array([*self.weights.values()], dtype=np.float32).reshape(-1)
        arrays = (as_utf8(names), table, np.array(likelihoods, dtype=np.int32))
        return ask(Question.TYPE_WEIGHTS, arrays)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the weights."""
        return {"weights": self.weights}


def clue_values(network: Likely, clues: Iterable[str]) -> dict[str, float]:
    """Clue -> its value: 1 for clues of the page, the log-probability for types predicted by the network."""
    log_probabilities = np.log(np.asarray(network, dtype=np.float64) + _LEAST).tolist()
    return {**dict.fromkeys(clues, 1.0), **dict(zip(LIKELIHOODS, log_probabilities, strict=True)), ANY_PAGE: 1.0}


def type_clues(page: Page) -> frozenset[str]:
    """The clues of a page, at most 200."""
    found = ask(Question.TYPE_CLUES, (as_utf8(page.url),), page.native, subject=page.label)
    return frozenset(found.text(0).split("\0")[:-1])
