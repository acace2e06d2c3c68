"""Pages that lose some of their parts: a site could as well do without that menu, or that box of related links.

Only blocks go. What was measured of the whole page stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.training.prepared_pages import PreparedPage
from dehusk.methods.page_network.network_inputs import PARTS, PageInputs, PageTokens

_MOST_PARTS: Final = 4
_LARGEST: Final = 0.3
"""Largest share of the page's blocks that a part may have to be dropped: without its content a page is another one."""


@dataclass(frozen=True, slots=True)
class Augmentation:
    """Drops parts of some pages, at random."""

    random: np.random.Generator
    share: float
    """Share of the pages that lose parts."""

    def __call__(self, page: PreparedPage) -> PreparedPage:
        """The page, or what is left of it."""
        if not len(page) or self.random.random() >= self.share:
            return page
        kept = np.ones(len(page), dtype=np.bool_)
        for _ in range(int(self.random.integers(1, _MOST_PARTS + 1))):
            block, step = self.random.integers(len(page)), self.random.integers(PARTS)
            first, last = page.inputs.part_first[block, step], page.inputs.part_last[block, step]
            if last - first <= _LARGEST * len(page):
                kept[first:last] = False
        return page if kept.all() or not kept.any() else only(page, kept)


def only(page: PreparedPage, kept: NDArray[np.bool_]) -> PreparedPage:
    """The page with these blocks alone, for training; its gold is not that of the rest, so it cannot be scored."""
    inputs, tokens = page.inputs, page.inputs.tokens
    before = np.concatenate(([0], np.cumsum(kept)))
    counts = np.diff(tokens.word_start)
    lengths = np.diff(page.word_start)
    return replace(
        page,
        inputs=PageInputs(
            inputs.dense[kept],
            PageTokens(
                tokens.element_tokens,
                tokens.element_start,
                tokens.levels[kept],
                tokens.word_tokens[np.repeat(kept, counts)],
                np.concatenate(([0], np.cumsum(counts[kept]))),
            ),
            before[inputs.part_first[kept]].astype(np.int32),
            before[inputs.part_last[kept]].astype(np.int32),
        ),
        target=page.target[kept],
        certainty=page.certainty[kept],
        words=page.words[np.repeat(kept, lengths)],
        word_start=np.concatenate(([0], np.cumsum(lengths[kept]))),
        subtree=page.subtree[kept],
        comment=page.comment[kept],
    )
