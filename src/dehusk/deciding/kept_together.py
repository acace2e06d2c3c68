"""Rules that keep related blocks together: whole lists and tables; headings, captions and code with their text.

A score judges each block by itself. Readers miss the one item lacking in a list, and stumble over the heading of a
section that is gone. If most of a list or table is kept, the rest is kept as well; if hardly anything is kept, all of
it is dropped.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Kind
from dehusk.deciding.situations import DROP, KEEP, Situation, Verdicts
from dehusk.page.page_columns import Rows
from dehusk.page.tags import TAG_CODES, TagSet

Numbers = NDArray[np.intp]
"""Indexes of blocks, ascending."""

_FEWEST_MEMBERS: Final = 3
"""Blocks that a list or table needs for the rule to apply."""
_MOST_OF_A_PART: Final = 0.75
"""Share of the text of a list or table that, with half of its blocks, keeps all of it."""
_HARDLY_ANY: Final = 0.1
"""Share of the text of a list or table up to which none of it is kept."""
_DOUBT: Final = 0.5
"""Share of the threshold from which a dropped block is doubtful, and its surroundings decide."""
_UNLIKELY: Final = 0.1
"""Share of the threshold below which code does not belong to the text around it."""
_REACH: Final = 6
"""Blocks from code to its text: a file name or a copy button may be between them."""
_BEGINNING: Final = 3
"""Blocks that stand for the section below a heading."""


def whole_lists(situation: Situation) -> Verdicts:
    """Keep all items of a list that is mostly kept; drop all items of one that is hardly kept."""
    blocks = situation.blocks
    closest = blocks.page.closest(blocks.page.tagged(TagSet.LIST))
    is_item = blocks.kind == Kind.LIST_ITEM
    return _whole_parts(situation, np.where(is_item, closest[blocks.owner], np.int32(-1)))


def whole_tables(situation: Situation) -> Verdicts:
    """Do the same for the cells of a data table."""
    return _whole_parts(situation, situation.blocks.table.table)


def _whole_parts(situation: Situation, part: Rows) -> Verdicts:
    """Apply the rule to parts, given as the page row of the list or table of each block (-1 outside)."""
    blocks, verdicts = situation.blocks, situation.no_verdicts()
    members = np.flatnonzero((part >= 0) & ~blocks.hidden)
    if not len(members):
        return verdicts
    number, is_kept, length = part[members], situation.keep[members], blocks.length[members]
    count = np.bincount(number)
    kept = np.bincount(number, weights=is_kept)
    share = np.bincount(number, weights=length * is_kept) / np.maximum(np.bincount(number, weights=length), 1)
    is_part = count >= _FEWEST_MEMBERS
    verdicts[members[(is_part & (share >= _MOST_OF_A_PART) & (kept >= 0.5 * count))[number]]] = KEEP
    verdicts[members[(is_part & (share <= _HARDLY_ANY))[number]]] = DROP
    return verdicts


def section_headings(situation: Situation) -> Verdicts:
    """Let a doubtful heading follow the blocks up to the next heading, if these agree."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    is_heading, doubtful = (blocks.kind == Kind.HEADING) & ~blocks.hidden, _doubtful(situation)
    shown = np.flatnonzero(~blocks.hidden)
    for position in np.flatnonzero(is_heading[shown] & doubtful[shown]).tolist():
        section = shown[position + 1 : position + 1 + _BEGINNING]
        ends = np.flatnonzero(is_heading[section])
        section = section[: int(ends[0])] if len(ends) else section
        if len(section) and (keep[section] == keep[section[0]]).all():
            verdicts[shown[position]] = KEEP if keep[section[0]] else DROP
    return verdicts


def figure_captions(situation: Situation) -> Verdicts:
    """Let a doubtful figure caption follow the text before and after the figure, if both agree."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    figures = blocks.page.tag == TAG_CODES["figure"]
    if not figures.any():
        return verdicts
    in_figure = blocks.page.closest(figures)[blocks.owner] >= 0
    captions = np.flatnonzero((blocks.kind == Kind.CAPTION) & in_figure & _doubtful(situation))
    before, after, captions = _neighbours(captions, np.flatnonzero(~in_figure & ~blocks.hidden))
    agree = keep[before] == keep[after]
    verdicts[captions[agree]] = np.where(keep[after[agree]], KEEP, DROP)
    return verdicts


def code_between_text(situation: Situation) -> Verdicts:
    """Keep code between kept text: the network does not recognise it as something to read."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    is_possible = situation.scores >= _UNLIKELY * situation.threshold
    code = np.flatnonzero((blocks.kind == Kind.CODE) & ~blocks.hidden & is_possible & ~keep)
    before, after, code = _neighbours(code, np.flatnonzero(keep & ~blocks.hidden))
    verdicts[code[(code - before <= _REACH) & (after - code <= _REACH)]] = KEEP
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
