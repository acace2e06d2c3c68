"""Train the weights of site evidence on sampled sites, and those of page-type clues: small models beside the network.

There are about two hundred sites and seven weights, so L-BFGS uses all examples at once. The loss is that of the page
network, cross-entropy and a soft word F1, and pages that lose by their site count three times. All kinds of sites have
equal weight, so that fifty sites of facts do not outvote the rest.
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
from dehusk.lab.training.site_samples import GOLD, POLICY_LABELS, RULE, Example
from dehusk.methods.page_network.calibration import Calibration
from dehusk.methods.page_network.page_types import ANY_PAGE, LIKELIHOODS, PAGE_TYPES, Likely, TypeWeights, clue_values
from dehusk.methods.page_network.site_weights import COLUMNS, SiteWeights

_NOT_JUDGED_BY_POLICY: Final = 0.3
"""Weight of a site without a page labelled by the content policy, beside one that has some."""
_JUDGES: Final = {POLICY_LABELS: 2.0, GOLD: 1.0, RULE: 0.0}
"""Where the labels of a page come from -> its weight within its site."""
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

    f1_share: float = 0.3
    harm: float = 2.0
    """How much more the loss of a page counts beyond that of the page alone. By kinds left out, 0 harms 2 % of the
    pages, and 4 gains a tenth less."""
    penalty: float = 1e-5
    """L2 penalty. With a hundred times as much, sites gain half as much: some weights have to be large."""
    steps: int = 80


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of all examples, concatenated."""

    evidence: Tensor
    """float32, t x (columns and 1)."""
    trust: Tensor
    """float32: the weight of the site for each block."""
    logits: Tensor
    """float32: calibrated log-odds of the page alone."""
    target: Tensor
    certainty: Tensor
    words: Tensor
    page: Tensor
    """int64: number of the example."""
    share: Tensor
    """float32, one entry per example: its weight."""

    def by_page(self, values: Tensor) -> Tensor:
        return torch.zeros(len(self.share)).index_add(0, self.page, values)


def learn_weights(
    examples: Sequence[Example], calibration: Calibration, settings: WeighingSettings | None = None
) -> SiteWeights:
    """Train the weights on these examples; without any that teach, a site takes nothing away."""
    settings = settings or WeighingSettings()
    shares = _shares(examples)
    taught = [(example, share) for example, share in zip(examples, shares, strict=True) if share]
    if not taught:
        return SiteWeights()
    blocks = _joined([example for example, _ in taught], [share for _, share in taught], calibration)
    alone = _losses(blocks, blocks.logits, settings)
    weights = torch.zeros(len(COLUMNS) + 1, requires_grad=True)

    def loss() -> Tensor:
        lowered = blocks.trust * nn.functional.softplus(blocks.evidence @ weights)
        of_pages = _losses(blocks, blocks.logits - calibration.scale * lowered, settings)
        harmed = settings.harm * (of_pages - alone).clamp(min=0)
        return ((of_pages + harmed) * blocks.share).sum() + settings.penalty * (weights**2).sum()

    _minimise(loss, weights, 0.5, settings.steps)
    *columns, bias = weights.detach().tolist()
    return SiteWeights(bias, dict(zip(COLUMNS, columns, strict=True)))


def _minimise(loss: Callable[[], Tensor], weights: Tensor, learning_rate: float, steps: int) -> None:
    """Minimise a loss by L-BFGS, changing the weights in place."""
    optimiser = torch.optim.LBFGS([weights], lr=learning_rate, max_iter=steps, line_search_fn="strong_wolfe")

    def step() -> Tensor:
        optimiser.zero_grad()
        value = loss()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(step)  # type: ignore[no-untyped-call]


def _losses(blocks: _Blocks, logits: Tensor, settings: WeighingSettings) -> Tensor:
    """float32: the loss of each page."""
    weight = blocks.certainty * (blocks.words + 1).sqrt()
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, blocks.target, weight, reduction="none")
    mean_entropy = blocks.by_page(entropy) / blocks.by_page(weight).clamp(min=1)
    length, share = blocks.words * blocks.certainty, torch.sigmoid(logits)
    both = blocks.by_page(share * blocks.target * length)
    soft_f1 = 2 * both / blocks.by_page((share + blocks.target) * length).clamp(min=1)
    return (1 - settings.f1_share) * mean_entropy + settings.f1_share * (1 - soft_f1)


def _shares(examples: Sequence[Example]) -> list[float]:
    """The weight of each example: kinds count alike, so do sites of a kind, and within a site the better judge more."""
    sites = [(one.site.corpus, one.site.site) for one in examples]
    by_policy = {site for site, one in zip(sites, examples, strict=True) if one.page.judge == POLICY_LABELS}
    taught = Counter(site for site, one in zip(sites, examples, strict=True) if _JUDGES[one.page.judge])
    shares = [
        (1.0 if site in by_policy else _NOT_JUDGED_BY_POLICY) * _JUDGES[one.page.judge] / max(taught[site], 1)
        for site, one in zip(sites, examples, strict=True)
    ]
    of_kind: defaultdict[str, float] = defaultdict(float)
    for one, share in zip(examples, shares, strict=True):
        of_kind[one.site.kind] += share
    return [share / of_kind[one.site.kind] if share else 0.0 for one, share in zip(examples, shares, strict=True)]


def _joined(examples: Sequence[Example], shares: Sequence[float], calibration: Calibration) -> _Blocks:
    def join(columns: Sequence[NDArray[np.generic]]) -> Tensor:
        return torch.from_numpy(np.concatenate(columns).astype(np.float32))

    sizes = [len(one.columns) for one in examples]
    return _Blocks(
        join([np.column_stack([one.columns, np.ones(len(one.columns))]) for one in examples]),
        join([one.weight for one in examples]),
        join([calibration.scale * one.page.logits - calibration.offset for one in examples]),
        join([one.page.prepared.target for one in examples]),
        join([one.page.prepared.certainty for one in examples]),
        join([one.page.prepared.lengths for one in examples]),
        torch.from_numpy(np.repeat(np.arange(len(examples)), sizes)),
        torch.tensor(shares) / sum(shares),
    )


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
