"""Gold -> a training target for every block of a page.

The target of a block is the share of its words that are in gold, matched in order, so that a word of the menu does not
match the same word in the text. Three cases need care. The title in the head mostly repeats a heading: it counts as the
headline only if no heading does. Hidden text counts only if the visible text lacks some of the gold: many pages
collapse answers and tabs. And gold that is not found in order may be on the page in another order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.blocks.page_title import title_of
from dehusk.lab.gold.gold_alignment import (
    LEAST_ALIGNED_SHARE,
    LEAST_CONTENT_SHARE,
    AlignedRuns,
    Verdict,
    align_text,
    shares_in_any_order,
)
from dehusk.page.characters import words_of
from dehusk.page.page_columns import make_read_only

_HEADLINE_SHARE: Final = 0.7
"""A text with this share of the title's words is the same headline: sites add their names to the title."""
_ELSEWHERE_SHARE: Final = 0.6
"""A block in gold with this share of those words is the headline; fewer may be in the text by accident."""
_BEGINNING: Final = 3
"""The headline is within this many times its length from the start of the gold, plus some words for a date."""
_SPARE: Final = 12
DOUBTFUL: Final = 0.3
"""Weight of a block that is not in gold while an identical block is: which of the two was meant is arbitrary. And of a
headline that is not in gold: four of eight data sets treat it as separate and leave it out, but readers want it."""
_LEAST_OF_TITLE: Final = 0.4
"""A headline has at least this share of the title's words; the rest is the name of the site."""
_WELL_ALIGNED: Final = 0.9
"""If this share of the gold is found in order, neither hidden text nor another order is tried."""
_WORTH_HIDDEN: Final = 0.05
"""Hidden text must add this much: some of it always has a few words of the gold."""


@dataclass(frozen=True, eq=False)
class LabelledBlockTargets:
    """Training targets of m blocks. Arrays are read-only, float32, with one entry per block."""

    target: NDArray[np.float32]
    """The share of the block's words that are in gold."""
    certainty: NDArray[np.float32]
    """Weight of the target, from 0 to 1."""
    aligned_share: float
    verdict: Verdict

    def __post_init__(self) -> None:
        make_read_only(self)

    @property
    def usable(self) -> bool:
        """Whether the gold fits the page."""
        return self.verdict is Verdict.USABLE


def label_targets(blocks: Blocks, gold: str) -> LabelledBlockTargets:
    """Align the blocks of a page with its gold."""
    is_title = blocks.kind == Kind.TITLE
    chosen = ~is_title & ~blocks.hidden
    aligned = _align_in_any_order(blocks, chosen, gold)
    if aligned.aligned_share < _WELL_ALIGNED and blocks.hidden.any():
        with_hidden = _align_in_any_order(blocks, ~is_title, gold)
        if with_hidden.aligned_share >= aligned.aligned_share + _WORTH_HIDDEN:
            chosen, aligned = ~is_title, with_hidden
    target = np.zeros(len(blocks), dtype=np.float32)
    target[chosen] = aligned.shares
    _label_title(blocks, is_title, target, gold)
    return LabelledBlockTargets(target, _certainty(blocks, target), aligned.aligned_share, aligned.verdict)


def comment_targets(blocks: Blocks, comments: str) -> NDArray[np.float32]:
    """float32, one entry per block: the share of its words that are in readers' comments."""
    target = np.zeros(len(blocks), dtype=np.float32)
    chosen = (blocks.kind != Kind.TITLE) & ~blocks.hidden
    if comments and chosen.any():
        target[chosen] = _align(blocks, chosen, comments).shares
    return target


def _align(blocks: Blocks, chosen: NDArray[np.bool_], gold: str) -> AlignedRuns:
    return align_text(_texts(blocks, chosen), gold)


def _texts(blocks: Blocks, chosen: NDArray[np.bool_]) -> list[str]:
    return [blocks.texts[number] for number in np.flatnonzero(chosen).tolist()]


def _align_in_any_order(blocks: Blocks, chosen: NDArray[np.bool_], gold: str) -> AlignedRuns:
    """Align in order, then the rest of the gold in any order."""
    aligned = _align(blocks, chosen, gold)
    is_of_page = aligned.verdict in (Verdict.USABLE, Verdict.NOT_FOUND)
    if not is_of_page or aligned.aligned_share >= _WELL_ALIGNED:
        return aligned
    shares, aligned_share = shares_in_any_order(_texts(blocks, chosen), gold)
    verdict = Verdict.USABLE if aligned_share >= LEAST_ALIGNED_SHARE else Verdict.NOT_FOUND
    return AlignedRuns(shares, shares >= LEAST_CONTENT_SHARE, aligned_share, verdict)


def _label_title(blocks: Blocks, is_title: NDArray[np.bool_], target: NDArray[np.float32], gold: str) -> None:
    """Label the title as content if gold begins with it and no other block in gold has it."""
    for number in np.flatnonzero(is_title).tolist():
        title = Counter(words_of(blocks.texts[number]))
        beginning = Counter(words_of(gold)[: _BEGINNING * title.total() + _SPARE])
        in_gold = (title & beginning).total() / max(title.total(), 1)
        kept = (blocks.texts[other] for other in np.flatnonzero(target >= 0.5).tolist()[:_SPARE])
        enough = _ELSEWHERE_SHARE * in_gold * title.total()
        is_elsewhere = any((title & Counter(words_of(text))).total() >= enough for text in kept)
        target[number] = in_gold if in_gold >= _HEADLINE_SHARE and not is_elsewhere else 0.0


def _certainty(blocks: Blocks, target: NDArray[np.float32]) -> NDArray[np.float32]:
    in_gold = {text for text, share in zip(blocks.texts, target.tolist(), strict=True) if share >= 0.5}
    doubtful = [text in in_gold and share < 0.5 for text, share in zip(blocks.texts, target.tolist(), strict=True)]
    is_headline = np.zeros(len(blocks), dtype=bool)
    is_headline[headlines(blocks)] = True
    is_doubtful = np.array(doubtful, dtype=bool) | (is_headline & (target < LEAST_CONTENT_SHARE))
    return np.where(is_doubtful, DOUBTFUL, 1.0).astype(np.float32)


def headlines(blocks: Blocks) -> list[int]:
    """Numbers of the headings that repeat the title."""
    title = Counter(words_of(title_of(blocks)))
    found = []
    for number in np.flatnonzero((blocks.kind == Kind.HEADING) & ~blocks.hidden).tolist():
        heading = Counter(words_of(blocks.texts[number]))
        shared = (title & heading).total()
        if shared and shared >= _HEADLINE_SHARE * heading.total() and shared >= _LEAST_OF_TITLE * title.total():
            found.append(number)
    return found
