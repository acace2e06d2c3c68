"""Pages of known type -> how much each clue speaks for each type: a logistic regression above the network."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from dehusk.lab.training.known_types import UNKNOWN, known_type
from dehusk.lab.training.prepared_pages import PreparedPage
from dehusk.methods.page_network.page_types import ANY_PAGE, LIKELIHOODS, PAGE_TYPES, Likely, TypeWeights, clue_values

_FEWEST_SITES: Final = 4
"""Sites that have a clue, for it to be one: names of single sites are none."""
_PENALTY: Final = 0.0005
"""On squares of what weights are beyond those of the network alone."""
_COMMONNESS: Final = 0.4
"""Nine of ten labelled pages are articles; a page counts less by this power of how many there are of its type."""
_STEPS: Final = 80


@dataclass(frozen=True, eq=False)
class TypedPage:
    """A page, and which type it is of for a network that was not trained on its site."""

    prepared: PreparedPage
    network: Likely

    @property
    def kind(self) -> int:
        """Its type among `PAGE_TYPES`, or `UNKNOWN`."""
        return known_type(self.prepared.corpus, self.prepared.page_type)

    def is_recognised(self, weights: TypeWeights) -> bool:
        """Whether its type is found."""
        return int(weights.likely(self.network, self.prepared.clues).argmax()) == self.kind


def learn_types(pages: Sequence[TypedPage]) -> TypeWeights:
    """The weights that are best for the pages of known type; without any, the network decides alone."""
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
    # In half precision, as in the file: what is measured is what is kept.
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
