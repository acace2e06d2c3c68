"""Page -> Blocks. The work is done by the compiled part, `native/src/blocks`.

Every block-level start or end between two texts separates them, and so does an empty line.
"""

from __future__ import annotations

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks, find_blocks
from dehusk.errors import enough_memory
from dehusk.page.page_columns import Page


@checked
def segment(page: Page) -> Blocks:
    """The blocks of a page, in document order. Hidden text forms blocks of its own, marked.

    Arguments:
        page: a page that `read_page` read.

    Returns:
        Columns of the blocks: texts, kinds, levels, paths and more.

    Raises:
        NativeError: the compiled part failed, which is a bug.

    >>> blocks = dehusk.segment(dehusk.read_page("<h1>Tea</h1><ul><li>Green<li>Black</ul>"))
    >>> blocks.texts, blocks.path(1)
    (('Tea', 'Green', 'Black'), 'html/body/ul/li')
    """
    with enough_memory(page.label):
        return Blocks(page, find_blocks(page))
