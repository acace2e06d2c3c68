"""SiteCounts <-> named arrays for model files. Arrays are checked on reading: shapes, types, sorted keys."""

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
    """One array of keys and one of counts (or texts) for each table."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, stored in _STORED_NAMES.items():
        table = getattr(counts, name)
        arrays[f"{stored}_keys"], arrays[f"{stored}_values"] = (
            samples_as_arrays(table) if isinstance(table, Samples) else (table.keys, table.counts)
        )
    return arrays


def counts_from_arrays(pages: int, arrays: Arrays) -> SiteCounts:
    """Load stored counts; KeyError or ValueError if the arrays do not hold any."""
    tables = {name: _table(name, arrays) for name in _STORED_NAMES}
    counts = add_counts([SiteCounts(pages=pages, **tables)])
    if any(len(getattr(counts, name)) != len(arrays[f"{_STORED_NAMES[name]}_keys"]) for name in _TALLIES):
        raise ValueError("tables are too large or have duplicate keys")
    if not 0 <= pages <= _MOST_PAGES or any(_pages_counted(counts, name) > pages for name in _TALLIES):
        raise ValueError("page counts are impossible")
    return counts


_STORED_NAMES: Final = {field.name: field.name for field in fields(SiteCounts) if field.name != "pages"} | {
    "positions": "places"
}
"""Table -> its name in model files, where template positions have always been called places."""
_TALLIES = tuple(name for name in _STORED_NAMES if isinstance(getattr(NOTHING_COUNTED, name), Tally))
_MOST_PAGES: Final = 1 << 53
"""Integers up to this are exact as floats, too."""
_DEPTH: Final = 4
"""The key column that holds the depth of a template position."""
_DEEPEST: Final = 4_096
"""Most ancestors of a template position: eight times the default of `Limits.depth`. Trees are built level by level."""


def _pages_counted(counts: SiteCounts, name: str) -> int:
    """The highest page count in a table."""
    return int(getattr(counts, name).counts[:, 2 if name == "features" else 0].max(initial=0))


def _table(name: str, arrays: Arrays) -> Any:
    stored = _STORED_NAMES[name]
    keys, values = arrays[f"{stored}_keys"], arrays[f"{stored}_values"]
    if keys.dtype != np.uint64:
        raise ValueError(f"{stored}: keys are not uint64")
    return _tally(name, keys, values) if name in _TALLIES else samples_from_arrays(keys, values, MOST_SAMPLES)


def _tally(name: str, keys: NDArray[Any], counts: NDArray[Any]) -> Tally:
    like: Tally = getattr(NOTHING_COUNTED, name)
    if counts.dtype != np.int64 or keys.ndim != 2 or counts.ndim != 2:
        raise ValueError(f"{_STORED_NAMES[name]}: counts are not a matrix of int64")
    if (keys.shape[1], counts.shape[1]) != (like.keys.shape[1], like.counts.shape[1]) or len(keys) != len(counts):
        raise ValueError(f"{_STORED_NAMES[name]}: wrong shape")
    if (counts < 0).any() or (counts[:, :1] < (0 if name == "texts" else 1)).any():
        raise ValueError(f"{_STORED_NAMES[name]}: impossible counts")
    if name == "positions" and keys[:, _DEPTH].max(initial=0) > _DEEPEST:
        raise ValueError("places: deeper than a page can be")
    if name == "positions" and (counts[:, 1] > counts[:, 0]).any():
        raise ValueError("places: leaves on more pages than contain them")
    return add_tallies([Tally(keys, counts)], MOST_FEATURES)
