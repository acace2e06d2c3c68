"""Pages that go on with other articles: news sites load the next ones below the first, so that nobody leaves.

The first top heading is the title of the page. If at least two more stand in elements of the same names, and are not,
others begin there.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dehusk.blocks.columns import Blocks, Kind
from dehusk.blocks.titles import Title

_FEWEST: Final = 2
"""Further headings. A single one may well be of the same article."""
_MOST: Final = 100
"""Top headings that are looked at."""


def first_of_further_articles(blocks: Blocks) -> int | None:
    """Number of the block with which a second article begins; None on nearly all pages."""
    is_top = (blocks.kind == Kind.HEADING) & (blocks.level == 1) & ~blocks.hidden
    first, *others = np.flatnonzero(is_top)[:_MOST].tolist() or [None]
    if first is None or len(others) < _FEWEST or not (title := Title(blocks)):
        return None
    path, *other_paths = blocks.paths_of([first, *others]).numbers
    alike = [other for other, other_path in zip(others, other_paths, strict=True) if other_path == path]
    further = [other for other in alike if title.is_said_by(other) is False]
    return further[0] if title.is_said_by(first) and len(further) >= _FEWEST else None
