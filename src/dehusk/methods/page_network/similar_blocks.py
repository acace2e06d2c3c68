"""Blocks with the same style signature share part of their log-odds.

Readers' comments, list items and the paragraphs of an article each have ancestors of the same names, wherever they are
on the page, and gold mostly has all of them or none. So part of the log-odds of a block is the mean over all blocks
like it. These signatures hold within one page, and are made from the tokens the network reads anyway;
`style_signatures` makes those that hold across a site.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.page_network.hashed_tokens import PageTokens

_LEVELS: Final = 6
"""Ancestors of a block that make its signature."""
_SHARED: Final = 0.5
"""Share of the log-odds that comes from blocks with the same signature. Anything from 0.3 to 0.8 is about as good."""
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)

Signatures = NDArray[np.intp]
"""One number per block, from 0: equal for blocks with the same signature."""


def signatures_of(tokens: PageTokens) -> Signatures:
    """Number the style signatures of the blocks of a page."""
    key = np.zeros(len(tokens.levels), dtype=np.uint64)
    for level in tokens.levels[:, :_LEVELS].astype(np.uint64).T:
        key = (key ^ (key >> np.uint64(29)) ^ level) * _FACTOR
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def share_log_odds(signatures: Signatures, logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32: log-odds, each pulled towards the mean over its signature.

    >>> share_log_odds(np.array([0, 0, 1]), np.array([4, 0, -3], dtype=np.float32)).tolist()
    [3.0, 1.0, -3.0]
    """
    means = np.bincount(signatures, logits) / np.maximum(np.bincount(signatures), 1)
    return np.asarray((1 - _SHARED) * logits + _SHARED * means[signatures], dtype=np.float32)
