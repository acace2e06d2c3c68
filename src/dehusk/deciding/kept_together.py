"""Rules that keep related blocks together: headings, captions and code with their text.

A score judges each block by itself. Readers stumble over the heading of a section that is gone. Lists and tables need
no rule: blocks of the same style share their scores (`similar_blocks.rs`). Rules that kept or dropped them whole made
45 of 1,074 pages of unseen sites better, and 58 worse.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Kind
from dehusk.deciding.situations import DROP, KEEP, Situation, Verdicts
from dehusk.page.tags import TAG_CODES

Numbers = NDArray[np.intp]
"""Indexes of blocks, ascending."""

_DOUBT: Final = 0.5
"""Share of the threshold from which a dropped block is doubtful, and its surroundings decide."""
_UNLIKELY: Final = 0.1
"""Share of the threshold below which code does not belong to the text around it."""
_REACH: Final = 6
"""Blocks from code to its text: a file name or a copy button may be between them."""
_PARTS: Final = 5
"""The column of `signs_of_page` with the part set apart that each block is in."""
_BEGINNING: Final = 3
"""Blocks that stand for the section below a heading."""


def section_headings(situation: Situation) -> Verdicts:
    """Let a doubtful heading follow the blocks up to the next heading, if these agree."""
    blocks, verdicts, is_shown = situation.blocks, situation.no_verdicts(), ~situation.blocks.hidden
    is_heading = blocks.of_kind(Kind.HEADING) & is_shown
    doubtful = is_heading & _doubtful(situation)
    if not doubtful.any():
        return verdicts
    shown = np.flatnonzero(is_shown)
    headings, keep = is_heading[shown].tolist(), situation.keep[shown].tolist()
    for position in np.flatnonzero(doubtful[shown]).tolist():
        ends = [*headings[position + 1 : position + 1 + _BEGINNING], True]
        section = keep[position + 1 : position + 1 + ends.index(True)]
        if section and section.count(section[0]) == len(section):
            verdicts[shown[position]] = KEEP if section[0] else DROP
    return verdicts


def figure_captions(situation: Situation) -> Verdicts:
    """Let a doubtful figure caption follow the text before and after the figure, if both agree."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    figures = blocks.page.tag == TAG_CODES["figure"]
    if not figures.any():
        return verdicts
    in_figure = blocks.page.closest(figures)[blocks.owner] >= 0
    captions = np.flatnonzero(blocks.of_kind(Kind.CAPTION) & in_figure & _doubtful(situation))
    before, after, captions = _neighbours(captions, np.flatnonzero(~in_figure & ~blocks.hidden))
    agree = keep[before] == keep[after]
    verdicts[captions[agree]] = np.where(keep[after[agree]], KEEP, DROP)
    return verdicts


def code_between_text(situation: Situation) -> Verdicts:
    """Keep code between kept text: the network does not recognise it as something to read."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    is_possible = situation.scores >= _UNLIKELY * situation.threshold
    code = np.flatnonzero(blocks.of_kind(Kind.CODE) & ~blocks.hidden & is_possible & ~keep)
    before, after, code = _neighbours(code, np.flatnonzero(keep & ~blocks.hidden))
    verdicts[code[(code - before <= _REACH) & (after - code <= _REACH)]] = KEEP
    return verdicts


def parts_set_apart(situation: Situation) -> Verdicts:
    """Keep callouts and posts of other sites whole if the text around them is kept, or some of their own."""
    blocks, verdicts = situation.blocks, situation.no_verdicts()
    parts: NDArray[np.int32] = blocks.signs.column(_PARTS)
    shown = np.flatnonzero(~blocks.hidden)
    if not parts.size or not shown.size:
        return verdicts
    of_shown, keep = parts[shown], situation.keep[shown]
    starts = np.flatnonzero(np.append(True, of_shown[1:] != of_shown[:-1]))
    ends = np.append(starts[1:], shown.size)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        is_enclosed = start > 0 and end < shown.size and keep[start - 1] and keep[end]
        if of_shown[start] >= 0 and (is_enclosed or keep[start:end].any()):
            verdicts[shown[start:end]] = KEEP
    return verdicts


def _doubtful(situation: Situation) -> BlockMask:
    """bool: blocks whose score is near the threshold."""
    threshold, scores = situation.threshold, situation.scores
    is_near = (scores >= _DOUBT * threshold) & (scores < threshold + _DOUBT * (1 - threshold))
    return np.asarray(~situation.blocks.hidden & is_near)


def _neighbours(blocks: Numbers, others: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The closest others before and after each block, and the blocks that have both."""
    after = np.searchsorted(others, blocks)
    between = (after > 0) & (after < len(others))
    return others[after[between] - 1], others[after[between]], blocks[between]
