"""Page types, predicted from the network and from clues in the page itself: its URL, OpenGraph and schema.org.

Clues are names such as `address forum`, `og article` or `schema Product`. Their weights are learnt (`TypeWeights`).
The compiled part finds and weighs them, `native/src/deciding/type_clues.rs` and `likely_types.rs`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dehusk.methods.page_network.weight_arrays import Weights
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Deferred, Lendable, Outcome, with_deferred
from dehusk.native.lazy_numpy import np
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

Likely: TypeAlias = "NDArray[np.float32]"
"""float32: the probability of each of `PAGE_TYPES`."""


@with_deferred("weights")
@dataclass(frozen=True, eq=False)
class TypeWeights:
    """The weight of each clue for each type. Without weights the network decides alone."""

    weights: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    """Clue -> float32, one entry per type: what it adds to the log-odds."""

    @classmethod
    def of_table(cls, names: Sequence[str], table: Weights) -> TypeWeights:
        """Weights from a table with a row for each of these clues."""
        rows: Any = Deferred(lambda: dict(zip(names, table.array(), strict=True)))
        weights = cls(rows)
        vars(weights)["native"] = _handed_over(names, table.values)
        return weights

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
        return _handed_over([*self.weights], np.array([*self.weights.values()], dtype=np.float32).reshape(-1))

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the weights."""
        return {"weights": self.weights}


def _handed_over(names: Sequence[str], table: Lendable) -> Outcome:
    """Weights in the compiled part: the names of clues, and a row of the table for each."""
    rows = {name: row for row, name in enumerate(names)}
    likelihoods = array("i", [rows.get(name, -1) for name in (*LIKELIHOODS, ANY_PAGE)])
    return ask(Question.TYPE_WEIGHTS, (as_utf8("".join(f"{name}\0" for name in names)), table, likelihoods))


def clue_values(network: Likely, clues: Iterable[str]) -> dict[str, float]:
    """Clue -> its value: 1 for clues of the page, the log-probability for types predicted by the network."""
    log_probabilities = np.log(np.asarray(network, dtype=np.float64) + _LEAST).tolist()
    return {**dict.fromkeys(clues, 1.0), **dict(zip(LIKELIHOODS, log_probabilities, strict=True)), ANY_PAGE: 1.0}


def type_clues(page: Page) -> frozenset[str]:
    """The clues of a page, at most 200."""
    found = ask(Question.TYPE_CLUES, (as_utf8(page.url),), page.native, subject=page.label)
    return frozenset(found.text(0).split("\0")[:-1])
