"""Train the weights of site evidence on sampled sites, and those of page-type clues: small models beside the network.

There are about a hundred sites and a dozen weights, so L-BFGS uses all examples at once. The loss is that of the page
network: cross-entropy and a soft word F1. All sites have equal weight, except that those with few pages have less.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dehusk.lab.training.prepared_pages import UNKNOWN, PreparedPage, known_type
from dehusk.lab.training.site_samples import Example
from dehusk.methods.page_network.page_types import ANY_PAGE, LIKELIHOODS, PAGE_TYPES, Likely, TypeWeights, clue_values
from dehusk.methods.page_network.site_evidence import COLUMNS, SiteWeights, in_body

_FEW_PAGES_COUNT: Final = 0.4
"""Weight of a site with few pages."""
_FEWEST_SITES: Final = 4
"""Fewest sites with a clue: names of single sites are not clues."""
_PENALTY: Final = 0.0005
"""L2 penalty on the difference from the weights of the network alone."""
_COMMONNESS: Final = 0.4
"""Nine of ten labelled pages are articles; pages are down-weighted by this power of the count of their type."""
_TYPE_STEPS: Final = 80


@dataclass(frozen=True, slots=True)
class WeighingSettings:
    """Training settings of the weights."""

    f1_share: float = 0.1
    penalty: float = 1e-6
    """L2 penalty. With ten times as much, sites gain less: some weights have to be large."""
    steps: int = 60


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of all examples, concatenated."""

    evidence: Tensor
    """float32, t x (columns, 1, and the page's log-odds), times trust."""
    logits: Tensor
    target: Tensor
    certainty: Tensor
    words: Tensor
    page: Tensor
    """int64: number of the example."""
    share: Tensor
    """float32, one entry per example: its weight."""

    def by_page(self, values: Tensor) -> Tensor:
        return torch.zeros(len(self.share)).index_add(0, self.page, values)


def learn_weights(examples: Sequence[Example], settings: WeighingSettings | None = None) -> SiteWeights:
    """Train the weights on these examples."""
    settings = settings or WeighingSettings()
    blocks = _joined(examples)
    weights = torch.zeros(len(COLUMNS) + 2, requires_grad=True)
    _minimise(lambda: _loss(blocks, weights, settings), weights, 0.5, settings.steps)
    *columns, bias, own = weights.detach().tolist()
    return SiteWeights(bias, own, dict(zip(COLUMNS, columns, strict=True)))


def _minimise(loss: Callable[[], Tensor], weights: Tensor, learning_rate: float, steps: int) -> None:
    """Minimise a loss by L-BFGS, changing the weights in place."""
    optimiser = torch.optim.LBFGS([weights], lr=learning_rate, max_iter=steps, line_search_fn="strong_wolfe")

    def step() -> Tensor:
        optimiser.zero_grad()
        value = loss()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(step)  # type: ignore[no-untyped-call]


def _loss(blocks: _Blocks, weights: Tensor, settings: WeighingSettings) -> Tensor:
    logits = blocks.logits + blocks.evidence @ weights
    weight = blocks.certainty * (blocks.words + 1).sqrt()
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, blocks.target, weight, reduction="none")
    mean_entropy = blocks.by_page(entropy) / blocks.by_page(weight).clamp(min=1)
    length, share = blocks.words * blocks.certainty, torch.sigmoid(logits)
    both = blocks.by_page(share * blocks.target * length)
    soft_f1 = 2 * both / blocks.by_page((share + blocks.target) * length).clamp(min=1)
    of_page = (1 - settings.f1_share) * mean_entropy + settings.f1_share * (1 - soft_f1)
    return (of_page * blocks.share).sum() + settings.penalty * (weights**2).sum()


def _joined(examples: Sequence[Example]) -> _Blocks:
    def join(columns: Sequence[NDArray[np.generic]]) -> Tensor:
        return torch.from_numpy(np.concatenate(columns).astype(np.float32))

    counted = Counter((one.site.corpus, one.site.site) for one in examples)
    share = [
        (1.0 if one.site.has_many_pages else _FEW_PAGES_COUNT) / counted[one.site.corpus, one.site.site]
        for one in examples
    ]
    sizes = [len(one.columns) for one in examples]
    return _Blocks(
        join([_evidence(one) for one in examples]),
        join([one.page.read.logits for one in examples]),
        join([one.page.prepared.target for one in examples]),
        join([one.page.prepared.certainty for one in examples]),
        join([one.page.prepared.lengths for one in examples]),
        torch.from_numpy(np.repeat(np.arange(len(examples)), sizes)),
        torch.tensor(share) / sum(share),
    )


def _evidence(example: Example) -> NDArray[np.float32]:
    read = example.page.read
    evidence = np.column_stack([example.columns, np.ones(len(read)), read.logits])
    return (evidence * example.trust * in_body(read)[:, None]).astype(np.float32)


# Weights of page-type clues: a logistic regression


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

    def loss() -> Tensor:
        wrong = nn.functional.cross_entropy(values @ weights, kind, reduction="none")
        return (wrong * share).sum() / share.sum() + _PENALTY * ((weights - as_network) ** 2).sum()

    _minimise(loss, weights, 1.0, _TYPE_STEPS)
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
