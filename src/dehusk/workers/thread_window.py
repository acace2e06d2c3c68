"""Steps on threads: results in the order of the tasks, and only so many tasks at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

_WAITING: Final = 4
"""Tasks for each thread that are taken before the first result is: so threads have work while the caller is busy, and
as few pages as possible are in memory."""


def available_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_in_order(step: Callable[[Task], Result], tasks: Iterable[Task], threads: int) -> Iterator[Result]:
    """The result of each task, in order. A step that raises ends the run, and so does closing the iterator.

    Tasks are taken in the caller's thread. One thread runs the steps there, too.
    """
    if threads == 1:
        yield from map(step, tasks)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="dehusk") as pool:
        try:
            for task in tasks:
                waiting.append(pool.submit(step, task))
                if len(waiting) == _WAITING * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # What has begun is waited for: a few pages.
            pool.shutdown(wait=False, cancel_futures=True)
