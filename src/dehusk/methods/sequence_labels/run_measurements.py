"""Measurements of text runs that the features are computed from, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.tag_counts import TagCounts
from dehusk.methods.sequence_labels.text_counts import TextCounts
from dehusk.methods.sequence_labels.text_patterns import bullet_combination, first_date_and_time, first_url
from dehusk.methods.sequence_labels.text_runs import TextRuns
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.tags import TAG_CODES, TAGS

Codes = NDArray[np.uint8]

TAGS_OF_GROUP: Final = {
    "div": "div article section main nav aside header footer".split(),
    "td": "td th".split(),
}
"""Elements whose text runs form a group. The paper has only `<div>` and `<td>`; HTML 5's sections replace `<div>`, and
header cells are used for layout like other cells."""


def _is_any_of(tags: list[str]) -> NDArray[np.bool_]:
    """bool, one entry per tag code; the last stands for every tag outside the table."""
    table = np.zeros(len(TAGS) + 1, dtype=bool)
    table[[TAG_CODES[tag] for tag in tags]] = True
    return table


_IS_IN_GROUP: Final = {group: _is_any_of(tags) for group, tags in TAGS_OF_GROUP.items()}


@dataclass(frozen=True, eq=False)
class Evidence:
    """Measurements with one entry per text run, computed on first use."""

    runs: TextRuns

    def __len__(self) -> int:
        return len(self.runs)

    @cached_property
    def tags(self) -> TagCounts:
        """Tags around and before each text run."""
        return TagCounts(self.runs)

    @cached_property
    def text(self) -> TextCounts:
        """Characters, tokens and sentences."""
        return TextCounts(self.runs)

    @cached_property
    def twin_count(self) -> NDArray[np.int64]:
        """int64: text runs with the same letters, itself included."""
        return np.bincount(self.text.twins)[self.text.twins] if len(self) else np.zeros(0, dtype=np.int64)

    @cached_property
    def is_first_twin(self) -> NDArray[np.bool_]:
        """bool: the first of two or more text runs with the same letters."""
        twins = self.text.twins
        # Sets of twins are numbered by their first members, so the first member of a set has a new highest number.
        is_first = np.diff(np.maximum.accumulate(twins), prepend=-1) > 0
        return is_first & (self.twin_count > 1)

    @cached_property
    def url(self) -> Codes:
        """uint8: see `text_patterns.first_url`."""
        candidates = np.flatnonzero(self.text.has_joint)
        return self._spread(candidates, first_url(self._texts(candidates)))

    @cached_property
    def date_and_time(self) -> tuple[Codes, Codes]:
        """uint8: see `text_patterns.first_date_and_time`."""
        # Bare numbers, common in calendars and menus, are neither.
        candidates = np.flatnonzero((self.text.digits > 0) & (self.text.digits < self.text.characters))
        first_digit = self.text.first_digit[candidates].tolist()
        date, time = first_date_and_time(self._texts(candidates), first_digit)
        return self._spread(candidates, date), self._spread(candidates, time)

    @cached_property
    def bullet(self) -> Codes:
        """uint8: see `text_patterns.bullet_combination`."""
        candidates = np.flatnonzero(self.text.may_be_bullet)
        return self._spread(candidates, bullet_combination(self._texts(candidates)))

    def _texts(self, candidates: NDArray[np.intp]) -> list[str]:
        """The texts that could match; searching all of them would take most of the time."""
        return list(map(self.runs.texts.__getitem__, candidates.tolist()))

    def _spread(self, candidates: NDArray[np.intp], found: Codes) -> Codes:
        column = np.zeros(len(self), dtype=np.uint8)
        column[candidates] = found
        return column

    @cached_property
    def div_share(self) -> NDArray[np.float64]:
        """float64: the share of all words outside links that is in the same div-group."""
        return self._group_share("div")

    @cached_property
    def td_share(self) -> NDArray[np.float64]:
        """float64: the share of all words outside links that is in the same td-group."""
        return self._group_share("td")

    def _group_share(self, group: str) -> NDArray[np.float64]:
        rows = group_rows(self.runs.blocks.page, group, self.runs.row)
        return share_of_group(rows, self._words_outside_links)

    @cached_property
    def _words_outside_links(self) -> NDArray[np.int64]:
        return np.where(self.tags.around("a") > 0, 0, self.text.words)


def group_rows(page: Page, group: str, rows: Rows) -> Rows:
    """int32: the closest `<div>` or `<td>`-like element around each row; -1 if there is none."""
    return closest_around(page, _IS_IN_GROUP[group].take(page.tag, mode="clip"), rows)


def closest_around(page: Page, mask: RowMask, rows: Rows) -> Rows:
    """int32: the closest masked element around each text row; -1 if there is none.

    The cost does not depend on depth. Starts and ends of the masked elements cut the page into intervals; the closest
    element of an interval is the last masked element that started at the same depth.
    """
    starts = np.flatnonzero(mask)
    if not len(starts):
        return np.full(len(rows), -1, dtype=np.int32)
    # At the same row, ends come before starts.
    bounds = np.concatenate((2 * starts + 1, 2 * page.subtree_end[starts].astype(np.int64)))
    order = bounds.argsort(kind="stable")
    is_start = order < len(starts)
    depth = np.where(is_start, 1, -1).cumsum()
    by_depth = depth.argsort(kind="stable")
    # At every depth but 0 the first interval follows a start.
    last_start = np.maximum.accumulate(np.where(is_start[by_depth], np.arange(len(order)), 0))
    closest = np.empty(len(order) + 1, dtype=np.int32)
    closest[by_depth] = starts[order[by_depth[last_start]] % len(starts)]
    closest[:-1][depth == 0] = -1
    closest[-1] = -1  # before the first interval
    return closest[bounds[order].searchsorted(2 * rows.astype(np.int64) + 1, side="right") - 1]


def share_of_group(group: Rows, size: NDArray[np.number[Any]]) -> NDArray[np.float64]:
    """float64: the share of the total size that is in the same group; 0 where there is no group (-1)."""
    sums = np.bincount(group + 1, weights=size, minlength=1)
    total = sums.sum()
    sums[0] = 0
    return np.asarray(sums[group + 1] / max(total, 1))
