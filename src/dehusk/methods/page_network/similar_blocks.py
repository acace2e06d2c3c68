"""Blocks of a page that look alike judge each other.

The comments of readers, the items of a list and the paragraphs of an article each stand under elements of the same
names, wherever on the page they are, and gold mostly has all of them or none. So a part of what the network says of a
block is what it says of all that look like it. Looks are those of one page, from the names the network sees anyway;
`places.looks` tells looks of a whole site apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.hashed_tokens import PageTokens

_LEVELS: Final = 6
"""Elements above a block that make its look."""
_SHARED: Final = 0.5
"""How much of the log-odds of a block are those of its look. Anything from 0.3 to 0.8 is about as good."""
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)

Looks = NDArray[np.intp]
"""One entry a block: equal for blocks that look alike, from 0 on."""


def looks_of(tokens: PageTokens) -> Looks:
    """The looks of the blocks of a page."""
    key = np.zeros(len(tokens.levels), dtype=np.uint64)
    for level in tokens.levels[:, :_LEVELS].astype(np.uint64).T:
        key = (key ^ (key >> np.uint64(29)) ^ level) * _FACTOR
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def shared_among(looks: Looks, logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32: log-odds, each drawn towards the mean of those that look like it.

    >>> shared_among(np.array([0, 0, 1]), np.array([4, 0, -3], dtype=np.float32)).tolist()
    [3.0, 1.0, -3.0]
    """
    means = np.bincount(looks, logits) / np.maximum(np.bincount(looks), 1)
    return np.asarray((1 - _SHARED) * logits + _SHARED * means[looks], dtype=np.float32)
