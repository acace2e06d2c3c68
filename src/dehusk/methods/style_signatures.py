"""Looks: what an element and all around it look like, whatever their number among siblings.

The look of a row is made of tags and class names from BODY down. Items of a list have the same look, and so have the
paragraphs of an article: a look says what kind of thing stands somewhere, a place (`placing`) which one it is. Looks
are there for hidden rows as well: scripts show and hide parts of pages that readers see.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import Keys, combine, key_of
from dehusk.page.tags import TAG_CODES

_BODY: Final = np.uint64(key_of("the look of body"))


def looks_of_blocks(blocks: Blocks) -> Keys:
    """uint64, one entry a block: the look of the element it is in; 0 outside BODY."""
    return _looks(blocks.page)[blocks.owner] if len(blocks) else np.zeros(0, dtype=np.uint64)


def _looks(page: Page) -> Keys:
    """uint64, one entry a row: the look of elements in BODY; 0 elsewhere."""
    in_body = (page.covered(page.tag == TAG_CODES["body"]) > 0) & ~page.is_text
    look = np.zeros(len(page), dtype=np.uint64)
    levels = page.levels(in_body)
    for level in levels[:1]:
        look[level] = _BODY
    for level in levels[1:]:
        look[level] = combine(look[page.parent[level]], page.class_keys[level])
    return look
