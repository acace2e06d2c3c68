"""Prepared pages -> the weights of a `PageNetwork`, with PyTorch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from dehusk.network.inference import PageNetwork
from dehusk.training.network_modules import Batch, Dropping, NetworkModule, NetworkSize, make_batch
from dehusk.training.prepared_pages import PreparedPage

STRANGER_NAME: Final = "stranger"
_KINDS: Final = {"api": "docs", "wiki": "docs", "site": "docs", "notes": "docs", "catalog": "shop", "mag": "news"}
"""First parts of the names of multi-page sets that share a policy with others."""
_MULTI_PAGE: Final = frozenset("api blog catalog docs forum mag news notes shop site swde wiki".split())


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How the network is trained."""

    epochs: int = 7
    pages_an_epoch: int = 4000
    pages_a_batch: int = 32
    learning_rate: float = 3e-3
    weight_decay: float = 0.05
    f1_share: float = 0.3
    """Share of the loss that is one minus a soft word F1 of the page; the rest is cross-entropy."""
    averaging: float = 0.995
    """How much of the averaged weights stays at each step."""
    site_power: float = 0.5
    """A site is drawn from in proportion to this power of its pages; the sum over its sites is a data set's variety."""
    set_power: float = 0.7
    """A data set is drawn from in proportion to this power of its variety."""
    type_power: float = 0.8
    """Within a data set, types of pages are drawn from in proportion to this power of their pages."""
    width: int = 64
    embedding: int = 24
    dropping: Dropping = field(default_factory=Dropping)
    most_blocks: int = 3000
    """Pages with more are left out of training: one of them would be a batch of its own."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Step:
    """Where training is."""

    epoch: int
    epochs: int
    step: int
    steps: int
    loss: float


Watcher = Callable[[Step], None]


def policy_of(corpus: str) -> str:
    """The policy of a data set: its own, or that of its kind for sets of one site."""
    kind = corpus.split("-")[0]
    return _KINDS.get(kind, kind) if kind in _MULTI_PAGE else corpus


def train(pages: Sequence[PreparedPage], settings: TrainingSettings, watch: Watcher | None = None) -> PageNetwork:
    """Train a network on those pages whose gold is usable."""
    torch.manual_seed(settings.seed)
    usable = [page for page in pages if page.usable and 0 < len(page) <= settings.most_blocks]
    policies = (STRANGER_NAME, *sorted({policy_of(page.corpus) for page in usable}))
    size = NetworkSize(usable[0].inputs.dense.shape[1], len(policies), settings.width, settings.embedding)
    module = NetworkModule(size, settings.dropping)
    averaged = deepcopy(module)
    optimiser = torch.optim.AdamW(module.parameters(), settings.learning_rate, weight_decay=settings.weight_decay)
    number_of = {name: number for number, name in enumerate(policies)}
    steps = max(settings.pages_an_epoch // settings.pages_a_batch, 1) * settings.epochs
    done = 0
    for epoch in range(settings.epochs):
        losses = []
        for chosen in _batches(usable, settings, epoch):
            batch = make_batch(chosen, [number_of[policy_of(page.corpus)] for page in chosen])
            _set_learning_rate(optimiser, settings.learning_rate, done / steps)
            losses.append(_take_step(module, batch, optimiser, settings.f1_share))
            done += 1
            _average(averaged, module, min(settings.averaging, done / (done + 9)))
        if watch:
            watch(Step(epoch + 1, settings.epochs, done, steps, float(np.mean(losses))))
    return PageNetwork.from_arrays(averaged.arrays(), policies)


def _batches(pages: Sequence[PreparedPage], settings: TrainingSettings, epoch: int) -> Iterator[list[PreparedPage]]:
    """Random batches of about equal size: pages are drawn, and long ones are spread evenly over the batches."""
    random = np.random.default_rng((settings.seed, epoch))
    steps = max(settings.pages_an_epoch // settings.pages_a_batch, 1)
    drawn = random.choice(len(pages), steps * settings.pages_a_batch, p=_chances(pages, settings))
    by_size = sorted(drawn.tolist(), key=lambda number: len(pages[number]))
    dealt = np.array(by_size).reshape(settings.pages_a_batch, steps)
    for column in random.permutation(steps):
        yield [pages[number] for number in dealt[:, column]]


def _chances(pages: Sequence[PreparedPage], settings: TrainingSettings) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    names = [policy_of(page.corpus) for page in pages]
    sites = Counter(zip(names, (page.site for page in pages), strict=True))
    types = Counter(zip(names, (page.page_type for page in pages), strict=True))
    by_site = np.array([sites[name, page.site] for name, page in zip(names, pages, strict=True)])
    by_type = np.array([types[name, page.page_type] for name, page in zip(names, pages, strict=True)])
    variety, within = by_site ** (settings.site_power - 1.0), by_type ** (settings.type_power - 1.0)
    _, number = np.unique(names, return_inverse=True)
    of_set = np.bincount(number, weights=variety) ** settings.set_power / np.bincount(number, weights=variety * within)
    chances = variety * within * of_set[number]
    return np.asarray(chances / chances.sum())


def _set_learning_rate(optimiser: torch.optim.Optimizer, highest: float, progress: float) -> None:
    """Rises over the first tenth, then falls like a cosine."""
    rising = min(progress / 0.1, 1.0)
    falling = 0.5 * (1 + math.cos(math.pi * max(progress - 0.1, 0) / 0.9))
    for group in optimiser.param_groups:
        group["lr"] = highest * max(rising, 0.02) * max(falling, 0.01)


def _take_step(module: NetworkModule, batch: Batch, optimiser: torch.optim.Optimizer, f1_share: float) -> float:
    module.train()
    optimiser.zero_grad()
    loss = page_loss(module(batch), batch, f1_share)
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(module.parameters(), 1.0)
    optimiser.step()
    return float(loss.detach())


def page_loss(logits: Tensor, batch: Batch, f1_share: float) -> Tensor:
    """The mean over pages: cross-entropy of blocks weighted by the root of their length, and a soft word F1."""
    pages = len(batch.policy)
    weight = batch.weight * (batch.length + 1).sqrt() * batch.is_block[:, 0]
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, batch.target, weight, reduction="none")
    mean_entropy = _by_page(entropy, batch, pages) / _by_page(weight, batch, pages).clamp(min=1)
    share = torch.sigmoid(logits)
    length = batch.length * batch.weight
    both = _by_page(share * batch.target * length, batch, pages)
    either = _by_page((share + batch.target) * length, batch, pages)
    soft_f1 = 2 * both / either.clamp(min=1)
    return ((1 - f1_share) * mean_entropy + f1_share * (1 - soft_f1)).mean()


def _by_page(values: Tensor, batch: Batch, pages: int) -> Tensor:
    return torch.zeros(pages).index_add(0, batch.page, values)


@torch.no_grad()
def _average(averaged: NetworkModule, module: NetworkModule, kept: float) -> None:
    for mean, new in zip(averaged.parameters(), module.parameters(), strict=True):
        mean.lerp_(new, 1 - kept)
