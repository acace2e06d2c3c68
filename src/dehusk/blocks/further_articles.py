"""Pages that go on with other articles: news sites load the next ones below the first, so that nobody leaves.

The first top heading is the title of the page. If at least two more stand in elements of the same names, and are not,
others begin there.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dehusk.blocks.columns import Blocks, Kind
from dehusk.page.characters import words_of

_FEWEST: Final = 2
"""Further headings. A single one may well be of the same article."""
_MOST: Final = 100
"""Top headings that are looked at."""
_SAME: Final = 0.8
"""Share of the words of a heading that are in the title, from which on it is the title."""
_FEWEST_WORDS: Final = 3
"""Of the heading of an article."""


def first_of_further_articles(blocks: Blocks) -> int | None:
    """Number of the block with which a second article begins; None on nearly all pages."""
    titles = np.flatnonzero(blocks.kind == Kind.TITLE)
    is_top = (blocks.kind == Kind.HEADING) & (blocks.level == 1) & ~blocks.hidden
    first, *others = np.flatnonzero(is_top)[:_MOST].tolist() or [None]
    if first is None or len(others) < _FEWEST or not len(titles):
        return None
    title = frozenset(words_of(blocks.texts[titles[0]]))
    alike = [other for other in others if blocks.path(other) == blocks.path(first)]
    further = [other for other in alike if _is_title(other, blocks, title) is False]
    return further[0] if _is_title(first, blocks, title) and len(further) >= _FEWEST else None


def _is_title(heading: int, blocks: Blocks, title: frozenset[str]) -> bool | None:
    """Whether a heading is the title of the page; None if it is too short to tell."""
    words = words_of(blocks.texts[heading])
    if len(words) < _FEWEST_WORDS:
        return None
    return sum(word in title for word in words) >= _SAME * len(words)
