"""Train a `PageNetwork` on prepared pages, with PyTorch.

After every epoch a checkpoint is written, so that an interrupted training resumes where it was. A checkpoint is named
arrays and nothing else: reading one runs no code. It is used only for the same pages and settings.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dehusk.lab.training.page_store import Batch, PageStore, Taught
from dehusk.lab.training.prepared_pages import POLICY, UNKNOWN, PreparedPage, known_type
from dehusk.lab.training.torch_network import Dropping, ModuleReading, NetworkModule, NetworkSize, teach
from dehusk.methods.page_network.inference import DEFAULT_POLICY, PageNetwork
from dehusk.workers.whole_files import written_whole


@dataclass(frozen=True, slots=True)
class TrainingState:
    """The mutable state of training; modules and optimiser change in place."""

    module: NetworkModule
    averaged: NetworkModule
    optimiser: torch.optim.AdamW

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """All tensors with unique names; those of the optimiser as far as they exist."""
        for name, module in (("module", self.module), ("averaged", self.averaged)):
            yield from ((f"{name} {number}", tensor.data) for number, tensor in enumerate(module.parameters()))
        for number, parameter in enumerate(self.module.parameters()):
            for name, tensor in self.optimiser.state.get(parameter, {}).items():
                yield f"optimiser {number} {name}", tensor


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The checkpoint file of one training run."""

    path: Path
    key: str
    """A digest of the pages and settings."""

    @classmethod
    def of(cls, path: Path, pages: Sequence[PreparedPage], settings: object) -> Checkpoint:
        """The checkpoint of these pages and settings; the file need not exist."""
        digest = hashlib.sha256(repr(settings).encode())
        for page in pages:
            digest.update(f"{page.name} {len(page)} {page.target.sum()} {page.comment.sum()}\n".encode())
        return cls(path, digest.hexdigest())

    def save(self, state: TrainingState, epochs: int) -> None:
        """Write the state after `epochs` epochs."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in state.tensors()}
        described = {"key": np.array(self.key), "epochs": np.array(epochs), "random": torch.get_rng_state().numpy()}
        with written_whole(self.path) as temporary, open(temporary, "wb") as file:
            np.savez(file, allow_pickle=False, **described, **arrays)

    def resume(self, state: TrainingState) -> int:
        """Restore the state from the file; return its finished epochs, 0 without a matching file."""
        if not self.path.exists():
            return 0
        with np.load(self.path, allow_pickle=False) as file:
            if str(file["key"]) != self.key:
                return 0
            _restore_optimiser(state, file)
            for name, tensor in state.tensors():
                tensor.copy_(torch.from_numpy(file[name]))
            torch.set_rng_state(torch.from_numpy(file["random"]))
            return int(file["epochs"])


def _restore_optimiser(state: TrainingState, file: Any) -> None:
    """Create the optimiser's tensors, which it would only create at its first step."""
    parameters = list(state.module.parameters())
    for name in file:
        kind, *rest = name.split(" ")
        if kind == "optimiser":
            array: NDArray[np.float32] = file[name]
            parameter = parameters[int(rest[0])]
            # Moments are where their parameter is; the number of steps, which has no dimension, stays on the processor.
            device = parameter.device if array.ndim else "cpu"
            state.optimiser.state[parameter][rest[1]] = torch.from_numpy(array.copy()).to(device)


DEFAULT_POLICY_NAME: Final = "stranger"
"""The name of the default annotation policy in model files."""
_KINDS: Final = {"api": "docs", "wiki": "docs", "site": "docs", "notes": "docs", "catalog": "shop", "mag": "news"}
"""First parts of the names of multi-page sets that share an annotation policy with others."""
_MULTI_PAGE: Final = frozenset("api blog catalog docs forum mag news notes shop site swde wiki".split())


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Training settings of the network."""

    epochs: int = 8
    pages_an_epoch: int = 4000
    pages_a_batch: int = 32
    learning_rate: float = 3e-3
    weight_decay: float = 0.05
    f1_share: float = 0.3
    """Share of the loss for one minus a soft word F1 of the page; the rest is cross-entropy."""
    type_weight: float = 0.05
    """Weight of the cross-entropy of the page type, relative to that of content."""
    comment_weight: float = 1.0
    """Weight of the cross-entropy of comments."""
    averaging: float = 0.995
    """Decay of the moving average of the weights, per step."""
    site_power: float = 0.5
    """Sites are sampled in proportion to this power of their pages; a data set's variety is the sum over its sites."""
    set_power: float = 0.7
    """Data sets are sampled in proportion to this power of their variety."""
    type_power: float = 0.6
    """Page types are sampled in proportion to this power of their share without it."""
    policy_share: float = 0.5
    """Share of the sampled pages with gold that are labelled by the content policy, if there are any."""
    width: int = 48
    embedding: int = 24
    dropping: Dropping = field(default_factory=Dropping)
    most_blocks: int = 3000
    """Larger pages are left out of training: one of them would be a batch of its own."""
    seed: int = 1
    device: str = "cpu"
    """Where PyTorch computes: "cpu" or "cuda"."""
    soft_share: float = 0.8
    """Share of the sampled pages that are trained on what teachers say of them, if there are teachers."""

    @property
    def steps_an_epoch(self) -> int:
        return max(self.pages_an_epoch // self.pages_a_batch, 1)


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of the training."""

    epoch: int
    epochs: int
    step: int
    steps: int
    loss: float


Probabilities = NDArray[np.float64]
"""float64, one entry per page: its probability of being sampled."""
Watcher = Callable[[Step], None]


def policy_of(corpus: str) -> str:
    """The annotation policy of a data set: its own, that of its kind for sets of one site, or the content policy."""
    if corpus == POLICY:
        return DEFAULT_POLICY_NAME
    kind = corpus.split("-")[0]
    return _KINDS.get(kind, kind) if kind in _MULTI_PAGE else corpus


def train(
    pages: Sequence[PreparedPage],
    settings: TrainingSettings,
    watch: Watcher | None = None,
    checkpoint: Path | None = None,
    teachers: Sequence[PageNetwork] = (),
    taught: Sequence[PreparedPage] = (),
) -> PageNetwork:
    """Train a network on the pages with usable gold, and on what teachers say of pages, with gold or without.

    Gold of other data sets follows other policies than the one of the default; teachers, which know the policy of each
    set, say what these pages have to keep under the default one (distillation: Hinton, Vinyals, Dean 2015). Writes a
    checkpoint after every epoch, and resumes from one of the same pages and settings.
    """
    torch.manual_seed(settings.seed)
    sampled = _Sampled.of(pages, taught if teachers else (), settings)
    store = PageStore.of(sampled.pages, settings.device)
    said = teach(store, teachers) if teachers else None
    size = NetworkSize(store.dense.shape[1], len(sampled.policies), settings.width, settings.embedding)
    module = NetworkModule(size, settings.dropping).to(settings.device)
    optimiser = torch.optim.AdamW(module.parameters(), settings.learning_rate, weight_decay=settings.weight_decay)
    state = TrainingState(module, deepcopy(module), optimiser)
    file = Checkpoint.of(checkpoint, sampled.pages, (settings, len(teachers))) if checkpoint else None
    for epoch in range(file.resume(state) if file else 0, settings.epochs):
        loss = _run_epoch(state, (store, said), sampled, settings, epoch)
        if file:
            file.save(state, epoch + 1)
        if watch:
            done = settings.steps_an_epoch * (epoch + 1)
            watch(Step(epoch + 1, settings.epochs, done, settings.steps_an_epoch * settings.epochs, loss))
    return PageNetwork.from_arrays(state.averaged.arrays(), sampled.policies)


def learnable(pages: Sequence[PreparedPage], settings: TrainingSettings) -> list[PreparedPage]:
    """The pages with usable gold that are neither empty nor too long."""
    return [page for page in pages if page.usable and 0 < len(page) <= settings.most_blocks]


@dataclass(frozen=True, slots=True)
class _Sampled:
    """What batches are drawn from."""

    pages: Sequence[PreparedPage]
    gold: NDArray[np.intp]
    """Numbers of the pages that are trained on with their gold."""
    taught: NDArray[np.intp]
    """Numbers of the pages that are trained on with what teachers say."""
    policies: tuple[str, ...]

    @classmethod
    def of(cls, pages: Sequence[PreparedPage], taught: Sequence[PreparedPage], settings: TrainingSettings) -> _Sampled:
        usable = learnable(pages, settings)
        taught = [page for page in taught if 0 < len(page) <= settings.most_blocks]
        different = {id(page): page for page in [*usable, *taught]}
        number = {key: number for number, key in enumerate(different)}
        policies = (DEFAULT_POLICY_NAME, *sorted({policy_of(page.corpus) for page in usable} - {DEFAULT_POLICY_NAME}))
        return cls(
            list(different.values()),
            np.array([number[id(page)] for page in usable], dtype=np.intp),
            np.array([number[id(page)] for page in taught], dtype=np.intp),
            policies,
        )

    def policy_of_each(self) -> list[int]:
        """The annotation policy of each page; the default for pages of sets without usable gold."""
        known = {name: number for number, name in enumerate(self.policies)}
        return [known.get(policy_of(page.corpus), DEFAULT_POLICY) for page in self.pages]


def _run_epoch(
    state: TrainingState,
    data: tuple[PageStore, Taught | None],
    sampled: _Sampled,
    settings: TrainingSettings,
    epoch: int,
) -> float:
    """Train one epoch; return the mean loss."""
    done, losses = epoch * settings.steps_an_epoch, []
    for batch in _batches(data, sampled, settings, epoch):
        progress = done / (settings.steps_an_epoch * settings.epochs)
        _set_learning_rate(state.optimiser, settings.learning_rate, progress)
        losses.append(_take_step(state.module, batch, state.optimiser, settings))
        done += 1
        _average(state.averaged, state.module, min(settings.averaging, done / (done + 9)))
    return float(torch.stack(losses).mean())


def _batches(
    data: tuple[PageStore, Taught | None], sampled: _Sampled, settings: TrainingSettings, epoch: int
) -> Iterator[Batch]:
    """Random batches of about equal size."""
    store, said = data
    random = np.random.default_rng((settings.seed, epoch))
    of_taught = round(settings.pages_a_batch * settings.soft_share) if len(sampled.taught) else 0
    of_gold = settings.pages_a_batch - of_taught
    gold, taught = ([sampled.pages[number] for number in numbers] for numbers in (sampled.gold, sampled.taught))
    drawn = (
        sampled.gold[_dealt(gold, _sampling_probabilities(gold, settings), of_gold, settings.steps_an_epoch, random)],
        sampled.taught[_dealt(taught, _taught_probabilities(taught), of_taught, settings.steps_an_epoch, random)],
    )
    pages = torch.from_numpy(np.concatenate(drawn)).to(store.device)
    is_soft = torch.arange(settings.pages_a_batch, device=store.device) >= of_gold
    own = torch.tensor(sampled.policy_of_each(), device=store.device)
    for step in random.permutation(settings.steps_an_epoch).tolist():
        of_step = pages[:, step]
        yield store.batch(of_step, torch.where(is_soft, DEFAULT_POLICY, own[of_step]), is_soft.float(), said)


def _dealt(
    pages: Sequence[PreparedPage], probabilities: Probabilities, each: int, steps: int, random: np.random.Generator
) -> NDArray[np.intp]:
    """intp, `each` x steps: numbers of sampled pages, long ones spread evenly over the steps."""
    drawn = random.choice(len(pages), each * steps, p=probabilities) if each else np.zeros(0, dtype=np.intp)
    by_size = sorted(drawn.tolist(), key=lambda number: len(pages[number]))
    return np.array(by_size, dtype=np.intp).reshape(each, steps)


_WITHOUT_GOLD: Final = 3.0
"""Pages without gold are drawn more often: teachers are all that is known of them."""
_SOFT_POWER: Final = 0.6
"""Data sets are drawn in proportion to this power of their pages."""


def _taught_probabilities(taught: Sequence[PreparedPage]) -> Probabilities:
    counts = Counter(page.corpus for page in taught)
    weights = [(1.0 if page.usable else _WITHOUT_GOLD) * counts[page.corpus] ** (_SOFT_POWER - 1) for page in taught]
    return np.asarray(np.array(weights) / max(sum(weights), 1e-9), dtype=np.float64)


def _sampling_probabilities(pages: Sequence[PreparedPage], settings: TrainingSettings) -> Probabilities:
    names = [policy_of(page.corpus) for page in pages]
    sites = Counter(zip(names, (page.site for page in pages), strict=True))
    by_site = np.array([sites[name, page.site] for name, page in zip(names, pages, strict=True)])
    variety = by_site ** (settings.site_power - 1.0)
    _, set_number = np.unique(names, return_inverse=True)
    probabilities = _flattened(variety, set_number, settings.set_power)
    types = np.array([known_type(page.corpus, page.page_type) for page in pages])
    probabilities = _flattened(probabilities, types - UNKNOWN, settings.type_power)
    by_policy = np.array([page.corpus == POLICY for page in pages])
    return _with_share(probabilities / probabilities.sum(), by_policy, settings.policy_share)


def _with_share(probabilities: Probabilities, chosen: NDArray[np.bool_], share: float) -> Probabilities:
    """Reweight so that the chosen pages have this share of all; unchanged if none or all are chosen."""
    if chosen.all() or not chosen.any():
        return probabilities
    now = float(probabilities[chosen].sum())
    return np.asarray(probabilities * np.where(chosen, share / now, (1 - share) / (1 - now)))


def _flattened(probabilities: Probabilities, group: NDArray[np.intp], power: float) -> Probabilities:
    """Reweight so that groups are sampled in proportion to this power of their previous share."""
    share = np.bincount(group, weights=probabilities)
    return np.asarray(probabilities * share[group] ** (power - 1.0))


def _set_learning_rate(optimiser: torch.optim.Optimizer, highest: float, progress: float) -> None:
    """Warm up over the first tenth, then decay by a cosine."""
    rising = min(progress / 0.1, 1.0)
    falling = 0.5 * (1 + math.cos(math.pi * max(progress - 0.1, 0) / 0.9))
    for group in optimiser.param_groups:
        group["lr"] = highest * max(rising, 0.02) * max(falling, 0.01)


def _take_step(
    module: NetworkModule, batch: Batch, optimiser: torch.optim.Optimizer, settings: TrainingSettings
) -> Tensor:
    module.train()
    optimiser.zero_grad()
    loss = whole_loss(module(batch), batch, settings)
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(module.parameters(), 1.0)
    optimiser.step()
    return loss.detach()  # asked for its number, an accelerator would have to finish first


def whole_loss(reading: ModuleReading, batch: Batch, settings: TrainingSettings) -> Tensor:
    """The loss of content, of comments where they are annotated or taught, and of page types where they are known."""
    is_soft = batch.is_soft > 0
    comment = _entropy(reading.comment, batch.comment, batch) * batch.comments_known
    comment = torch.where(is_soft, _entropy(reading.comment, torch.sigmoid(batch.soft_comment), batch), comment).mean()
    known = torch.where(is_soft, UNKNOWN, batch.page_type)
    types = nn.functional.cross_entropy(reading.page_type, known, ignore_index=UNKNOWN, reduction="sum")
    types = types - (batch.soft_types * nn.functional.log_softmax(reading.page_type, 1)).sum()
    types = types / len(known) * settings.type_weight
    hard = content_loss(reading.content, batch, settings.f1_share)
    content = torch.where(is_soft, _entropy(reading.content, torch.sigmoid(batch.soft_content), batch), hard).mean()
    return content + comment * settings.comment_weight + types


def _entropy(logits: Tensor, target: Tensor, batch: Batch) -> Tensor:
    """float32, one entry per page: the cross-entropy of its blocks, weighted by the root of their length."""
    pages = len(batch.policy)
    weight = (batch.length + 1).sqrt() * batch.is_block[:, 0]
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, target, weight, reduction="none")
    return _by_page(entropy, batch, pages) / _by_page(weight, batch, pages).clamp(min=1)


def content_loss(logits: Tensor, batch: Batch, f1_share: float) -> Tensor:
    """float32, one entry per page: cross-entropy of the blocks, weighted by the root of their length, and a soft F1."""
    pages = len(batch.policy)
    weight = batch.weight * (batch.length + 1).sqrt() * batch.is_block[:, 0]
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, batch.target, weight, reduction="none")
    mean_entropy = _by_page(entropy, batch, pages) / _by_page(weight, batch, pages).clamp(min=1)
    share = torch.sigmoid(logits)
    length = batch.length * batch.weight
    both = _by_page(share * batch.target * length, batch, pages)
    either = _by_page((share + batch.target) * length, batch, pages)
    soft_f1 = 2 * both / either.clamp(min=1)
    return (1 - f1_share) * mean_entropy + f1_share * (1 - soft_f1)


def _by_page(values: Tensor, batch: Batch, pages: int) -> Tensor:
    return values.new_zeros(pages).index_add(0, batch.page, values)


@torch.no_grad()
def _average(averaged: NetworkModule, module: NetworkModule, kept: float) -> None:
    for mean, new in zip(averaged.parameters(), module.parameters(), strict=True):
        mean.lerp_(new, 1 - kept)
