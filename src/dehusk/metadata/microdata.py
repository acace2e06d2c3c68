"""Microdata (`itemscope`, `itemprop`) -> nodes in the form of JSON-LD."""

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
"""Properties whose value is a URL; the value of all others is the text, even of a link."""
_MANY: Final = frozenset({"keywords", "articleSection"})
"""Properties that may repeat outside of an item. (Authors may as well, but so do those of teasers.)"""
_LOOSE: Final = frozenset({"name", "url", "image", "title"})
"""Properties that mean nothing outside of an item."""
_OF_LISTS: Final = frozenset({"itemListElement", "item", "position", "title"})
_KNOWN: Final = _ADDRESSES | _OF_LISTS | SCHEMA_ORG.keys()
_HOLDING_TEXT: Final = ("content", "datetime")
_HOLDING_ADDRESS: Final = ("content", "href", "src", "data-src")


def microdata_nodes(page: Page) -> list[Node]:
    """The items of a page; nested items are also values of the outer ones. The last node has the loose properties."""
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
            # The properties of a nested item are added to it later.
            value = items[row] if row in items else _value(page, row, name) if name in _KNOWN else ""
            if name in _KNOWN and value != "":
                items.get(owner, loose).setdefault(name, []).append(value)
    # Repeated properties describe several things, and a loose name could be anyone's.
    telling = {
        name: values for name, values in loose.items() if name in _MANY or (name not in _LOOSE and len(values) == 1)
    }
    return [*items.values(), *([{"@type": "WebPage", **telling}] if telling else [])]


def _value(page: Page, row: int, name: str) -> str:
    attributes = page.attributes(row)
    holding = _HOLDING_ADDRESS if name in _ADDRESSES else _HOLDING_TEXT
    return next((attributes[one] for one in holding if attributes.get(one)), "") or shown_text(page, row)
