"""Page types, predicted from the network and from clues in the page itself: its URL, OpenGraph and schema.org.

Clues are names such as `address forum`, `og article` or `schema Product`. Their weights are learnt (`TypeWeights`).
The compiled part finds those in the page, `native/src/deciding/type_clues.rs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from dehusk.native.calls import Outcome
from dehusk.native.library import lib
from dehusk.page.links import declared_canonical
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
        numbers, table = self._table
        known = [name for name in sorted(values) if name in numbers]
        factors = np.array([values[name] for name in known], dtype=np.float32)
        parts = table[[numbers[name] for name in known]] * factors[:, np.newaxis]
        logits = parts.sum(axis=0, dtype=np.float64)
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum(), dtype=np.float32)

    @cached_property
    def _table(self) -> tuple[Mapping[str, int], NDArray[np.float32]]:
        """Clue -> its row in a table, and the table: float32, one row per clue, one column per type."""
        return {name: row for row, name in enumerate(self.weights)}, np.array([*self.weights.values()])


def clue_values(network: Likely, clues: Iterable[str]) -> dict[str, float]:
    """Clue -> its value: 1 for clues of the page, the log-probability for types predicted by the network."""
    log_probabilities = np.log(np.asarray(network, dtype=np.float64) + _LEAST).tolist()
    return {**dict.fromkeys(clues, 1.0), **dict(zip(LIKELIHOODS, log_probabilities, strict=True)), ANY_PAGE: 1.0}


_MOST: Final = 200
"""Clues of a page. A shop's list of articles has the same few types a thousand times."""
_LONGEST_ADDRESS: Final = 2000
_LONGEST_NAME: Final = 40
_DEEPEST: Final = 5
_WORD: Final = re.compile(r"[a-z]{3,}")
_DATE: Final = re.compile(r"/(?:19|20)\d\d/")
_SLUG: Final = re.compile(r"\w-\w+-\w+-\w")
"""A title in a URL: articles and questions have them."""


def type_clues(page: Page) -> frozenset[str]:
    """The clues of a page."""
    clues: set[str] = set()
    # A page from a file has no URL; its canonical one serves as well.
    for clue in chain(_in_address(page.url or declared_canonical(page)), _in_page(page)):
        clues.add(clue)
        if len(clues) >= _MOST:
            break
    return frozenset(clues)


def _in_address(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url[:_LONGEST_ADDRESS].strip().lower())
        host = parts.hostname or ""
    except ValueError:
        return
    if not host:
        return
    yield from (f"host {label[:_LONGEST_NAME]}" for label in host.split(".")[:-1])
    path = parts.path.strip("/")
    yield f"address of {min(path.count('/') + bool(path), _DEEPEST)} steps"
    yield from (f"address {word[:_LONGEST_NAME]}" for word in _WORD.findall(f"{path} {parts.query}"))
    if _DATE.search(parts.path):
        yield "address with date"
    if _SLUG.search(path):
        yield "address with title"


def _in_page(page: Page) -> Iterator[str]:
    found = Outcome(lib.dehusk_page_clues(page.native.pointer), page.label)
    open_graph, schema = (column.tobytes().decode().split("\0")[:-1] for column in found.columns(2))
    yield from (f"og {value.strip().lower()[:_LONGEST_NAME]}" for value in open_graph)
    yield from (f"schema {value.strip().rstrip('/').rpartition('/')[2][:_LONGEST_NAME]}" for value in schema)
