"""Blocks -> Scores. METHODS: one line per method."""

from __future__ import annotations

from typing import Final

from dehusk.methods.base import Method
from dehusk.methods.satisfiable_subtree import SatisfiableSubtree

METHODS: Final[dict[str, type[Method]]] = {
    SatisfiableSubtree.name: SatisfiableSubtree,
}

DEFAULT_METHOD: Final = SatisfiableSubtree.name
