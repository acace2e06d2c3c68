"""The style tree of a site as a listing short enough to read.

* It is the *simplified* tree (Yi, Liu & Li 2003, section 3.4): nothing new is found below maximal noisy and maximal
  meaningful elements.
* Siblings with the same label and mark are *folded* into one line, and so are their children. Mixed ones are folded
  only if there are many: the differences between the three mixed `div` of a layout are of interest.
* *Chains* are joined where each element is the only child of the one before.
* Counts do not record document order. Siblings are sorted by number of pages, the most common first, then by
  importance, the highest first, then by label.
* Rare template positions and, in giant trees, the rarest lines are left out. An element is on at least as many pages as
  its descendants, so every line keeps its parent line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.inspection.outline_lines import Line, Mark
from dehusk.methods.site_trees.importance import SiteTree
from dehusk.methods.site_trees.style_tree import StyleTreeModel

_FEWEST_FOLDED: Final = {Mark.NOISY: 2, Mark.MEANINGFUL: 2, Mark.MIXED: 6}
"""Least number of similar siblings that are folded into one line."""
_MOST_SAMPLES: Final = 3
_MOST_SEARCHED: Final = 100
"""Template positions searched for a sample of an element's text: a line must not cost a walk over the whole tree."""
_UNNAMED: Final = "element"
"""On giant sites not every template position has a label."""
_FEW_PAGES: Final = 10
"""With fewer pages, a template position on one page may be typical; with more, it is specific to that page."""

Group = Sequence[int]
"""Indices in the tree that share a line."""


@dataclass(frozen=True, slots=True)
class View:
    """Which part of the tree to list."""

    whole: bool = False
    """The whole tree instead of the simplified one."""
    depth: int | None = None
    """Levels of lines; None for all."""
    fewest: int | None = None
    """Template positions on fewer pages are hidden; None for a default that depends on the number of pages."""
    most: int = 5_000
    """Most lines."""

    def fewest_of(self, pages: int) -> int:
        """`fewest`, or the default for a site of so many pages."""
        return self.fewest if self.fewest is not None else 1 if pages < _FEW_PAGES else 2


@dataclass(frozen=True, slots=True)
class Listed:
    """Lines, and the numbers of template positions left out."""

    lines: tuple[Line, ...]
    simplified: int
    """Inside noisy or meaningful elements."""
    rare: int
    """On too few pages."""
    deep: int
    """Below the deepest requested level."""
    surplus: int
    """In lines beyond the maximum."""


def list_positions(model: StyleTreeModel, view: View) -> Listed:
    """List the template positions of a model."""
    tree = model.tree
    wanted = np.ones(len(tree.key), dtype=bool) if view.whole else model.marks.simplified
    shown = wanted & (tree.pages >= view.fewest_of(model.pages))
    growing = _Growing(model, shown, view.depth)
    lines = list(growing.lines())
    kept = _most_common(lines, view.most)
    positions = [sum(line.positions for line in some) for some in (lines, kept)]
    return Listed(
        lines=tuple(kept),
        simplified=int((~wanted).sum()),
        rare=int((wanted & ~shown).sum()),
        deep=int(shown.sum()) - positions[0],
        surplus=positions[0] - positions[1],
    )


class _Growing:
    """Builds lines from the root down."""

    def __init__(self, model: StyleTreeModel, shown: NDArray[np.bool_], depth: int | None) -> None:
        self._model = model
        self._tree = model.tree
        self._shown = shown
        self._depth = depth
        self._label = model.merged_counts.labels.texts_of(model.merged_counts.positions.keys[:, 3])
        self._sample = model.merged_counts.sample_texts.texts_of(self._tree.key)
        self._below = _number_below(self._tree)

    def lines(self) -> Iterator[Line]:
        """All lines, depth first, with an explicit stack so that no tree is too deep."""
        roots = [root for root in np.flatnonzero(self._tree.parent < 0).tolist() if self._shown[root]]
        waiting = [(0, group) for group in reversed(self._fold(roots))]
        while waiting:
            level, group = waiting.pop()
            chain = [group, *self._chain_below(group)]
            below = self._groups_below(chain[-1])
            if self._depth is not None and level + 1 >= self._depth:
                below = []
            yield self._line(level, chain, is_end=not below)
            waiting += [(level + 1, part) for part in reversed(below)]

    def _line(self, level: int, chain: Sequence[Group], is_end: bool) -> Line:
        tree, last = self._tree, chain[-1]
        at = np.array(last)
        hidden = sum(self._hidden_in(position) for group in chain for position in group)
        if is_end:
            hidden = sum(self._below[position] for position in chain[0]) - sum(map(len, chain[1:]))
        return Line(
            level=level,
            labels=tuple(self._label_of(group[0]) for group in chain),
            count=len(last),
            mark=self._mark(last[0]),
            importance=(float(tree.composite[at].min()), float(tree.composite[at].max())),
            pages=(int(tree.pages[at].min()), int(tree.pages[at].max())),
            samples=self._samples(last, is_end),
            hidden=hidden,
        )

    def _chain_below(self, group: Group) -> Iterator[Group]:
        """The groups that continue a line: one child for each element, on the same pages, with the same mark."""
        while len(below := self._groups_below(group)) == 1 and self._continues(group, below[0]):
            group = below[0]
            yield group

    def _continues(self, group: Group, below: Group) -> bool:
        tree = self._tree
        one_each = {int(tree.parent[position]) for position in below} == set(group) and len(below) == len(group)
        same_pages = all(tree.pages[position] == tree.pages[tree.parent[position]] for position in below)
        return one_each and same_pages and self._mark(group[0]) is self._mark(below[0])

    def _groups_below(self, group: Group) -> list[Group]:
        return self._fold([child for position in group for child in self._children[position] if self._shown[child]])

    def _fold(self, positions: Group) -> list[Group]:
        """Group indices by label and mark, in display order."""
        alike: dict[tuple[str, Mark], list[int]] = {}
        for position in positions:
            alike.setdefault((self._label_of(position), self._mark(position)), []).append(position)
        groups: list[Group] = []
        for (_, mark), group in alike.items():
            groups += [group] if len(group) >= _FEWEST_FOLDED[mark] else [[position] for position in group]
        return sorted(groups, key=self._order)

    def _order(self, group: Group) -> tuple[int, float, str]:
        tree, at = self._tree, np.array(group)
        return -int(tree.pages[at].max()), -float(tree.composite[at].max()), self._label_of(group[0])

    def _label_of(self, position: int) -> str:
        return self._label[position] or _UNNAMED

    def _mark(self, position: int) -> Mark:
        marks = self._model.marks
        if marks.noisy[position]:
            return Mark.NOISY
        return Mark.MEANINGFUL if marks.meaningful[position] else Mark.MIXED

    @cached_property
    def _children(self) -> list[list[int]]:
        """The children of each template position, the most common first."""
        children: list[list[int]] = [[] for _ in self._tree.key]
        for position in np.argsort(-self._tree.pages, kind="stable").tolist():
            if self._tree.parent[position] >= 0:
                children[int(self._tree.parent[position])].append(position)
        return children

    def _hidden_in(self, position: int) -> int:
        """The number of template positions below one that are not shown, with everything below those."""
        return sum(1 + self._below[child] for child in self._children[position] if not self._shown[child])

    def _samples(self, group: Group, with_below: bool) -> tuple[str, ...]:
        """Some different sample texts, also from below if nothing there is shown."""
        found: dict[str, None] = {}
        waiting = sorted(group, key=lambda position: -int(self._tree.pages[position]))
        for number, position in enumerate(waiting):  # grows while iterating
            if self._sample[position]:
                found[self._sample[position]] = None
            if with_below and len(waiting) < _MOST_SEARCHED:
                waiting += self._children[position]
            if len(found) == _MOST_SAMPLES or number >= _MOST_SEARCHED:
                break
        return tuple(found)


def _number_below(tree: SiteTree) -> list[int]:
    """The number of template positions below each, at any depth."""
    below = np.zeros(len(tree.key), dtype=np.int64)
    for depth in np.unique(tree.depth)[::-1].tolist():
        level = np.flatnonzero((tree.depth == depth) & (tree.parent >= 0))
        np.add.at(below, tree.parent[level], below[level] + 1)
    return [int(number) for number in below.tolist()]


def _most_common(lines: Sequence[Line], most: int) -> list[Line]:
    """The lines on the most pages, higher levels first; lines left out are added to `hidden` of the line above."""
    order = sorted(range(len(lines)), key=lambda number: (-lines[number].pages[1], lines[number].level))
    chosen = set(order[:most])
    hidden = dict.fromkeys(sorted(chosen), 0)
    path: list[int] = []
    for number, line in enumerate(lines):
        while path and lines[path[-1]].level >= line.level:
            path.pop()
        if number in chosen:
            path.append(number)
        elif path:
            hidden[path[-1]] += line.positions + line.hidden
    return [replace(lines[number], hidden=lines[number].hidden + more) for number, more in hidden.items()]
