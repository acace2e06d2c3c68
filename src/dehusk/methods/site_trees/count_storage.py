"""SiteCounts <-> named arrays, for model files. What is read is checked: shapes, types, and that keys are sorted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.key_samples import MOST_SAMPLES, Samples, samples_as_arrays, samples_from_arrays
from dehusk.methods.site_trees.site_counts import MOST_FEATURES, NOTHING_COUNTED, SiteCounts, add_counts
from dehusk.methods.tallies import Tally, add_tallies

Arrays = Mapping[str, NDArray[Any]]


def counts_as_arrays(counts: SiteCounts) -> Arrays:
    """One array for keys and one for numbers (or texts) of each table."""
    arrays: dict[str, NDArray[Any]] = {}
    for name in _TABLES:
        table = getattr(counts, name)
        arrays[f"{name}_keys"], arrays[f"{name}_values"] = (
            samples_as_arrays(table) if isinstance(table, Samples) else (table.keys, table.counts)
        )
    return arrays


def counts_from_arrays(pages: int, arrays: Arrays) -> SiteCounts:
    """The counts that were stored; KeyError or ValueError if the arrays are not such."""
    tables = {name: _table(name, arrays) for name in _TABLES}
    counts = add_counts([SiteCounts(pages=pages, **tables)])
    if any(len(getattr(counts, name)) != len(arrays[f"{name}_keys"]) for name in _TALLIES):
        raise ValueError("tables are larger than they can be, or not tables")
    if not 0 <= pages <= _MOST_PAGES or any(_pages_counted(counts, name) > pages for name in _TALLIES):
        raise ValueError("pages are counted that cannot be")
    return counts


_TABLES = tuple(field.name for field in fields(SiteCounts) if field.name != "pages")
_TALLIES = tuple(name for name in _TABLES if isinstance(getattr(NOTHING_COUNTED, name), Tally))
_MOST_PAGES: Final = 1 << 53
"""Numbers up to this are exact as floats, too."""


_DEPTH: Final = 4
"""Which part of the key of a place is its depth."""
_DEEPEST: Final = 4_096
"""Ancestors of a place: eight times what `Limits.depth` allows by default. Trees are grown level by level."""


def _pages_counted(counts: SiteCounts, name: str) -> int:
    """The most pages that a table counts for one key."""
    return int(getattr(counts, name).counts[:, 2 if name == "features" else 0].max(initial=0))


def _table(name: str, arrays: Arrays) -> Any:
    keys, values = arrays[f"{name}_keys"], arrays[f"{name}_values"]
    if keys.dtype != np.uint64:
        raise ValueError(f"{name} has keys of another type")
    return _tally(name, keys, values) if name in _TALLIES else samples_from_arrays(keys, values, MOST_SAMPLES)


def _tally(name: str, keys: NDArray[Any], counts: NDArray[Any]) -> Tally:
    like: Tally = getattr(NOTHING_COUNTED, name)
    if counts.dtype != np.int64 or keys.ndim != 2 or counts.ndim != 2:
        raise ValueError(f"{name} is of another type")
    if (keys.shape[1], counts.shape[1]) != (like.keys.shape[1], like.counts.shape[1]) or len(keys) != len(counts):
        raise ValueError(f"{name} is of another shape")
    if (counts < 0).any() or (counts[:, :1] < (0 if name == "texts" else 1)).any():
        raise ValueError(f"{name} has counts that cannot be")
    if name == "places" and keys[:, _DEPTH].max(initial=0) > _DEEPEST:
        raise ValueError("places are deeper than a page can be")
    if name == "places" and (counts[:, 1] > counts[:, 0]).any():
        raise ValueError("places are leaves on more pages than they are on")
    return add_tallies([Tally(keys, counts)], MOST_FEATURES)
