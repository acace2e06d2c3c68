"""Style signatures: hashes of the tags and class names from BODY down to an element.

The items of a list share a signature, and so do the paragraphs of an article: a signature says what kind of element it
is, a template position (`site_trees.template_positions`) which one. Hidden rows have signatures as well, because
scripts show and hide parts of a page that readers see.
"""

from __future__ import annotations

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.page.stable_hashing import Keys


def signatures_of_blocks(blocks: Blocks) -> Keys:
    """uint64, one entry per block: the style signature of its element; 0 outside BODY."""
    return blocks.page.signatures[blocks.owner] if len(blocks) else np.zeros(0, dtype=np.uint64)
