"""The network in numpy, as plainly as it can be written: what the compiled part is compared with."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.inference import (
    COMMENT,
    CONTENT,
    DEFAULT_POLICY,
    HEADING,
    KERNEL,
    LAYERS,
    NetworkReading,
    PageNetwork,
)
from dehusk.methods.page_network.network_inputs import PageInputs, PageTokens

Floats = NDArray[np.float32]

_LEVELS: Final = 6
"""Ancestors of a block that make its signature."""
_SHARED: Final = 0.5
"""Share of the log-odds that comes from blocks with the same signature."""


def numpy_reading(network: PageNetwork, inputs: PageInputs, policy: str | None = None) -> NetworkReading:
    """The output for a page with at least one block."""
    arrays = network.arrays
    number = DEFAULT_POLICY if policy is None else network.policies.index(policy)
    hidden = np.maximum(_at_input(network, inputs) + arrays["policies"][number], 0)
    page_type = np.zeros(0, dtype=np.float32)
    for layer, (kind, dilation) in enumerate(LAYERS):
        weights = arrays[f"layer_{layer}"]
        if kind == "convolution":
            seen = _blend(hidden, arrays[f"layer_{layer}_taps"], dilation) @ weights
        elif kind == "parts":
            seen = _means_of_parts(hidden, inputs) @ weights
        else:
            summary = _summary(network, hidden)
            page_type = _softmax(summary @ arrays["type_weights"] + arrays["type_bias"])
            seen = summary @ weights + page_type @ arrays["type_table"]
        hidden = hidden + np.maximum(seen + arrays[f"layer_{layer}_bias"], 0)
    last = np.maximum(hidden @ arrays["output_hidden"] + arrays["output_hidden_bias"], 0)
    outputs = last @ arrays["output"] + arrays["output_bias"]
    content = share_log_odds(signatures_of(inputs.tokens), outputs[:, CONTENT])
    return NetworkReading(content, outputs[:, COMMENT].copy(), page_type)


def _at_input(network: PageNetwork, inputs: PageInputs) -> Floats:
    tokens, arrays = inputs.tokens, network.arrays
    names = _means(arrays["names"], tokens.element_tokens, tokens.element_start)[tokens.levels]
    above = np.einsum("mle,l->me", names, arrays["level_weights"])
    words = _means(arrays["words"], tokens.word_tokens, tokens.word_start)
    embedded = above @ arrays["input_names"] + words @ arrays["input_words"]
    is_heading = inputs.dense[:, HEADING] > 0.5
    last = np.maximum.accumulate(np.where(is_heading, np.arange(len(words)), -1))
    embedded += np.where(last[:, None] >= 0, words[last], 0) @ arrays["input_heading"]
    return np.asarray(inputs.dense @ arrays["input_dense"] + embedded + arrays["input_bias"])


def _means(table: Floats, tokens: NDArray[np.uint16], start: NDArray[np.int64]) -> Floats:
    """float32, one row a bag: the mean of the rows of its tokens; 0 for an empty bag."""
    means = np.zeros((len(start) - 1, table.shape[1]), dtype=np.float32)
    for bag, mean in enumerate(means):
        of_bag = tokens[start[bag] : start[bag + 1]]
        mean[:] = table[of_bag].mean(axis=0) if len(of_bag) else 0
    return means


def _blend(hidden: Floats, taps: Floats, dilation: int) -> Floats:
    """float32, m x width: each channel of each block and of its neighbours at this distance, times taps; 0 beyond."""
    reach = KERNEL // 2 * dilation
    padded = np.pad(hidden, ((reach, reach), (0, 0)))
    shifted = (padded[number * dilation :][: len(hidden)] * tap for number, tap in enumerate(taps))
    return np.asarray(sum(shifted), dtype=np.float32)


def _means_of_parts(hidden: Floats, inputs: PageInputs) -> Floats:
    """float32, m x (parts + 1) width: means over the parts around each block, and over the page."""
    page = hidden.mean(axis=0)
    rows = [
        [*(hidden[first:last].mean(axis=0) if first < last else 0 * page for first, last in around), page]
        for around in np.stack((inputs.part_first, inputs.part_last), axis=-1)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(hidden), -1)


def _summary(network: PageNetwork, hidden: Floats) -> Floats:
    """float32, 2 x width: the mean of the blocks, and that of the most telling ones."""
    telling = _softmax(hidden @ network.arrays["telling"])
    return np.concatenate((hidden.mean(axis=0), telling @ hidden))


def _softmax(values: Floats) -> Floats:
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum(), dtype=np.float32)


def signatures_of(tokens: PageTokens) -> NDArray[np.intp]:
    """Number the style signatures of the blocks of a page: equal for blocks with the same one."""
    return np.unique(tokens.levels[:, :_LEVELS], axis=0, return_inverse=True)[1].reshape(-1)


def share_log_odds(signatures: NDArray[np.intp], logits: Floats) -> Floats:
    """float32: log-odds, each pulled towards the mean over its signature.

    >>> share_log_odds(np.array([0, 0, 1]), np.array([4, 0, -3], dtype=np.float32)).tolist()
    [3.0, 1.0, -3.0]
    """
    means = np.bincount(signatures, logits) / np.maximum(np.bincount(signatures), 1)
    return np.asarray((1 - _SHARED) * logits + _SHARED * means[signatures], dtype=np.float32)
