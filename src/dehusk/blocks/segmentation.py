"""Page -> Blocks. The work is done by the compiled part, `native/src/blocks`.

Every block-level start or end between two texts separates them, and so does an empty line.
"""

from __future__ import annotations

import numpy as np

from dehusk.blocks.block_columns import Blocks, TablePositions
from dehusk.errors import enough_memory
from dehusk.native.calls import call
from dehusk.native.library import lib
from dehusk.page.page_columns import Page


def segment(page: Page) -> Blocks:
    """The blocks of a page, in document order. Hidden text forms blocks of its own, marked."""
    with enough_memory(page.label):
        columns = call(lib.dehusk_page_blocks, page.arrays, page.label).columns()
        texts, first_row, last_row, owner, hidden, length, link_length, kind, kind_row, level, *table = columns
        return Blocks(
            page=page,
            # Each text ends with a NUL: no page contains one.
            texts=tuple(texts.tobytes().decode().split("\0")[:-1]),
            first_row=first_row,
            last_row=last_row,
            owner=owner,
            hidden=hidden.view(np.bool_),
            length=length,
            link_length=link_length,
            markup_kind=kind,
            markup_row=kind_row,
            markup_level=level,
            table=TablePositions(*table),
        )
