"""Rules that keep together what belongs together: whole lists and tables; headings, captions and code with their text.

A score judges each block by itself. Readers miss the one item that is lacking in a list, and stumble over the heading
of a section that is gone. Where most of a part is kept, its doubtful blocks are kept as well; where hardly anything is
kept, the rest goes.
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
"""Numbers of blocks, rising."""

_FEWEST_MEMBERS: Final = 3
"""Blocks that make a list or a table whole enough to speak of most of it."""
_MOST_OF_A_PART: Final = 0.75
"""Share of its text, and half of its blocks, that keep all of a list or table."""
_HARDLY_ANY: Final = 0.1
"""Share of its text that is too little to keep anything of a list or table."""
_DOUBT: Final = 0.5
"""Share of the threshold from which a dropped block is doubtful: its surroundings decide."""
_UNLIKELY: Final = 0.1
"""Share of the threshold below which code is not of the text around it."""
_REACH: Final = 6
"""Blocks from code to the text it is of: a name of a file, a button to copy it."""
_BEGINNING: Final = 3
"""Blocks that speak for the section below a heading."""


def whole_lists(situation: Situation) -> Verdicts:
    """Keep all items of a list of which most is kept; drop the rest of one of which hardly anything is."""
    blocks = situation.blocks
    closest = blocks.page.closest(blocks.page.tagged(TagSet.LIST))
    is_item = blocks.kind == Kind.LIST_ITEM
    return _whole_parts(situation, np.where(is_item, closest[blocks.owner], np.int32(-1)))


def whole_tables(situation: Situation) -> Verdicts:
    """The same for the cells of a data table."""
    return _whole_parts(situation, situation.blocks.table.table)


def _whole_parts(situation: Situation, part: Rows) -> Verdicts:
    """`part`: the row of the list or table that each block is in, -1 outside."""
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
    """Let a doubtful heading follow the blocks up to the next heading, if these all go one way."""
    blocks, keep, verdicts = situation.blocks, situation.keep, situation.no_verdicts()
    is_heading, doubtful = (blocks.kind == Kind.HEADING) & ~blocks.hidden, _doubtful(situation)
    shown = np.flatnonzero(~blocks.hidden)
    for place in np.flatnonzero(is_heading[shown] & doubtful[shown]).tolist():
        section = shown[place + 1 : place + 1 + _BEGINNING]
        ends = np.flatnonzero(is_heading[section])
        section = section[: int(ends[0])] if len(ends) else section
        if len(section) and (keep[section] == keep[section[0]]).all():
            verdicts[shown[place]] = KEEP if keep[section[0]] else DROP
    return verdicts


def figure_captions(situation: Situation) -> Verdicts:
    """Let a doubtful caption of a figure follow the texts before and after it, if both go the same way."""
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
    """Keep code between texts that are kept: to a network it looks like nothing that anybody reads."""
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
    """The last of the others before each block and the first after it, and the blocks that have both."""
    after = np.searchsorted(others, blocks)
    between = (after > 0) & (after < len(others))
    return others[after[between] - 1], others[after[between]], blocks[between]
