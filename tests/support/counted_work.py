"""Work counted instead of timed: the lines of Python that run, the same number each time and on every machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

_LINEAR = 2.5
"""Twice the input adds twice the work, four times if it is quadratic; sorting takes a little more than twice."""
_SLACK = 500
"""Lines; what odd sizes and limits cost once."""


def count_lines(work: Callable[[], object]) -> int:
    """The lines of Python that work runs, a line of a loop each time. What happens inside C code is not seen."""
    return count_lines_of_functions(work).total()


def count_lines_of_functions(work: Callable[[], object]) -> Counter[CodeType]:
    """The same lines, by the function that they are in."""
    counted: Counter[CodeType] = Counter()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        counted[frame.f_code] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def assert_grows_in_step(make_work: Callable[[int], Callable[[], object]], size: int) -> None:
    """Work grows with its size and not with the square of it, by what a quarter, a half and the whole of it take.

    Differences are compared, so that what every size takes does not hide how the rest grows.
    """
    sizes = [max(1, size // 4), max(2, size // 2), max(4, size)]
    make_work(sizes[0])()  # whatever is imported or prepared once
    counts = {each: count_lines(make_work(each)) for each in sizes}
    quarter, half, whole = counts.values()
    assert whole - half <= _LINEAR * max(0, half - quarter) + _SLACK, counts
