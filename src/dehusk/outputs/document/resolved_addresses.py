"""Addresses of links and images, absolute and safe, for the compiled part: `links.py` decides on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.page.links import base_url, safe_url
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.tags import ATTRIBUTE_CODES, TAG_CODES

_OF_LINKS: Final = ("href",)
_OF_IMAGES: Final = ("src", "data-src", "data-original", "data-lazy-src")
"""Attributes with the address of an image; `native/src/document/images.rs` says which of them counts."""
_LISTS: Final = ("srcset", "data-srcset")
"""Attributes with several addresses of an image."""


def resolved_addresses(labelled: LabelledBlocks, options: OutputOptions) -> tuple[Rows, list[str]]:
    """Numbers of attribute values, in order, and the address each stands for: those that the options show."""
    found = dict(_resolved(labelled, options)) if labelled.kept else {}
    numbers = sorted(found)
    return np.array(numbers, dtype=np.int32), [found[number] for number in numbers]


def _resolved(labelled: LabelledBlocks, options: OutputOptions) -> Iterator[tuple[int, str]]:
    page = labelled.blocks.page
    base = base_url(page)
    values = page.attribute_value.distinct
    if options.links:
        for number in _numbers(page, _OF_LINKS, (page.tag == TAG_CODES["a"]) & _around_kept(labelled)):
            yield number, _safe(values[number].strip(), base)
    if options.images:
        is_image = page.tag == TAG_CODES["img"]
        for number in _numbers(page, _OF_IMAGES, is_image):
            yield number, _safe(values[number].strip(), base)
        for number in _numbers(page, _LISTS, is_image):
            # Any size will do, so take the first. Addresses in such a list contain no blanks.
            yield number, _safe(values[number].split(",")[0].strip().partition(" ")[0], base)


def _safe(address: str, base: str) -> str:
    return safe_url(address, base) if address else ""


def _numbers(page: Page, names: tuple[str, ...], mask: RowMask) -> list[int]:
    """The distinct values that some attributes have on some elements."""
    named = np.isin(page.attribute_name, [ATTRIBUTE_CODES[name] for name in names])
    indexes = np.flatnonzero(named & mask[page.attribute_row])
    numbers: list[int] = np.unique(page.attribute_value.number[indexes]).tolist()
    return numbers


def _around_kept(labelled: LabelledBlocks) -> RowMask:
    """bool: rows from the first to the last kept one, and those around them."""
    page, blocks = labelled.blocks.page, labelled.blocks
    first, last = int(blocks.first_row[labelled.kept[0]]), int(blocks.last_row[list(labelled.kept)].max())
    rows = np.arange(len(page))
    return np.asarray((rows <= last) & (page.subtree_end > first))
