"""Microdata (`itemscope`, `itemprop`) -> nodes of the same form as those of JSON-LD."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np

from dehusk.metadata.value_texts import shown_text
from dehusk.metadata.vocabularies import SCHEMA_ORG
from dehusk.page.json_ld import MOST_NODES, Node
from dehusk.page.page_columns import Page

_ADDRESSES: Final = frozenset(
    {"url", "contentUrl", "image", "thumbnailUrl", "primaryImageOfPage", "mainEntityOfPage", "license", "item"}
)
"""Properties whose value is where an element leads; of all others it is what it says, also if it leads somewhere."""
_MANY: Final = frozenset({"keywords", "articleSection"})
"""Properties of which one page may have several. (So it may authors, but as many teasers have theirs.)"""
_LOOSE: Final = frozenset({"name", "url", "image", "title"})
"""Properties that say nothing without knowing of what."""
_OF_LISTS: Final = frozenset({"itemListElement", "item", "position", "title"})
_KNOWN: Final = _ADDRESSES | _OF_LISTS | SCHEMA_ORG.keys()
_HOLDING_TEXT: Final = ("content", "datetime")
_HOLDING_ADDRESS: Final = ("content", "href", "src", "data-src")


def microdata_nodes(page: Page) -> list[Node]:
    """The items of a page; those inside others are their values, too. Properties without an item are the last node."""
    scopes = np.zeros(len(page), dtype=bool)
    scopes[[row for row, _ in page.with_attribute("itemscope")]] = True
    properties = list(islice(page.with_attribute("itemprop"), MOST_NODES))
    rows = np.array([row for row, _ in properties], dtype=np.int32)
    owners = page.climb(page.parent[rows], scopes).tolist() if len(rows) else []
    items: dict[int, Node] = {row: {} for row in np.flatnonzero(scopes)[:MOST_NODES].tolist()}
    for row, item_type in page.with_attribute("itemtype"):
        if row in items:
            items[row]["@type"] = item_type.split()
    loose: Node = {}
    for (row, names), owner in zip(properties, owners, strict=True):
        for name in names.split()[:4]:
            # An item fills as its own properties come along.
            value = items[row] if row in items else _value(page, row, name) if name in _KNOWN else ""
            if name in _KNOWN and value != "":
                items.get(owner, loose).setdefault(name, []).append(value)
    # What is there several times is about several things, and a name could be anybody's.
    telling = {
        name: values for name, values in loose.items() if name in _MANY or (name not in _LOOSE and len(values) == 1)
    }
    return [*items.values(), *([{"@type": "WebPage", **telling}] if telling else [])]


def _value(page: Page, row: int, name: str) -> str:
    attributes = page.attributes(row)
    holding = _HOLDING_ADDRESS if name in _ADDRESSES else _HOLDING_TEXT
    return next((attributes[one] for one in holding if attributes.get(one)), "") or shown_text(page, row)
