"""Train the weights of site evidence on sampled sites.

There are about a hundred sites and a dozen weights, so L-BFGS uses all examples at once. The loss is that of the page
network: cross-entropy and a soft word F1. All sites have equal weight, except that those with few pages have less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dehusk.lab.training.site_samples import Example
from dehusk.methods.page_network.site_evidence import COLUMNS, SiteWeights, in_body

_FEW_PAGES_COUNT: Final = 0.4
"""Weight of a site with few pages."""


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
    optimiser = torch.optim.LBFGS([weights], lr=0.5, max_iter=settings.steps, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        value = _loss(blocks, weights, settings)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    *columns, bias, own = weights.detach().tolist()
    return SiteWeights(bias, own, dict(zip(COLUMNS, columns, strict=True)))


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
