"""Which pages train and which test: the three configurations of Yi, Liu & Li (2003, section 4.2.2).

Two classes C1 and C2; training pages of C1 come from one site i, those of C2 from one site j.

1. i = j; test on C1 and C2 of the other sites.
2. i is not j; test on C1 and C2 of the sites that are neither.
3. i is not j; test on all C1 and C2 pages but those of training, so on the same sites, too.

Yi & Liu (2003) train on "two classes of pages from different Web sites" and test on "the other Web sites": that is
configuration 2. An experiment is possible if both classes have pages to train with and to test on.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
CONFIGURATIONS: Final = (1, 2, 3)
EXPLAINED: Final = {
    1: "both classes of one site; test on the other sites",
    2: "a class each of two sites; test on the other sites",
    3: "a class each of two sites; test on all other pages",
}


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Rows of pages: those of each class to train with, and those to test on."""

    first: Rows
    second: Rows
    test: Rows


@dataclass(frozen=True, eq=False)
class Pages:
    """The class and the site of each page, as names; arrays of str."""

    labels: NDArray[np.str_]
    sites: NDArray[np.str_]

    @classmethod
    def of(cls, labels: Sequence[str], sites: Sequence[str]) -> Pages:
        return cls(np.array(labels, dtype=np.str_), np.array(sites, dtype=np.str_))


def splits(pages: Pages, pair: tuple[str, str], configuration: int, most: int, seed: int) -> tuple[list[Split], int]:
    """The possible experiments on two classes, or `most` of them chosen by chance; and how many are possible."""
    first, second = (sorted(set(pages.sites[pages.labels == name].tolist())) for name in pair)
    combinations = [(i, j) for i, j in product(first, second) if (i == j) == (configuration == 1)]
    possible = [split for i, j in combinations if (split := _split(pages, pair, (i, j), configuration))]
    if len(possible) <= most:
        return possible, len(possible)
    chosen = random.Random(f"{seed} {configuration} {pair}").sample(range(len(possible)), most)
    return [possible[number] for number in sorted(chosen)], len(possible)


def _split(pages: Pages, pair: tuple[str, str], sites: tuple[str, str], configuration: int) -> Split | None:
    is_first, is_second = (pages.labels == name for name in pair)
    first, second = is_first & (pages.sites == sites[0]), is_second & (pages.sites == sites[1])
    seen = first | second if configuration == 3 else np.isin(pages.sites, sites)
    test = (is_first | is_second) & ~seen
    if not (is_first & test).any() or not (is_second & test).any():
        return None
    return Split(np.flatnonzero(first), np.flatnonzero(second), np.flatnonzero(test))
