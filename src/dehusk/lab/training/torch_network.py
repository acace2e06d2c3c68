"""The network of `page_network.inference` in PyTorch, for training.

Pages of a batch are concatenated in one sequence, with gaps of zeros as wide as the reach of the widest convolution: no
padding to the longest page, and no page sees another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dehusk.lab.training.prepared_pages import WITH_COMMENTS, PreparedPage, known_type
from dehusk.methods.page_network.inference import (
    COMMENT,
    CONTENT,
    DEFAULT_POLICY,
    KERNEL,
    LAYERS,
    NetworkReading,
)
from dehusk.methods.page_network.network_inputs import LEVELS, PARTS, TABLE_SIZE
from dehusk.methods.page_network.page_types import PAGE_TYPES

_NO_TYPES: Final = np.zeros(len(PAGE_TYPES), dtype=np.float32)
GAP: Final = max(dilation for kind, dilation in LAYERS if kind == "convolution") * (KERNEL // 2)


@dataclass(frozen=True, slots=True)
class NetworkSize:
    """The size of the network."""

    features: int
    policies: int
    width: int = 64
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
class Batch:
    """Pages in one sequence of t positions."""

    dense: Tensor
    is_block: Tensor
    """float32, t x 1: 0 in the gaps."""
    page: Tensor
    """int64, t: number of the page in the batch."""
    policy: Tensor
    """int64, one entry per page."""
    names: Tensor
    names_start: Tensor
    levels: Tensor
    words: Tensor
    words_start: Tensor
    parts: Tensor
    """int64, t x PARTS: numbers of the parts around each position."""
    part_first: Tensor
    part_last: Tensor
    """int64, one entry per part: its positions are `part_first : part_last`."""
    target: Tensor
    weight: Tensor
    """float32, t: certainty of the target; 0 in the gaps."""
    length: Tensor
    """float32, t: words of the block."""
    comment: Tensor
    """float32, t: the share of words in readers' comments."""
    comments_known: Tensor
    """float32, one entry per page: 1 if its comments are annotated."""
    page_type: Tensor
    """int64, one entry per page: its `known_type`."""
    is_soft: Tensor
    """float32, one entry per page: 1 if it is trained on what teachers say of it, instead of on its gold."""
    soft: Tensor
    """float32, t: log-odds of being content by the teachers; 0 for other pages."""
    soft_types: Tensor
    """float32, pages x types: the probability of each type by the teachers."""

    def on(self, device: str) -> Batch:
        """The same batch in the memory of a device."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))


@dataclass(frozen=True, slots=True)
class ModuleReading:
    """The network's outputs for a batch."""

    content: Tensor
    comment: Tensor
    """float32, t: logits."""
    page_type: Tensor
    """float32, pages x types: logits."""


def make_batch(
    pages: Sequence[PreparedPage], policies: Sequence[int], soft: Sequence[NetworkReading | None] = ()
) -> Batch:
    """Concatenate pages into one sequence; `soft` has the readings of teachers, for pages trained on them."""
    soft = soft or [None] * len(pages)
    sizes = [len(page) for page in pages]
    offsets = np.cumsum([0, *(size + GAP for size in sizes)])
    total = int(offsets[-1])
    places = np.concatenate([np.arange(size) + offset for size, offset in zip(sizes, offsets, strict=False)])
    number = np.repeat(np.arange(len(pages)), [size + GAP for size in sizes])

    def spread(values: Sequence[NDArray[np.generic]], empty: float = 0) -> Tensor:
        joined = np.concatenate(values)
        whole = np.full((total, *joined.shape[1:]), empty, dtype=joined.dtype)
        whole[places] = joined
        return torch.from_numpy(whole)

    tokens = [page.inputs.tokens for page in pages]
    elements = np.cumsum([0, *(len(some.element_start) - 1 for some in tokens)])
    none = int(elements[-1]) - 1  # the last element of every page has no names
    levels = [some.levels.astype(np.int64) + first for some, first in zip(tokens, elements, strict=False)]
    first, last = (
        spread([getattr(page.inputs, name) + offset for page, offset in zip(pages, offsets, strict=False)]).numpy()
        for name in ("part_first", "part_last")
    )
    different, parts = np.unique(first * (total + 1) + last, return_inverse=True)
    lengths = spread([np.diff(some.word_start) for some in tokens]).numpy()
    return Batch(
        spread([page.inputs.dense for page in pages]).float(),
        spread([np.ones((size, 1), dtype=np.float32) for size in sizes]),
        torch.from_numpy(number),
        torch.tensor(policies),
        torch.from_numpy(np.concatenate([some.element_tokens for some in tokens]).astype(np.int64)),
        _starts([np.diff(some.element_start) for some in tokens]),
        spread(levels, none),
        torch.from_numpy(np.concatenate([some.word_tokens for some in tokens]).astype(np.int64)),
        _starts([lengths]),
        torch.from_numpy(parts.reshape(first.shape)),
        torch.from_numpy(different // (total + 1)),
        torch.from_numpy(different % (total + 1)),
        spread([page.target for page in pages]),
        spread([page.certainty for page in pages]),
        spread([np.diff(page.word_start).astype(np.float32) for page in pages]),
        spread([page.comment for page in pages]),
        torch.tensor([float(page.corpus in WITH_COMMENTS) for page in pages]),
        torch.tensor([known_type(page.corpus, page.page_type) for page in pages]),
        torch.tensor([float(some is not None) for some in soft]),
        spread(
            [
                np.zeros(size, np.float32) if some is None else some.content
                for size, some in zip(sizes, soft, strict=True)
            ]
        ),
        torch.from_numpy(np.stack([_NO_TYPES if some is None else some.page_type for some in soft])),
    )


def _starts(lengths: Sequence[NDArray[np.generic]]) -> Tensor:
    """int64: the offset of each bag, without the end of the last, for `embedding_bag`."""
    return torch.from_numpy(np.concatenate(([0], np.cumsum(np.concatenate(lengths), dtype=np.int64)))[:-1])


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
    """Means over the parts around each block and over the page, times the weights of each step outwards.

    Blocks often share parts: each part is averaged and multiplied once.
    """
    width = hidden.shape[1]
    sums = nn.functional.pad(hidden.double().cumsum(0), (0, 0, 1, 0))
    ends = sums.index_select(0, batch.part_last) - sums.index_select(0, batch.part_first)
    means = ends.float() / (batch.part_last - batch.part_first).clamp(min=1)[:, None]
    by_step = weights.view(PARTS + 1, width, width)
    products = means @ by_step[:-1].transpose(0, 1).reshape(width, PARTS * width)
    chosen = batch.parts * PARTS + torch.arange(PARTS, device=hidden.device)
    of_parts = nn.functional.embedding_bag(chosen, products.view(-1, width), mode="sum")
    whole = hidden.new_zeros(len(sizes), width).index_add(0, batch.page, hidden) / sizes.clamp(min=1)
    return of_parts + (whole @ by_step[-1]).index_select(0, batch.page)
