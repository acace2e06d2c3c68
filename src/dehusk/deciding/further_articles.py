"""The rule on further articles, which news sites load below the first one (infinite scrolling).

The first top-level heading is the title of the page. If at least two more have the same DOM path and differ from the
title, further articles begin there.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks, Kind
from dehusk.blocks.page_title import Title
from dehusk.deciding.situations import FEWEST_CHARACTERS

_FEWEST: Final = 2
"""Further headings. A single one may belong to the same article."""
_MOST: Final = 100
"""Top-level headings to examine."""


def find_further_articles(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks from the second article down, if enough is left of the first."""
    second = first_of_further_articles(blocks)
    further = np.zeros(len(blocks), dtype=bool)
    if second is not None and blocks.length[:second][keep[:second]].sum() >= FEWEST_CHARACTERS:
        further[second:] = keep[second:]
    return further


def first_of_further_articles(blocks: Blocks) -> int | None:
    """Index of the block where a second article begins; None on nearly all pages."""
    is_top = (blocks.kind == Kind.HEADING) & (blocks.level == 1) & ~blocks.hidden
    first, *others = np.flatnonzero(is_top)[:_MOST].tolist() or [None]
    if first is None or len(others) < _FEWEST or not (title := Title(blocks)):
        return None
    path, *other_paths = blocks.paths_of([first, *others]).numbers
    alike = [other for other, other_path in zip(others, other_paths, strict=True) if other_path == path]
    further = [other for other in alike if title.is_repeated_by(other) is False]
    return further[0] if title.is_repeated_by(first) and len(further) >= _FEWEST else None
