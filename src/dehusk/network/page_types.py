"""The types of pages that the network tells apart."""

from __future__ import annotations

from typing import Final

PAGE_TYPES: Final[tuple[str, ...]] = (
    *("article", "documentation", "forum", "service", "product", "collection", "listing"),
)
"""A service is a page about what somebody offers, a collection shows many products, a listing points to other pages."""
