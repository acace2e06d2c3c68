"""Every column of a page or its blocks, those included that nobody has asked for yet."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.native.calls import Column
from dehusk.page.page_columns import Page

_OFFSETS = ("text_start", "text_end")
"""Columns of a page that are computed when they are asked for."""


def all_columns(owner: Page | Blocks) -> dict[str, NDArray[Any]]:
    """The columns by name, and the arrays derived from them so far."""
    names = [name for name, found in vars(type(owner)).items() if isinstance(found, Column)]
    for name in (*names, *(_OFFSETS if isinstance(owner, Page) else ())):
        getattr(owner, name)
    return {name: value for name, value in vars(owner).items() if isinstance(value, np.ndarray)}


def same_page(one: Page, other: Page) -> bool:
    """Whether two pages agree in all columns and all that is known of them."""
    columns, others = all_columns(one), all_columns(other)
    told = [(page.url, page.name, page.encoding, page.encoding_reason, page.damage) for page in (one, other)]
    strings = [(page.text, [*page.attribute_value], page.other_tags, page.embedded) for page in (one, other)]
    is_same = {name: np.array_equal(column, others[name]) for name, column in columns.items() if name in others}
    return told[0] == told[1] and strings[0] == strings[1] and all(is_same.values())
