"""Rules on forums: keep quoted posts once, and drop signatures below posts."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks

_SIGNATURE: Final = re.compile(r"signatures?(?![a-z])|(?<![a-z])sig(?![a-z])")
"""Matches `message-signature`, `userSignature` and `post_sig` in lower case, but not `assigned` or `designed`."""
_MOST_IN_SIGNATURES: Final = 0.5
"""Largest share of the kept text that signatures may have: BODY can have the class `with-signatures`, too."""
_FEWEST_CHARACTERS: Final = 120
"""Of a repeated run: two lines of text. Anything from 80 to 200 is about as good."""
_FEWEST_A_BLOCK: Final = 25
"""Average characters per block of a run: rows of facts can be equal without being quoted."""


def find_repeated(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that repeat kept text further up."""
    repeated = np.zeros(len(blocks), dtype=bool)
    kept = np.flatnonzero(keep).tolist()
    texts, lengths = [blocks.texts[index] for index in kept], blocks.length[kept].tolist()
    first_position: dict[str, int] = {}
    position = 0
    while position < len(kept):
        run = _common_run(texts, first_position.get(texts[position], position), position)
        size = sum(lengths[position : position + run])
        if size >= max(_FEWEST_CHARACTERS, _FEWEST_A_BLOCK * run):
            repeated[kept[position : position + run]] = True
        # A run that is too short may overlap a longer one that begins later; a run of many short blocks does not.
        step = run if size >= _FEWEST_CHARACTERS else 1
        for number in range(position, position + step):
            first_position.setdefault(texts[number], number)
        position += step
    return repeated


def _common_run(texts: list[str], earlier: int, later: int) -> int:
    """How many texts from `later` on equal those from `earlier` on, without overlap."""
    run = 0
    while earlier + run < later and later + run < len(texts) and texts[earlier + run] == texts[later + run]:
        run += 1
    return run


def find_signatures(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks in elements whose class or id names a signature."""
    page = blocks.page
    is_signature = np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id"):
        for row, value in page.with_attribute(attribute):
            is_signature[row] |= _SIGNATURE.search(value.lower()) is not None
    found = keep & (page.covered(is_signature)[blocks.first_row] > 0)
    few = blocks.length[found].sum() <= _MOST_IN_SIGNATURES * blocks.length[keep].sum()
    return np.asarray(found & few)
