"""What the features are computed from, each part once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.run_groups import group_rows, share_of_group
from dehusk.methods.sequence_labels.tag_counts import TagCounts
from dehusk.methods.sequence_labels.text_counts import TextCounts
from dehusk.methods.sequence_labels.text_patterns import bullet_combination, first_date_and_time, first_url
from dehusk.methods.sequence_labels.text_runs import Pieces

Codes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Columns of some pieces, computed when a feature first asks for them; one entry a piece."""

    pieces: Pieces

    def __len__(self) -> int:
        return len(self.pieces)

    @cached_property
    def tags(self) -> TagCounts:
        """Tags around and before each piece."""
        return TagCounts(self.pieces)

    @cached_property
    def text(self) -> TextCounts:
        """Characters, tokens and sentences."""
        return TextCounts(self.pieces)

    @cached_property
    def twin_count(self) -> NDArray[np.int64]:
        """int64: pieces with the same letters, itself included."""
        return np.bincount(self.text.twins)[self.text.twins] if len(self) else np.zeros(0, dtype=np.int64)

    @cached_property
    def is_first_twin(self) -> NDArray[np.bool_]:
        """bool: the first of two or more pieces with the same letters."""
        twins = self.text.twins
        # Sets of twins are numbered in the order of their first pieces: a first piece has a number above all before.
        is_first = np.diff(np.maximum.accumulate(twins), prepend=-1) > 0
        return is_first & (self.twin_count > 1)

    @cached_property
    def url(self) -> Codes:
        """uint8: see `patterns.first_url`."""
        candidates = np.flatnonzero(self.text.has_joint)
        return self._spread(candidates, first_url(self._texts(candidates)))

    @cached_property
    def date_and_time(self) -> tuple[Codes, Codes]:
        """uint8: see `patterns.first_date_and_time`."""
        # Numbers alone, of which calendars and menus are full, are neither.
        candidates = np.flatnonzero((self.text.digits > 0) & (self.text.digits < self.text.characters))
        first_digit = self.text.first_digit[candidates].tolist()
        date, time = first_date_and_time(self._texts(candidates), first_digit)
        return self._spread(candidates, date), self._spread(candidates, time)

    @cached_property
    def bullet(self) -> Codes:
        """uint8: see `patterns.bullet_combination`."""
        candidates = np.flatnonzero(self.text.may_be_bullet)
        return self._spread(candidates, bullet_combination(self._texts(candidates)))

    def _texts(self, candidates: NDArray[np.intp]) -> list[str]:
        """Texts that could match at all: looking at all of them would take most of the time."""
        return list(map(self.pieces.texts.__getitem__, candidates.tolist()))

    def _spread(self, candidates: NDArray[np.intp], found: Codes) -> Codes:
        column = np.zeros(len(self), dtype=np.uint8)
        column[candidates] = found
        return column

    @cached_property
    def div_share(self) -> NDArray[np.float64]:
        """float64: the part of all words outside links that is in the same div-group."""
        return self._group_share("div")

    @cached_property
    def td_share(self) -> NDArray[np.float64]:
        """float64: the part of all words outside links that is in the same td-group."""
        return self._group_share("td")

    def _group_share(self, group: str) -> NDArray[np.float64]:
        rows = group_rows(self.pieces.blocks.page, group, self.pieces.row)
        return share_of_group(rows, self._words_outside_links)

    @cached_property
    def _words_outside_links(self) -> NDArray[np.int64]:
        return np.where(self.tags.around("a") > 0, 0, self.text.words)
