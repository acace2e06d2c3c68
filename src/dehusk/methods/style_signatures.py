"""Style signatures: hashes of the tags and class names from BODY down to an element.

The items of a list share a signature, and so do the paragraphs of an article: a signature says what kind of element it
is, a template position (`site_trees.template_positions`) which one. Hidden rows have signatures as well, because
scripts show and hide parts of a page that readers see.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import Keys, combine, key_of
from dehusk.page.tags import TAG_CODES

_BODY: Final = np.uint64(key_of("the look of body"))
"""Signatures are stored in model files: the text that is hashed must stay the same."""


def signatures_of_blocks(blocks: Blocks) -> Keys:
    """uint64, one entry per block: the style signature of its element; 0 outside BODY."""
    return _signatures(blocks.page)[blocks.owner] if len(blocks) else np.zeros(0, dtype=np.uint64)


def _signatures(page: Page) -> Keys:
    """uint64, one entry per row: the style signature of elements in BODY; 0 elsewhere."""
    in_body = (page.covered(page.tag == TAG_CODES["body"]) > 0) & ~page.is_text
    signature = np.zeros(len(page), dtype=np.uint64)
    levels = page.levels(in_body)
    for level in levels[:1]:
        signature[level] = _BODY
    for level in levels[1:]:
        signature[level] = combine(signature[page.parent[level]], page.class_keys[level])
    return signature
