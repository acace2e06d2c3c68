"""The network, run with numpy alone.

    dense features ─┐
    names of the elements above ─┤ sum ─> 4 dilated convolutions over the blocks in order, and 2 layers that
    first and last words ─┤              bring in the means of the parts of the page around each block ─> logit
    policy ─┘

Every layer adds to what was there before (a residual network). What gold counts as content differs between data sets:
each has a policy, a vector that is added at the input; pages of strangers have the policy 0, which training gives to
many pages of every set.

Embeddings meet the first layer in nothing but a product, so the two are multiplied when the network is loaded: the file
holds the small tables, memory the product.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks
from dehusk.errors import ModelError
from dehusk.model_files import ModelFile, read_model_file, write_model_file
from dehusk.network.inputs import PageInputs, page_inputs

Floats = NDArray[np.float32]
Logits = NDArray[np.float32]
"""float32, one entry a block: log-odds of being content."""

METHOD: Final = "page-network"
KERNEL: Final = 5
LAYERS: Final = (("convolution", 1), ("convolution", 2), ("parts", 0), ("convolution", 4), ("convolution", 8), ("parts", 1))
"""What is added to the hidden state, in order: convolutions with their dilations, and means of parts."""
STRANGER: Final = 0
"""The policy of pages of unknown kind."""

REQUIRED: Final = (
    *("names", "words", "level_weights", "policies"),
    *("input_dense", "input_names", "input_words", "input_bias", "output_hidden", "output_hidden_bias"),
    *("output", "output_bias"),
    *(f"layer_{number}{part}" for number in range(len(LAYERS)) for part in ("", "_bias")),
)
"""The arrays of a network, by name."""


@dataclass(frozen=True, eq=False)
class PageNetwork:
    """Weights, ready to score."""

    arrays: Mapping[str, Floats]
    policies: tuple[str, ...]
    """Names of the policies; the first is that of strangers."""
    names_at_input: Floats = field(repr=False)
    words_at_input: Floats = field(repr=False)
    """float32, table size x width: embeddings times the first layer."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], policies: tuple[str, ...] = ("stranger",)) -> PageNetwork:
        """A network of named arrays of any float type."""
        if missing := sorted(set(REQUIRED) - set(arrays)):
            raise ModelError(METHOD, f"has no array {', '.join(missing)}", "train the network again")
        wide = {name: np.ascontiguousarray(arrays[name], dtype=np.float32) for name in REQUIRED}
        return cls(wide, policies, wide["names"] @ wide["input_names"], wide["words"] @ wide["input_words"])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PageNetwork:
        """Read a file that `save` wrote."""
        file = read_model_file(path)
        if file.method != METHOD:
            raise ModelError(os.fspath(path), f"a model of {file.method}, not of {METHOD}", "give a page network")
        return cls.from_arrays(file.arrays, tuple(file.settings["policies"]))

    def save(self, path: str | os.PathLike[str], *, pages: int = 0, created: str = "") -> None:
        """Write the weights in half precision: the loss of a logit is below 0.01."""
        arrays = {name: array.astype(np.float16) for name, array in self.arrays.items()}
        write_model_file(path, ModelFile(METHOD, {"policies": list(self.policies)}, pages, "", created, arrays))

    def logits(self, blocks: Blocks, policy: str | None = None) -> Logits:
        """float32, one entry a block: log-odds of being content by one of the policies, or by that of strangers."""
        if not len(blocks):
            return np.zeros(0, dtype=np.float32)
        return self.logits_of_inputs(page_inputs(blocks), policy)

    def logits_of_inputs(self, inputs: PageInputs, policy: str | None = None) -> Logits:
        """The same for inputs that are there already."""
        number = STRANGER if policy is None else self.policies.index(policy)
        arrays = self.arrays
        hidden = _rectified(self._at_input(inputs) + arrays["policies"][number])
        for layer, (kind, setting) in enumerate(LAYERS):
            seen = _windows(hidden, setting) if kind == "convolution" else _means_of_parts(hidden, inputs)
            hidden += _rectified(seen @ arrays[f"layer_{layer}"] + arrays[f"layer_{layer}_bias"])
        last = _rectified(hidden @ arrays["output_hidden"] + arrays["output_hidden_bias"])
        return np.asarray(last @ arrays["output"][:, 0] + arrays["output_bias"][0])

    def _at_input(self, inputs: PageInputs) -> Floats:
        tokens, arrays = inputs.tokens, self.arrays
        dense = inputs.dense.astype(np.float32, copy=False) @ arrays["input_dense"] + arrays["input_bias"]
        names = _means(self.names_at_input, tokens.element_tokens, tokens.element_start)
        for level, weight in enumerate(arrays["level_weights"].tolist()):
            dense += names[tokens.levels[:, level]] * np.float32(weight)
        dense += _means(self.words_at_input, tokens.word_tokens, tokens.word_start)
        return dense


def _rectified(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)


def _means(table: Floats, tokens: NDArray[np.uint16], start: NDArray[np.int64]) -> Floats:
    """float32, one row a bag: the mean of the rows of its tokens; 0 for an empty bag."""
    means = np.zeros((len(start) - 1, table.shape[1]), dtype=np.float32)
    if len(tokens):
        lengths = np.diff(start)
        filled = np.flatnonzero(lengths)
        sums = np.add.reduceat(table[tokens], start[filled], axis=0)
        means[filled] = sums / lengths[filled, None].astype(np.float32)
    return means


def _windows(hidden: Floats, dilation: int) -> Floats:
    """float32, m x (KERNEL * width): each block beside its neighbours at this distance; 0 beyond the ends."""
    size, width = hidden.shape
    reach = dilation * (KERNEL // 2)
    padded = np.zeros((size + 2 * reach, width), dtype=np.float32)
    padded[reach : reach + size] = hidden
    return np.concatenate([padded[shift : shift + size] for shift in range(0, 2 * reach + 1, dilation)], axis=1)


def _means_of_parts(hidden: Floats, inputs: PageInputs) -> Floats:
    """float32, m x ((PARTS + 1) * width): means over the parts around each block, and over the page."""
    size, width = hidden.shape
    # In double precision: a difference of two large sums is to be as good as a sum of few.
    sums = np.zeros((size + 1, width))
    np.cumsum(hidden, axis=0, out=sums[1:])
    counts = np.maximum(inputs.part_last - inputs.part_first, 1)[:, :, None]
    parts = ((sums[inputs.part_last] - sums[inputs.part_first]) / counts).astype(np.float32)
    whole = np.broadcast_to((sums[-1] / size).astype(np.float32), (size, width))
    return np.concatenate([parts.reshape(size, -1), whole], axis=1)
