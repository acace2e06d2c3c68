"""What belongs together is kept together: lists and tables whole; headings, captions and code with what they are of.

A score says of each block by itself whether it is content. Readers miss the one item that is lacking in a list, and
stumble over the heading of a section that is gone. Where most of a part is kept, what is doubtful in it is kept, too;
where hardly anything of it is, the rest goes. All rules look at the mask as it was decided, none at another's result.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks, Kind
from dehusk.page.page_columns import Rows
from dehusk.page.tags import TAG_CODES, TagSet

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


def keep_together(blocks: Blocks, keep: BlockMask, scores: NDArray[np.float32], threshold: float) -> BlockMask:
    """bool: the blocks to keep. Hidden ones stay as they are."""
    changed = keep.copy()
    for part in (_lists(blocks), blocks.table.table):
        _make_whole(blocks, part, keep, changed)
    doubtful = ~blocks.hidden & (scores >= _DOUBT * threshold) & (scores < threshold + _DOUBT * (1 - threshold))
    _follow_section(blocks, keep, doubtful, changed)
    _follow_figure(blocks, keep, doubtful, changed)
    _follow_text(blocks, keep, scores >= _UNLIKELY * threshold, changed)
    return changed


def _lists(blocks: Blocks) -> Rows:
    """int32: row of the list that each block is an item of; -1 outside of lists."""
    closest = blocks.page.closest(blocks.page.tagged(TagSet.LIST))
    return np.where(blocks.kind == Kind.LIST_ITEM, closest[blocks.owner], np.int32(-1))


def _make_whole(blocks: Blocks, part: Rows, keep: BlockMask, changed: BlockMask) -> None:
    members = np.flatnonzero((part >= 0) & ~blocks.hidden)
    if not len(members):
        return
    number = part[members]
    count = np.bincount(number)
    kept = np.bincount(number, weights=keep[members])
    text = np.bincount(number, weights=blocks.length[members])
    kept_text = np.bincount(number, weights=blocks.length[members] * keep[members])
    share = kept_text / np.maximum(text, 1)
    is_part = count >= _FEWEST_MEMBERS
    whole = is_part & (share >= _MOST_OF_A_PART) & (kept >= 0.5 * count)
    gone = is_part & (share <= _HARDLY_ANY)
    changed[members[whole[number]]] = True
    changed[members[gone[number]]] = False


def _follow_section(blocks: Blocks, keep: BlockMask, doubtful: BlockMask, changed: BlockMask) -> None:
    """A doubtful heading goes the way of the blocks up to the next heading, if they all go one way."""
    is_heading = (blocks.kind == Kind.HEADING) & ~blocks.hidden
    shown = np.flatnonzero(~blocks.hidden)
    for place in np.flatnonzero(is_heading[shown] & doubtful[shown]).tolist():
        section = shown[place + 1 : place + 1 + _BEGINNING]
        ends = np.flatnonzero(is_heading[section])
        section = section[: int(ends[0])] if len(ends) else section
        if len(section) and (keep[section] == keep[section[0]]).all():
            changed[shown[place]] = keep[section[0]]


def _follow_figure(blocks: Blocks, keep: BlockMask, doubtful: BlockMask, changed: BlockMask) -> None:
    """A doubtful caption of a figure goes the way of the texts before and after it, if both go the same."""
    page = blocks.page
    figures = page.tag == TAG_CODES["figure"]
    if not figures.any():
        return
    in_figure = page.closest(figures)[blocks.owner] >= 0
    captions = np.flatnonzero((blocks.kind == Kind.CAPTION) & in_figure & doubtful)
    others = np.flatnonzero(~in_figure & ~blocks.hidden)
    after = np.searchsorted(others, captions)
    between = (after > 0) & (after < len(others))
    captions, after = captions[between], after[between]
    before_kept, after_kept = keep[others[after - 1]], keep[others[after]]
    agree = before_kept == after_kept
    changed[captions[agree]] = after_kept[agree]


def _follow_text(blocks: Blocks, keep: BlockMask, possible: BlockMask, changed: BlockMask) -> None:
    """Code is kept between texts that are kept: to a network it looks like nothing that anybody reads."""
    code = np.flatnonzero((blocks.kind == Kind.CODE) & ~blocks.hidden & possible & ~keep)
    kept = np.flatnonzero(keep & ~blocks.hidden)
    after = np.searchsorted(kept, code)
    between = (after > 0) & (after < len(kept))
    code, after = code[between], after[between]
    is_near = (code - kept[after - 1] <= _REACH) & (kept[after] - code <= _REACH)
    changed[code[is_near]] = True
