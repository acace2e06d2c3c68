"""The style tree of a site as JSON nodes, a part at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from dehusk.inspection.outline_lines import Mark
from dehusk.methods.site_trees.style_tree import StyleTreeModel
from dehusk.webapp.api_errors import not_found

MOST_CHILDREN: Final = 100
"""Children of a node in one response."""
_MOST_SAMPLES: Final = 3
_MOST_SEARCHED: Final = 60
"""Template positions below a node that are searched for sample texts."""


@dataclass(frozen=True, eq=False)
class TreeView:
    """The nodes of a model. Their ids are keys of template positions, and stay the same when a site is learnt again."""

    model: StyleTreeModel

    def root(self) -> dict[str, Any] | None:
        """The root with two levels of children; None if nothing is learnt."""
        return self.node(int(np.argmin(self.model.tree.depth)), levels=2) if self.positions else None

    @property
    def positions(self) -> int:
        """Number of template positions."""
        return len(self.model.tree.key)

    def find(self, identifier: str) -> int:
        """Index of the node with an id."""
        try:
            key = np.uint64(int(identifier, 16))
        except (ValueError, OverflowError) as error:
            raise not_found("node") from error
        position = int(self.model.tree.find(np.array([key]))[0])
        if position < 0:
            raise not_found("node")
        return position

    def node(self, position: int, levels: int, offset: int = 0) -> dict[str, Any]:
        """A Node of docs/webapp.md, with this many levels of children."""
        tree, children = self.model.tree, self._children[position]
        shown = children[offset : offset + MOST_CHILDREN]
        return {
            "id": f"{int(tree.key[position]):016x}",
            "label": self._labels[position] or "element",
            "mark": self._mark(position).value,
            "importance": round(float(tree.composite[position]), 4),
            "own_importance": round(float(tree.node[position]), 4),
            "pages": int(tree.pages[position]),
            "leaf_pages": int(tree.leaf_pages[position]),
            "depth": int(tree.depth[position]),
            "samples": self._samples_of(position),
            "below": int(self._below[position]),
            "children_total": len(children),
            "children": [self.node(child, levels - 1) for child in shown]
            if levels and shown
            else ([] if not children else None),
        }

    def ancestors(self, position: int) -> list[str]:
        """Ids of the ancestors, from the root down."""
        found, tree = [], self.model.tree
        while (position := int(tree.parent[position])) >= 0:
            found.append(f"{int(tree.key[position]):016x}")
        return found[::-1]

    def _mark(self, position: int) -> Mark:
        if self.model.marks.noisy[position]:
            return Mark.NOISY
        return Mark.MEANINGFUL if self.model.marks.meaningful[position] else Mark.MIXED

    def _samples_of(self, position: int) -> list[str]:
        """A few distinct sample texts, from the node or below it."""
        found: dict[str, None] = {}
        waiting = [position]
        for number, node in enumerate(waiting):  # grows during the loop
            if self._texts[node]:
                found[self._texts[node]] = None
            if len(waiting) < _MOST_SEARCHED:
                waiting += self._children[node][:_MOST_SEARCHED]
            if len(found) == _MOST_SAMPLES or number >= _MOST_SEARCHED:
                break
        return list(found)

    @cached_property
    def _labels(self) -> Sequence[str]:
        counts = self.model.merged_counts
        return counts.labels.texts_of(counts.positions.keys[:, 3])

    @cached_property
    def _texts(self) -> Sequence[str]:
        return self.model.merged_counts.sample_texts.texts_of(self.model.tree.key)

    @cached_property
    def _children(self) -> list[list[int]]:
        """The children of each node, those on the most pages first."""
        tree = self.model.tree
        children: list[list[int]] = [[] for _ in tree.key]
        for position in np.lexsort((-tree.composite, -tree.pages)).tolist():
            if tree.parent[position] >= 0:
                children[int(tree.parent[position])].append(position)
        return children

    @cached_property
    def _below(self) -> Sequence[int]:
        """Number of descendants of each node."""
        tree = self.model.tree
        below = np.zeros(len(tree.key), dtype=np.int64)
        for depth in np.unique(tree.depth)[::-1].tolist():
            level = np.flatnonzero((tree.depth == depth) & (tree.parent >= 0))
            np.add.at(below, tree.parent[level], below[level] + 1)
        found: list[int] = below.tolist()
        return found
