"""Rules that keep related blocks together: headings, captions, code and formulas with their text.

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
_MOST: Final = 0.5
"""Share of the characters of a listing that must be kept for the rest of it to be kept, too."""
_REACH: Final = 6
"""Blocks from code to its text: a file name or a copy button may be between them. From a formula to its text it is as
far: the lines of a derivation."""
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
    is_possible = situation.scores >= _UNLIKELY * situation.threshold
    return _kept_between_text(situation, _code(situation) & is_possible)


def formulas_between_text(situation: Situation) -> Verdicts:
    """Keep formulas between kept text: to the network they are hardly words."""
    is_formula = situation.blocks.is_formula
    return _kept_between_text(situation, is_formula) if len(is_formula) else situation.no_verdicts()


def _kept_between_text(situation: Situation, blocks_of_it: BlockMask) -> Verdicts:
    """Keep visible blocks of a mask that have kept ones before and after them, not far away."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    inner = np.flatnonzero(blocks_of_it & ~blocks.hidden & ~keep)
    before, after, inner = _neighbours(inner, np.flatnonzero(keep & ~blocks.hidden))
    verdicts[inner[(inner - before <= _REACH) & (after - inner <= _REACH)]] = KEEP
    return verdicts


def whole_listings(situation: Situation) -> Verdicts:
    """Keep all of a listing, an editor or a `<pre>`, most of which is kept: some tools make each line a block."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    if not len(blocks.code_area):
        return verdicts
    members = np.flatnonzero((blocks.code_area >= 0) & ~blocks.hidden)
    _, listing = np.unique(blocks.code_area[members], return_inverse=True)
    length = blocks.length[members]
    kept = np.bincount(listing, weights=length * keep[members])
    is_whole = kept >= _MOST * np.bincount(listing, weights=length)
    verdicts[members[is_whole[listing] & ~keep[members]]] = KEEP
    return verdicts


def _code(situation: Situation) -> BlockMask:
    """bool: blocks that are code by their markup, or by a model."""
    blocks = situation.blocks
    is_code = blocks.of_kind(Kind.CODE)
    return np.asarray(is_code | (blocks.code_area >= 0)) if len(blocks.code_area) else is_code


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
