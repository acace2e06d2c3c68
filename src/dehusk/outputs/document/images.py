"""Images: their URLs, and which of them belong to the kept content.

An image inside the text of a kept block belongs to it. An image between blocks belongs if the blocks before and after
it are kept (the edge of the page counts as dropped, which excludes logos and trackers), or if it is in a figure whose
caption is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import Kind
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.page.links import safe_url
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES

_ADDRESSES: Final = ("src", "data-src", "data-original", "data-lazy-src")
"""Attributes with the URL of an image; pages that load lazily keep it in one of their own."""
_LISTS_OF_ADDRESSES: Final = ("srcset", "data-srcset")


def image_address(page: Page, row: int, base: str) -> str:
    """The absolute URL of an image; empty if it has none that is safe to load."""
    attributes = page.attributes(row)
    addresses = [attributes.get(name, "").strip() for name in _ADDRESSES]
    # Any size will do, so take the first. URLs in such a list contain no blanks.
    addresses += [attributes.get(name, "").split(",")[0].strip().partition(" ")[0] for name in _LISTS_OF_ADDRESSES]
    return next((safe for address in addresses if address and (safe := safe_url(address, base))), "")


def visible_images(page: Page) -> list[int]:
    """Rows of the images that are not hidden."""
    return np.flatnonzero((page.tag == TAG_CODES["img"]) & ~page.hidden).tolist()


def kept_beside(labelled: LabelledBlocks, rows: Iterable[int]) -> dict[int, list[int]]:
    """Block index -> those of the rows directly before or after it that belong to the content.

    Rows after the last block of a figure are listed under -1 - index.
    """
    blocks, keep = labelled.blocks, labelled.keep
    visible = np.flatnonzero(~blocks.hidden)
    rows = list(rows)
    after = np.searchsorted(blocks.first_row[visible], rows)
    figures = _captions_of_figures(labelled) if rows else {}
    figure_of = blocks.page.climb(np.array(rows, dtype=np.int32), blocks.page.tag == TAG_CODES["figure"]).tolist()
    found: dict[int, list[int]] = {}
    for row, position, figure in zip(rows, after.tolist(), figure_of, strict=True):
        before = int(visible[position - 1]) if position else -1
        behind = int(visible[position]) if position < len(visible) else -1
        if before >= 0 and row < blocks.last_row[before]:
            continue  # inside its text
        if figure in figures:
            caption = figures[figure]
            found.setdefault(caption if row < blocks.first_row[caption] else -1 - caption, []).append(row)
        elif before >= 0 and behind >= 0 and keep[before] and keep[behind]:
            found.setdefault(behind, []).append(row)
    return found


def _captions_of_figures(labelled: LabelledBlocks) -> dict[int, int]:
    """Row of a figure -> index of the first block of its caption, if that is kept."""
    blocks, page = labelled.blocks, labelled.blocks.page
    captions = np.flatnonzero((blocks.kind == Kind.CAPTION) & labelled.keep)
    figures = page.climb(blocks.owner[captions], page.tag == TAG_CODES["figure"]).tolist()
    found: dict[int, int] = {}
    for caption, figure in zip(captions.tolist(), figures, strict=True):
        if figure >= 0:
            found.setdefault(figure, caption)
    return found
