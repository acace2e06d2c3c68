"""The network of `page_network.inference` in PyTorch, for training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dehusk.lab.training.page_store import Batch, PageStore, Taught
from dehusk.methods.page_network.inference import COMMENT, CONTENT, DEFAULT_POLICY, KERNEL, LAYERS, PageNetwork
from dehusk.methods.page_network.network_inputs import LEVELS, PARTS, TABLE_SIZE
from dehusk.methods.page_network.page_types import PAGE_TYPES


@dataclass(frozen=True, slots=True)
class NetworkSize:
    """The size of the network."""

    features: int
    policies: int
    width: int
    embedding: int = 24


@dataclass(frozen=True, slots=True)
class Dropping:
    """Dropout: shares of the inputs that are left out at random, against overfitting."""

    names: float = 0.4
    words: float = 0.5
    hidden: float = 0.25
    policies: float = 0.4
    """Pages trained under the default annotation policy instead of their own."""
    whole_pages: float = 0.25
    """Pages without any names, and pages without any words: names of one site say nothing about another."""


@dataclass(frozen=True, slots=True)
class ModuleReading:
    """The network's outputs for a batch."""

    content: Tensor
    comment: Tensor
    """float32, t: logits."""
    page_type: Tensor
    """float32, pages x types: logits."""


class NetworkModule(nn.Module):
    """The same arithmetic as `PageNetwork`, with dropout and gradients."""

    def __init__(self, size: NetworkSize, dropping: Dropping) -> None:
        super().__init__()
        self.dropping = dropping
        width = size.width
        # Tokens never seen in training stay 0.
        self.names = nn.Parameter(torch.zeros(TABLE_SIZE, size.embedding))
        self.words = nn.Parameter(torch.zeros(TABLE_SIZE, size.embedding))
        self.level_weights = nn.Parameter(torch.full((LEVELS,), 0.5))
        self.policies = nn.Parameter(torch.zeros(size.policies, width))
        self.input_dense = _weights(size.features, width)
        self.input_names = _weights(size.embedding, width)
        self.input_words = _weights(size.embedding, width)
        self.input_heading = _weights(size.embedding, width)
        self.input_bias = nn.Parameter(torch.zeros(width))
        inputs = {"convolution": width, "parts": (PARTS + 1) * width, "types": 2 * width}
        self.layers = nn.ParameterList([_weights(inputs[kind], width) for kind, _ in LAYERS])
        self.taps = nn.ParameterList([nn.Parameter(_first_taps(width, kind)) for kind, _ in LAYERS])
        self.biases = nn.ParameterList([nn.Parameter(torch.zeros(width)) for _ in LAYERS])
        self.output_hidden = _weights(width, width)
        self.output_hidden_bias = nn.Parameter(torch.zeros(width))
        self.output = _weights(width, 2)
        self.output_bias = nn.Parameter(torch.zeros(2))
        self.telling = nn.Parameter(torch.zeros(width))
        self.type_weights = _weights(2 * width, len(PAGE_TYPES))
        self.type_bias = nn.Parameter(torch.zeros(len(PAGE_TYPES)))
        self.type_table = nn.Parameter(torch.zeros(len(PAGE_TYPES), width))

    @classmethod
    def of(cls, network: PageNetwork) -> NetworkModule:
        """A network that is trained already."""
        arrays = {name: torch.tensor(array) for name, array in network.arrays.items()}
        embedding, width = arrays["input_names"].shape
        module = cls(NetworkSize(len(arrays["input_dense"]), len(arrays["policies"]), width, embedding), Dropping())
        layers = [(f"layer_{number}", kind) for number, (kind, _) in enumerate(LAYERS)]
        with torch.no_grad():
            for name, parameter in module.named_parameters():
                if name in arrays:
                    parameter.copy_(arrays[name])
            for (name, kind), weights, taps, bias in zip(
                layers, module.layers, module.taps, module.biases, strict=True
            ):
                weights.copy_(arrays[name])
                bias.copy_(arrays[f"{name}_bias"])
                if kind == "convolution":
                    taps.copy_(arrays[f"{name}_taps"])
        return module

    def forward(self, batch: Batch) -> ModuleReading:
        """The outputs for every position and page."""
        dropping = self.dropping
        hidden = self._at_input(batch)
        sizes = batch.dense.new_zeros(len(batch.policy), 1).index_add(0, batch.page, batch.is_block)
        for (kind, dilation), taps, weights, bias in zip(LAYERS, self.taps, self.layers, self.biases, strict=True):
            if kind == "types":
                summary = nn.functional.dropout(self._summary(hidden, batch, sizes), dropping.hidden, self.training)
                types = torch.addmm(self.type_bias, summary, self.type_weights)
                of_page = torch.addmm(bias, summary, weights) + types.softmax(1) @ self.type_table
                added = of_page.index_select(0, batch.page)
            elif kind == "parts":
                added = _parts(hidden, weights, batch, sizes) + bias
            else:
                added = torch.addmm(bias, _blend(hidden, taps, dilation), weights)
            hidden = (hidden + torch.relu(added)) * batch.is_block
        last = torch.relu(hidden @ self.output_hidden + self.output_hidden_bias)
        outputs = nn.functional.dropout(last, dropping.hidden, self.training) @ self.output + self.output_bias
        return ModuleReading(outputs[:, CONTENT], outputs[:, COMMENT], types)

    def _at_input(self, batch: Batch) -> Tensor:
        """float32, t x width: the input features of each block, with dropout."""
        dropping = self.dropping
        names = self._bags(self.names, batch.names, batch.names_start, dropping.names)
        words = self._bags(self.words, batch.words, batch.words_start, dropping.words)
        shares = self.level_weights.repeat(len(batch.levels), 1)
        above = nn.functional.embedding_bag(batch.levels, names, mode="sum", per_sample_weights=shares)
        above = self._without_some_pages(above, batch)
        words = self._without_some_pages(words, batch)
        policy = batch.policy
        if self.training:
            policy = torch.where(_random(batch.policy) < dropping.policies, DEFAULT_POLICY, policy)
        hidden = batch.dense @ self.input_dense + above @ self.input_names + words @ self.input_words
        hidden = hidden + (words @ self.input_heading).index_select(0, batch.heading) * batch.has_heading
        hidden = torch.relu(hidden + self.input_bias + self.policies[policy][batch.page]) * batch.is_block
        return nn.functional.dropout(hidden, dropping.hidden, self.training)

    def _summary(self, hidden: Tensor, batch: Batch, sizes: Tensor) -> Tensor:
        """float32, pages x 2 width: the mean of each page's blocks, and an attention-weighted mean."""
        pages = len(sizes)
        scores = hidden @ self.telling
        highest = scores.new_full((pages,), -torch.inf).scatter_reduce(0, batch.page, scores.detach(), "amax")
        powers = (scores - highest[batch.page]).exp()[:, None] * batch.is_block
        total = hidden.new_zeros(pages, 1).index_add(0, batch.page, powers)
        telling = hidden.new_zeros(pages, hidden.shape[1]).index_add(0, batch.page, hidden * powers) / total.clamp(
            min=1e-9
        )
        mean = hidden.new_zeros(pages, hidden.shape[1]).index_add(0, batch.page, hidden) / sizes.clamp(min=1)
        return torch.cat([mean, telling], 1)

    def _without_some_pages(self, values: Tensor, batch: Batch) -> Tensor:
        if not self.training:
            return values
        kept = (_random(batch.policy) >= self.dropping.whole_pages).float()
        return values * kept[batch.page][:, None]

    def _bags(self, table: Tensor, tokens: Tensor, start: Tensor, share: float) -> Tensor:
        kept = torch.ones(len(tokens), device=tokens.device)
        if self.training:
            kept = (_random(tokens) >= share).float()
        ends = torch.cat([start[1:], start.new_full((1,), len(tokens))])
        before = nn.functional.pad(kept.cumsum(0), (1, 0))
        counts = (before[ends] - before[start]).clamp(min=1)
        sums = nn.functional.embedding_bag(tokens, table, start, mode="sum", per_sample_weights=kept)
        return sums / counts[:, None]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights under the names of `PageNetwork`."""
        named = {name: value for name, value in self.state_dict().items() if "." not in name}
        for number in range(len(LAYERS)):
            named[f"layer_{number}"] = self.layers[number].detach()
            named[f"layer_{number}_bias"] = self.biases[number].detach()
            if LAYERS[number][0] == "convolution":
                named[f"layer_{number}_taps"] = self.taps[number].detach()
        return {name: value.cpu().numpy().copy() for name, value in named.items()}


def _random(like: Tensor) -> Tensor:
    """float32 from 0 to 1, as many as a tensor of one dimension has entries, on its device."""
    return torch.rand(len(like), device=like.device)


def _weights(inputs: int, outputs: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(inputs, outputs) * (1.0 / inputs) ** 0.5)


def _first_taps(width: int, kind: str) -> Tensor:
    """KERNEL x width: random; empty for layers without taps."""
    return torch.randn(KERNEL, width) * KERNEL**-0.5 if kind == "convolution" else torch.zeros(0)


def _blend(hidden: Tensor, taps: Tensor, dilation: int) -> Tensor:
    size, reach = len(hidden), dilation * (KERNEL // 2)
    padded = nn.functional.pad(hidden, (0, 0, reach, reach))
    blended = padded[:size] * taps[0]
    for number in range(1, KERNEL):
        blended = torch.addcmul(blended, padded[number * dilation : number * dilation + size], taps[number])
    return blended


def _parts(hidden: Tensor, weights: Tensor, batch: Batch, sizes: Tensor) -> Tensor:
    """Means over the parts around each block and over the page, times the weights of each step outwards."""
    width = hidden.shape[1]
    # Accelerators add up along the last dimension in parallel, but along the first one step by step.
    sums = nn.functional.pad(hidden.t().contiguous().double().cumsum(1), (1, 0)).t()
    means = (sums[batch.part_last] - sums[batch.part_first]).float()
    means = means / (batch.part_last - batch.part_first).clamp(min=1)[:, :, None]
    whole = hidden.new_zeros(len(sizes), width).index_add(0, batch.page, hidden) / sizes.clamp(min=1)
    of_parts, of_page = weights[: PARTS * width], weights[PARTS * width :]
    return means.reshape(len(hidden), -1) @ of_parts + (whole @ of_page).index_select(0, batch.page)


_BLOCKS_AT_A_TIME: Final = 40_000


@torch.no_grad()
def teach(store: PageStore, teachers: Sequence[PageNetwork]) -> Taught:
    """What several networks say of all pages of a store under the default annotation policy, on average."""
    runs = []
    modules = [NetworkModule.of(network).to(store.device).eval() for network in teachers]
    for pages in store.in_order(_BLOCKS_AT_A_TIME):
        batch = store.batch(pages, torch.full_like(pages, DEFAULT_POLICY))
        is_block = batch.is_block[:, 0] > 0
        said = [module(batch) for module in modules]
        content = torch.stack([one.content for one in said]).mean(0)[is_block]
        comment = torch.stack([one.comment for one in said]).mean(0)[is_block]
        runs.append((content, comment, torch.stack([one.page_type.softmax(1) for one in said]).mean(0)))
    return Taught(*(torch.cat(columns) for columns in zip(*runs, strict=True)))
