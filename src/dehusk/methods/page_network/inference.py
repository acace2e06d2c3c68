"""The network, run with numpy alone.

    dense features ─┐
    names of the elements above ─┤ sum ─> 4 dilated convolutions over the blocks in order, 2 layers that bring in the
    first and last words ─┤              means of the parts of the page around each block, and 1 that asks what type
    policy ─┘                            the page is of ─> two logits: content, and a reader's comment

Every layer adds to its input (a residual network). Data sets differ in what their gold counts as content: each has an
annotation policy, a vector added at the input. Other pages get the default policy, 0, which training gives to many
pages of every set.

What is content also depends on the page type: links are the content of a listing, but not of an article. Halfway, the
network pools the blocks it finds most telling, predicts the page type, and adds an embedding of the types, weighted by
their probabilities, to every block.

At the end, blocks with the same style signature share half of their log-odds (`similar_blocks`); training does not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import ModelError
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.hashed_tokens import LEVELS, TABLE_SIZE
from dehusk.methods.page_network.matrix_products import multiply
from dehusk.methods.page_network.network_inputs import PageInputs, page_inputs
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.similar_blocks import share_log_odds, signatures_of
from dehusk.methods.page_network.surroundings import PARTS
from dehusk.page.page_columns import make_read_only

Floats = NDArray[np.float32]
Logits = NDArray[np.float32]
"""float32, one entry per block: log-odds of being content."""

METHOD: Final = "page-network"
KERNEL: Final = 5
LAYERS: Final = (
    ("convolution", 1),
    ("convolution", 2),
    ("parts", 0),
    ("convolution", 4),
    ("types", 0),
    ("convolution", 8),
    ("parts", 1),
)
"""What is added to the hidden state, in order: convolutions with their dilations, means of parts, and types of pages.

A convolution first blends each channel over the neighbours, then the channels with each other (depthwise separable): a
fifth of the arithmetic of a full one.
"""
DEFAULT_POLICY: Final = 0
"""Index of the default annotation policy, for pages of no known data set."""

REQUIRED: Final = (
    *("names", "words", "level_weights", "policies"),
    *("input_dense", "input_names", "input_words", "input_bias", "output_hidden", "output_hidden_bias"),
    *("output", "output_bias", "telling", "type_weights", "type_bias", "type_table"),
    *(f"layer_{number}{part}" for number in range(len(LAYERS)) for part in ("", "_bias")),
    *(f"layer_{number}_taps" for number, (kind, _) in enumerate(LAYERS) if kind == "convolution"),
)
"""The arrays of a network, by name."""

CONTENT, COMMENT = range(2)
"""Columns of the output."""


@dataclass(frozen=True, eq=False)
class NetworkReading:
    """The output of the network for a page of m blocks. Arrays are read-only."""

    content: Logits
    """float32, m entries: log-odds of being content."""
    comment: Logits
    """float32, m entries: log-odds of being a reader's comment below the content."""
    page_type: Floats
    """float32: the probability of each of `PAGE_TYPES`."""

    def __post_init__(self) -> None:
        make_read_only(self)

    @property
    def article(self) -> float:
        """The probability of the page being an article."""
        return float(self.page_type[PAGE_TYPES.index("article")])


def nothing_read() -> NetworkReading:
    """The output for a page without blocks."""
    nothing = np.zeros(0, dtype=np.float32)
    return NetworkReading(nothing, nothing, _any_type())


@dataclass(frozen=True, eq=False)
class PageNetwork:
    """Weights, ready to score."""

    arrays: Mapping[str, Floats]
    policies: tuple[str, ...]
    """Names of the annotation policies; the first is the default."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], policies: tuple[str, ...] = ("stranger",)) -> PageNetwork:
        """A network from named arrays of any float type."""
        if missing := sorted(set(REQUIRED) - set(arrays)):
            raise ModelError(METHOD, f"has no array {', '.join(missing)}", "train the network again")
        wide = {name: np.ascontiguousarray(arrays[name], dtype=np.float32) for name in REQUIRED}
        for name, shape in _shapes(wide, len(policies)).items():
            if wide[name].shape != shape or 0 in shape or not np.isfinite(wide[name]).all():
                cause = f"{name} has the shape {wide[name].shape}, or numbers that are none; {shape} is wanted"
                raise ModelError(METHOD, cause, "train the network again")
        return cls(wide, policies)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PageNetwork:
        """Read a file written by `save`."""
        return cls.from_file(read_model_file(path), os.fspath(path))

    @classmethod
    def from_file(cls, file: ModelFile, label: str = "the model file") -> PageNetwork:
        """The network in a file."""
        if file.method != METHOD:
            raise ModelError(label, f"a model of {file.method}, not of {METHOD}", "give a page network")
        policies = file.settings.get("policies")
        if not isinstance(policies, list) or not all(isinstance(policy, str) for policy in policies):
            raise ModelError(label, "does not name its policies", "train the network again")
        return cls.from_arrays(file.arrays, tuple(policies))

    def save(self, path: str | os.PathLike[str], *, pages: int = 0, created: str = "") -> None:
        """Write the weights in half precision: the loss of a logit is below 0.01."""
        arrays = {name: array.astype(np.float16) for name, array in self.arrays.items()}
        write_model_file(path, ModelFile(METHOD, {"policies": list(self.policies)}, pages, "", created, arrays))

    def logits(self, blocks: Blocks, policy: str | None = None) -> Logits:
        """float32, one entry per block: log-odds of being content under a policy, or the default one."""
        if not len(blocks):
            return np.zeros(0, dtype=np.float32)
        return self.logits_of_inputs(page_inputs(blocks), policy)

    def read_blocks(self, blocks: Blocks) -> NetworkReading:
        """The output for a page, under the default policy."""
        return self.read(page_inputs(blocks)) if len(blocks) else nothing_read()

    def logits_of_inputs(self, inputs: PageInputs, policy: str | None = None) -> Logits:
        """The same for inputs that are already computed."""
        return self.read(inputs, policy).content

    def read(self, inputs: PageInputs, policy: str | None = None) -> NetworkReading:
        """The output for a page."""
        if not len(inputs):
            return nothing_read()
        number = DEFAULT_POLICY if policy is None else self.policies.index(policy)
        arrays = self.arrays
        hidden, page_type = self._through_layers(
            inputs, _rectified(self._at_input(inputs) + arrays["policies"][number])
        )
        last = _rectified(multiply(hidden, arrays["output_hidden"]) + arrays["output_hidden_bias"])
        outputs = np.ascontiguousarray((multiply(last, arrays["output"]) + arrays["output_bias"]).T)
        content = share_log_odds(signatures_of(inputs.tokens), outputs[CONTENT])
        return NetworkReading(content, outputs[COMMENT], page_type)

    def _through_layers(self, inputs: PageInputs, hidden: Floats) -> tuple[Floats, Floats]:
        """The hidden state of every block after the last layer, and the type probabilities. Changes `hidden`."""
        arrays, parts, page_type = self.arrays, _Parts(inputs), _any_type()
        for layer, (kind, dilation) in enumerate(LAYERS):
            weights = arrays[f"layer_{layer}"]
            if kind == "convolution":
                seen = multiply(_blend(hidden, arrays[f"layer_{layer}_taps"], dilation), weights)
            elif kind == "parts":
                seen = parts.means_times(hidden, weights)
            else:
                summary = self._summary(hidden)
                page_type = _softmax(summary @ arrays["type_weights"] + arrays["type_bias"])
                seen = summary @ weights + page_type @ arrays["type_table"]
            seen += arrays[f"layer_{layer}_bias"]
            hidden += _rectified(seen)
        return hidden, page_type

    def _summary(self, hidden: Floats) -> Floats:
        """float32, 2 x width: the mean of the blocks, and that of the most telling ones."""
        # `einsum` because, as with `multiply`, threads would cost more than they do.
        telling = _softmax(np.einsum("mw,w->m", hidden, self.arrays["telling"]))
        return np.concatenate((hidden.mean(axis=0), np.einsum("m,mw->w", telling, hidden)))

    def _at_input(self, inputs: PageInputs) -> Floats:
        tokens, arrays = inputs.tokens, self.arrays
        if inputs.dense.shape[1:] != arrays["input_dense"].shape[:1]:
            cause = f"trained on {len(arrays['input_dense'])} features, of which there are {inputs.dense.shape[1]} now"
            raise ModelError(METHOD, cause, "train the network again")
        dense = multiply(inputs.dense.astype(np.float32, copy=False), arrays["input_dense"]) + arrays["input_bias"]
        names = _means(arrays["names"], tokens.element_tokens, tokens.element_start).take(tokens.levels, axis=0)
        dense += multiply(np.einsum("mle,l->me", names, arrays["level_weights"]), arrays["input_names"])
        dense += multiply(_means(arrays["words"], tokens.word_tokens, tokens.word_start), arrays["input_words"])
        return dense


def _shapes(arrays: Mapping[str, Floats], policies: int) -> dict[str, tuple[int, ...]]:
    """The shape that each array must have. Training chooses the width of the hidden state and the embeddings.

    The number of features is checked at the first page: listing them takes longer than loading a network.
    """
    width, embedding, types = arrays["input_bias"].size, arrays["names"].shape[-1:], len(PAGE_TYPES)
    inputs = {"convolution": width, "parts": (PARTS + 1) * width, "types": 2 * width}
    of_layers: dict[str, tuple[int, ...]] = {}
    for number, (kind, _) in enumerate(LAYERS):
        of_layers[f"layer_{number}"], of_layers[f"layer_{number}_bias"] = (inputs[kind], width), (width,)
        if kind == "convolution":
            of_layers[f"layer_{number}_taps"] = (KERNEL, width)
    return of_layers | {
        "names": (TABLE_SIZE, *embedding),
        "words": (TABLE_SIZE, *embedding),
        "level_weights": (LEVELS,),
        "policies": (policies, width),
        "input_dense": (*arrays["input_dense"].shape[:1], width),
        "input_names": (*embedding, width),
        "input_words": (*embedding, width),
        "input_bias": (width,),
        "output_hidden": (width, width),
        "output_hidden_bias": (width,),
        "output": (width, 2),
        "output_bias": (2,),
        "telling": (width,),
        "type_weights": (2 * width, types),
        "type_bias": (types,),
        "type_table": (types, width),
    }


def _any_type() -> Floats:
    return np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES), dtype=np.float32)


def _softmax(values: Floats) -> Floats:
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum(), dtype=np.float32)


def _rectified(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)


def _means(table: Floats, tokens: NDArray[np.uint16], start: NDArray[np.int64]) -> Floats:
    """float32, one row a bag: the mean of the rows of its tokens; 0 for an empty bag."""
    lengths = np.diff(start)
    places = np.arange(lengths.max(initial=0))
    # Bags are short: filling them up to the longest is several times as fast as `reduceat` or running sums.
    index = np.minimum(start[:-1, None] + places, max(len(tokens) - 1, 0))
    shares = (places < lengths[:, None]) / np.maximum(lengths, 1)[:, None].astype(np.float32)
    rows = table.take(tokens[index] if len(tokens) else index, axis=0)
    return np.asarray(np.einsum("bte,bt->be", rows, shares, dtype=np.float32), dtype=np.float32)


def _blend(hidden: Floats, taps: Floats, dilation: int) -> Floats:
    """float32, m x width: each channel of each block and of its neighbours at this distance, times taps; 0 beyond."""
    size = len(hidden)
    blended: Floats = hidden * taps[KERNEL // 2]
    for number, tap in enumerate(taps):
        shift = (number - KERNEL // 2) * dilation
        if 0 < shift < size:
            blended[:-shift] += hidden[shift:] * tap
        elif 0 < -shift < size:
            blended[-shift:] += hidden[:shift] * tap
    return blended


class _Parts:
    """The parts of a page around its blocks. Neighbours often have all in common: runs of such are dealt with once."""

    def __init__(self, inputs: PageInputs) -> None:
        first, last = inputs.part_first, inputs.part_last
        begins = np.ones(len(inputs), dtype=bool)
        begins[1:] = ((first[1:] != first[:-1]) | (last[1:] != last[:-1])).any(axis=1)
        self._run = np.cumsum(begins) - 1
        self._first, self._last = first[begins], last[begins]
        self._shares = (1 / np.maximum(self._last - self._first, 1)).astype(np.float32)[:, :, None]

    def means_times(self, hidden: Floats, weights: Floats) -> Floats:
        """float32, m x width: means over the parts around each block, and over the page, times the weights of each."""
        size, width = hidden.shape
        # In double precision: a difference of two large sums is to be as good as a sum of few.
        sums = np.zeros((size + 1, width))
        np.cumsum(hidden, axis=0, out=sums[1:])
        of_parts = sums.take(self._last, axis=0)
        of_parts -= sums.take(self._first, axis=0)
        means = of_parts.astype(np.float32) * self._shares
        seen = multiply(means.reshape(len(means), -1), weights[:-width])
        seen += (sums[-1] / size).astype(np.float32) @ weights[-width:]
        return np.asarray(seen.take(self._run, axis=0))
