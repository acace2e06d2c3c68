"""Rules on forums: quoted posts are kept once, and signatures below posts go."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks

_SIGNATURE: Final = re.compile(r"signatures?(?![a-z])|(?<![a-z])sig(?![a-z])")
"""In names in lower case: `message-signature`, `userSignature`, `post_sig`; nothing that is assigned or designed."""
_MOST_IN_SIGNATURES: Final = 0.5
"""Share of the text kept that may be in signatures: BODY may be called `with-signatures`, too."""
_FEWEST_CHARACTERS: Final = 120
"""Of a run: two lines of text. Anything from 80 to 200 is about as good."""
_FEWEST_A_BLOCK: Final = 25
"""Characters of its blocks on average: rows of facts may well be equal."""


def find_repeated(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that repeat what is kept further up."""
    repeated = np.zeros(len(blocks), dtype=bool)
    kept = np.flatnonzero(keep).tolist()
    texts, lengths = [blocks.texts[index] for index in kept], blocks.length[kept].tolist()
    first_place: dict[str, int] = {}
    place = 0
    while place < len(kept):
        run = _common_run(texts, first_place.get(texts[place], place), place)
        size = sum(lengths[place : place + run])
        if size >= max(_FEWEST_CHARACTERS, _FEWEST_A_BLOCK * run):
            repeated[kept[place : place + run]] = True
        # A run that is too short may end a longer one that begins further on; one of many short blocks does not.
        step = run if size >= _FEWEST_CHARACTERS else 1
        for number in range(place, place + step):
            first_place.setdefault(texts[number], number)
        place += step
    return repeated


def _common_run(texts: list[str], earlier: int, later: int) -> int:
    """How many texts from `later` on are those from `earlier` on, up to where the later ones begin."""
    run = 0
    while earlier + run < later and later + run < len(texts) and texts[earlier + run] == texts[later + run]:
        run += 1
    return run


def find_signatures(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that are signatures."""
    page = blocks.page
    is_signature = np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id"):
        for row, value in page.with_attribute(attribute):
            is_signature[row] |= _SIGNATURE.search(value.lower()) is not None
    found = keep & (page.covered(is_signature)[blocks.first_row] > 0)
    few = blocks.length[found].sum() <= _MOST_IN_SIGNATURES * blocks.length[keep].sum()
    return np.asarray(found & few)
