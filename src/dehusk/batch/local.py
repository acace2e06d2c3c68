"""Run a step over many tasks on this machine, in one process or several."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

_WAITING_PER_WORKER = 4
"""Tasks handed out ahead of the results: enough to keep workers busy, few enough to bound memory."""


def run_step(
    step: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, lost: Callable[[Task], Result]
) -> Iterator[Result]:
    """Results in the order of the tasks. `lost` makes the result of a task that killed its worker."""
    if jobs <= 1:
        yield from map(step, tasks)
        return
    remaining = iter(tasks)
    while suspects := (yield from _run_until_broken(step, remaining, jobs)):
        # Some task killed a worker and took the pool with it; alone, each suspect shows whether it was the one.
        for task in suspects:
            yield _run_alone(step, task, lost)


def _run_until_broken(
    step: Callable[[Task], Result], tasks: Iterator[Task], jobs: int
) -> Generator[Result, None, list[Task]]:
    """Results while the pool lives; returns the tasks that were under way when it broke, in order."""
    under_way: deque[Task] = deque()
    waiting: deque[Future[Result]] = deque()
    with _pool(jobs) as pool:
        try:
            while True:
                for task in islice(tasks, jobs * _WAITING_PER_WORKER - len(waiting)):
                    under_way.append(task)
                    waiting.append(pool.submit(step, task))
                if not waiting:
                    return []
                result = waiting.popleft().result()
                under_way.popleft()
                yield result
        except BrokenProcessPool:
            return list(under_way)


def _run_alone(step: Callable[[Task], Result], task: Task, lost: Callable[[Task], Result]) -> Result:
    with _pool(1) as pool:
        try:
            return pool.submit(step, task).result()
        except BrokenProcessPool:
            return lost(task)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: the parent may have threads (progress bars do).
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
