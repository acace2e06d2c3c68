"""What members of a forum have below each of their posts: the names of its element say that it is a signature."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks

_SIGNATURE: Final = re.compile(r"signatures?(?![a-z])|(?<![a-z])sig(?![a-z])")
"""In names in lower case: `message-signature`, `userSignature`, `post_sig`; nothing that is assigned or designed."""
_MOST: Final = 0.5
"""Share of the text kept that may be in signatures: BODY may be called `with-signatures`, too."""


def find_signatures(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that are signatures."""
    page = blocks.page
    is_signature = np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id"):
        for row, value in page.with_attribute(attribute):
            is_signature[row] |= _SIGNATURE.search(value.lower()) is not None
    found = keep & (page.covered(is_signature)[blocks.first_row] > 0)
    few = blocks.length[found].sum() <= _MOST * blocks.length[keep].sum()
    return np.asarray(found & few)
