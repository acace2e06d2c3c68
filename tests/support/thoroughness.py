"""How much the tests try: by default a spread of the examples, with DEHUSK_TESTS=thorough all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

THOROUGH = os.environ.get("DEHUSK_TESTS", "default") == "thorough"
"""`make test-thorough` sets it."""

_SHARE = 5
"""A default run tries one in so many examples or combinations."""
_FEWEST = 10
"""But no fewer examples of a property than this: the smallest inputs alone take that many."""


Case = TypeVar("Case")


def examples(thorough: int) -> int:
    """The number of examples to try a property on, given the number that a thorough run tries."""
    return thorough if THOROUGH else max(_FEWEST, thorough // _SHARE)


def sized(thorough: int) -> int:
    """The size of a large input, given its size in a thorough run."""
    return thorough if THOROUGH else thorough // _SHARE


def spread(cases: Iterable[Case], step: int = _SHARE) -> list[Case]:
    """All cases of a thorough run; by default one in `step`, the same ones each time."""
    return list(cases)[:: 1 if THOROUGH else step]
