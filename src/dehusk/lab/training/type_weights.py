"""Train the weights of page-type clues: a logistic regression on top of the network."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from dehusk.lab.training.prepared_pages import UNKNOWN, PreparedPage, known_type
from dehusk.methods.page_network.page_types import ANY_PAGE, LIKELIHOODS, PAGE_TYPES, Likely, TypeWeights, clue_values

_FEWEST_SITES: Final = 4
"""Fewest sites with a clue: names of single sites are not clues."""
_PENALTY: Final = 0.0005
"""L2 penalty on the difference from the weights of the network alone."""
_COMMONNESS: Final = 0.4
"""Nine of ten labelled pages are articles; pages are down-weighted by this power of the count of their type."""
_STEPS: Final = 80


@dataclass(frozen=True, eq=False)
class TypedPage:
    """A page, and its type by a network that was not trained on its site."""

    prepared: PreparedPage
    network: Likely

    @property
    def kind(self) -> int:
        """The index of its type in `PAGE_TYPES`, or `UNKNOWN`."""
        return known_type(self.prepared.corpus, self.prepared.page_type)

    def is_recognised(self, weights: TypeWeights) -> bool:
        """Whether its type is predicted correctly."""
        return int(weights.likely(self.network, self.prepared.clues).argmax()) == self.kind


def learn_types(pages: Sequence[TypedPage]) -> TypeWeights:
    """Train on the pages of known type; without any, the network decides alone."""
    pages = [page for page in pages if page.kind != UNKNOWN]
    if not pages:
        return TypeWeights()
    names = (*LIKELIHOODS, ANY_PAGE, *_known_clues(pages))
    values, kind = _values(pages, names), torch.tensor([page.kind for page in pages])
    common = Counter(kind.tolist())
    share = torch.tensor([common[number] ** -_COMMONNESS for number in kind.tolist()])
    as_network = torch.zeros(len(names), len(PAGE_TYPES))
    as_network[: len(PAGE_TYPES)] = torch.eye(len(PAGE_TYPES))
    weights = as_network.clone().requires_grad_(True)
    optimiser = torch.optim.LBFGS([weights], lr=1, max_iter=_STEPS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        wrong = nn.functional.cross_entropy(values @ weights, kind, reduction="none")
        value = (wrong * share).sum() / share.sum() + _PENALTY * ((weights - as_network) ** 2).sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    # In half precision, as in the file: measure what is shipped.
    found = weights.detach().numpy().astype(np.float16).astype(np.float32)
    return TypeWeights(dict(zip(names, found, strict=True)))


def _known_clues(pages: Sequence[TypedPage]) -> list[str]:
    sites: defaultdict[str, set[str]] = defaultdict(set)
    for page in pages:
        for clue in page.prepared.clues:
            sites[clue].add(page.prepared.site)
    return sorted(clue for clue, having in sites.items() if len(having) >= _FEWEST_SITES)


def _values(pages: Sequence[TypedPage], names: Sequence[str]) -> Tensor:
    """float32, pages x names."""
    number = {name: place for place, name in enumerate(names)}
    values = np.zeros((len(pages), len(names)), dtype=np.float32)
    for row, page in enumerate(pages):
        for name, value in clue_values(page.network, page.prepared.clues).items():
            if name in number:
                values[row, number[name]] = value
    return torch.from_numpy(values)
