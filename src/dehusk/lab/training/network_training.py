"""Prepared pages -> the weights of a `PageNetwork`, with PyTorch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dehusk.lab.training.checkpoints import Checkpoint, TrainingState
from dehusk.lab.training.known_types import UNKNOWN, known_type
from dehusk.lab.training.prepared_pages import PreparedPage
from dehusk.lab.training.torch_network import Batch, Dropping, ModuleReading, NetworkModule, NetworkSize, make_batch
from dehusk.methods.page_network.inference import PageNetwork

STRANGER_NAME: Final = "stranger"
_KINDS: Final = {"api": "docs", "wiki": "docs", "site": "docs", "notes": "docs", "catalog": "shop", "mag": "news"}
"""First parts of the names of multi-page sets that share a policy with others."""
_MULTI_PAGE: Final = frozenset("api blog catalog docs forum mag news notes shop site swde wiki".split())


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How the network is trained."""

    epochs: int = 8
    pages_an_epoch: int = 4000
    pages_a_batch: int = 32
    learning_rate: float = 3e-3
    weight_decay: float = 0.05
    f1_share: float = 0.3
    """Share of the loss that is one minus a soft word F1 of the page; the rest is cross-entropy."""
    type_weight: float = 0.05
    """Weight of the cross-entropy of the page's type, beside that of content."""
    comment_weight: float = 0.3
    """Weight of the cross-entropy of comments."""
    averaging: float = 0.995
    """How much of the averaged weights stays at each step."""
    site_power: float = 0.5
    """A site is drawn from in proportion to this power of its pages; the sum over its sites is a data set's variety."""
    set_power: float = 0.7
    """A data set is drawn from in proportion to this power of its variety."""
    type_power: float = 0.6
    """Types of pages are drawn from in proportion to this power of what they would be drawn otherwise."""
    width: int = 64
    embedding: int = 24
    dropping: Dropping = field(default_factory=Dropping)
    most_blocks: int = 3000
    """Pages with more are left out of training: one of them would be a batch of its own."""
    seed: int = 1

    @property
    def steps_an_epoch(self) -> int:
        return max(self.pages_an_epoch // self.pages_a_batch, 1)


@dataclass(frozen=True, slots=True)
class Step:
    """Where training is."""

    epoch: int
    epochs: int
    step: int
    steps: int
    loss: float


Chances = NDArray[np.float64]
"""float64, one entry a page."""
Watcher = Callable[[Step], None]


def policy_of(corpus: str) -> str:
    """The policy of a data set: its own, or that of its kind for sets of one site."""
    kind = corpus.split("-")[0]
    return _KINDS.get(kind, kind) if kind in _MULTI_PAGE else corpus


def train(
    pages: Sequence[PreparedPage],
    settings: TrainingSettings,
    watch: Watcher | None = None,
    checkpoint: Path | None = None,
) -> PageNetwork:
    """Train a network on those pages whose gold is usable.

    After every epoch all is written to the checkpoint; one of the same pages and settings is picked up.
    """
    torch.manual_seed(settings.seed)
    usable = [page for page in pages if page.usable and 0 < len(page) <= settings.most_blocks]
    policies = (STRANGER_NAME, *sorted({policy_of(page.corpus) for page in usable}))
    size = NetworkSize(usable[0].inputs.dense.shape[1], len(policies), settings.width, settings.embedding)
    module = NetworkModule(size, settings.dropping)
    averaged = deepcopy(module)
    optimiser = torch.optim.AdamW(module.parameters(), settings.learning_rate, weight_decay=settings.weight_decay)
    state = TrainingState(module, averaged, optimiser)
    file = Checkpoint.of(checkpoint, usable, settings) if checkpoint else None
    for epoch in range(file.resume(state) if file else 0, settings.epochs):
        loss = _run_epoch(state, usable, policies, settings, epoch)
        if file:
            file.save(state, epoch + 1)
        if watch:
            done = settings.steps_an_epoch * (epoch + 1)
            watch(Step(epoch + 1, settings.epochs, done, settings.steps_an_epoch * settings.epochs, loss))
    return PageNetwork.from_arrays(averaged.arrays(), policies)


def _run_epoch(
    state: TrainingState,
    pages: Sequence[PreparedPage],
    policies: Sequence[str],
    settings: TrainingSettings,
    epoch: int,
) -> float:
    """The mean loss."""
    number_of = {name: number for number, name in enumerate(policies)}
    done, losses = epoch * settings.steps_an_epoch, []
    for chosen in _batches(pages, settings, epoch):
        batch = make_batch(chosen, [number_of[policy_of(page.corpus)] for page in chosen])
        progress = done / (settings.steps_an_epoch * settings.epochs)
        _set_learning_rate(state.optimiser, settings.learning_rate, progress)
        losses.append(_take_step(state.module, batch, state.optimiser, settings))
        done += 1
        _average(state.averaged, state.module, min(settings.averaging, done / (done + 9)))
    return float(np.mean(losses))


def _batches(pages: Sequence[PreparedPage], settings: TrainingSettings, epoch: int) -> Iterator[list[PreparedPage]]:
    """Random batches of about equal size: pages are drawn, and long ones are spread evenly over the batches."""
    random = np.random.default_rng((settings.seed, epoch))
    steps = settings.steps_an_epoch
    drawn = random.choice(len(pages), steps * settings.pages_a_batch, p=_chances(pages, settings))
    by_size = sorted(drawn.tolist(), key=lambda number: len(pages[number]))
    dealt = np.array(by_size).reshape(settings.pages_a_batch, steps)
    for column in random.permutation(steps):
        yield [pages[number] for number in dealt[:, column]]


def _chances(pages: Sequence[PreparedPage], settings: TrainingSettings) -> Chances:
    names = [policy_of(page.corpus) for page in pages]
    sites = Counter(zip(names, (page.site for page in pages), strict=True))
    by_site = np.array([sites[name, page.site] for name, page in zip(names, pages, strict=True)])
    variety = by_site ** (settings.site_power - 1.0)
    _, set_number = np.unique(names, return_inverse=True)
    chances = _flattened(variety, set_number, settings.set_power)
    types = np.array([known_type(page.corpus, page.page_type) for page in pages])
    chances = _flattened(chances, types - UNKNOWN, settings.type_power)
    return np.asarray(chances / chances.sum())


def _flattened(chances: Chances, group: NDArray[np.intp], power: float) -> Chances:
    """Chances such that groups are drawn in proportion to this power of their share before."""
    share = np.bincount(group, weights=chances)
    return np.asarray(chances * share[group] ** (power - 1.0))


def _set_learning_rate(optimiser: torch.optim.Optimizer, highest: float, progress: float) -> None:
    """Rises over the first tenth, then falls like a cosine."""
    rising = min(progress / 0.1, 1.0)
    falling = 0.5 * (1 + math.cos(math.pi * max(progress - 0.1, 0) / 0.9))
    for group in optimiser.param_groups:
        group["lr"] = highest * max(rising, 0.02) * max(falling, 0.01)


def _take_step(
    module: NetworkModule, batch: Batch, optimiser: torch.optim.Optimizer, settings: TrainingSettings
) -> float:
    module.train()
    optimiser.zero_grad()
    loss = whole_loss(module(batch), batch, settings)
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(module.parameters(), 1.0)
    optimiser.step()
    return float(loss.detach())


def whole_loss(reading: ModuleReading, batch: Batch, settings: TrainingSettings) -> Tensor:
    """Of content, of comments where somebody looked for them, and of types where they are known."""
    comment = _comment_loss(reading.comment, batch) * settings.comment_weight
    types = nn.functional.cross_entropy(reading.page_type, batch.page_type, ignore_index=UNKNOWN, reduction="sum")
    types = types / len(batch.page_type) * settings.type_weight
    return content_loss(reading.content, batch, settings.f1_share) + comment + types


def _comment_loss(logits: Tensor, batch: Batch) -> Tensor:
    pages = len(batch.policy)
    weight = (batch.length + 1).sqrt() * batch.is_block[:, 0]
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, batch.comment, weight, reduction="none")
    mean_entropy = _by_page(entropy, batch, pages) / _by_page(weight, batch, pages).clamp(min=1)
    return (mean_entropy * batch.comments_known).mean()


def content_loss(logits: Tensor, batch: Batch, f1_share: float) -> Tensor:
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
