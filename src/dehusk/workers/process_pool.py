"""Run a step over many tasks on this machine, in one process or several."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from dehusk.errors import InvalidSetting
from dehusk.workers.worker_process import end_with_parent

Task = TypeVar("Task")
Result = TypeVar("Result")
Futures = dict[Future[Result], Task]
"""Tasks under way, in their order."""

_WAITING_PER_WORKER: Final = 4
"""Tasks handed out ahead of the results: enough to keep workers busy, few enough to bound memory."""

_KILL_SECONDS: Final = 5.0
"""Patience for a process that was killed; usual are milliseconds."""


def check_jobs(jobs: int) -> None:
    """Refuse a number of tasks at a time that would run none, whichever engine is to run them."""
    if jobs < 1:
        raise InvalidSetting("jobs", f"{jobs} is less than 1", "choose 1 or more")


def run_step(
    step: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, lost: Callable[[Task], Result]
) -> Iterator[Result]:
    """Results in the order of the tasks. `lost` makes the result of a task that killed its worker."""
    return map(step, tasks) if jobs <= 1 else _run(step, tasks, jobs, lost, _first)


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Processes of this machine. They end when the process that started them does, however it ends."""

    jobs: int = 1

    def __post_init__(self) -> None:
        check_jobs(self.jobs)

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Even one job is a process of its own: the result is to be the same, whatever a task does to it."""
        return _run(step, tasks, self.jobs, lost, _done)


def _first(under_way: Futures[Result, Task]) -> Collection[Future[Result]]:
    """In order: the one that was begun first, whose result whoever asks for it will wait for."""
    return [next(iter(under_way))]


def _done(under_way: Futures[Result, Task]) -> Collection[Future[Result]]:
    """In any order: those that are done, as soon as one is."""
    return wait(under_way, return_when=FIRST_COMPLETED).done


def _run(
    step: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    lost: Callable[[Task], Result],
    choose: Callable[[Futures[Result, Task]], Collection[Future[Result]]],
) -> Iterator[Result]:
    remaining = iter(tasks)
    while suspects := (yield from _run_until_broken(step, remaining, jobs, choose)):
        # Some task killed a process and took the others with it; alone, each suspect shows whether it was the one.
        for task in suspects:
            yield _run_alone(step, task, lost)


def _run_until_broken(
    step: Callable[[Task], Result],
    tasks: Iterator[Task],
    jobs: int,
    choose: Callable[[Futures[Result, Task]], Collection[Future[Result]]],
) -> Generator[Result, None, list[Task]]:
    """Results while all processes live; returns the tasks that were under way when one died, in order."""
    under_way: Futures[Result, Task] = {}
    pool = _pool(jobs)
    has_ended = False
    try:
        while True:
            for task in islice(tasks, jobs * _WAITING_PER_WORKER - len(under_way)):
                under_way[pool.submit(step, task)] = task
            if not under_way:
                has_ended = True
                return []
            for future in choose(under_way):
                result = future.result()
                del under_way[future]
                yield result
    except BrokenProcessPool:
        has_ended = True
        return list(under_way.values())
    finally:
        if not has_ended:
            _kill(pool)
        pool.shutdown(wait=has_ended, cancel_futures=True)


def _kill(pool: ProcessPoolExecutor) -> None:
    """An interrupt, or a full disk, does not wait for tasks under way, which may have an hour to go: they can be run
    again. They have ended when this returns, so that nobody writes any more."""
    processes = tuple((pool._processes or {}).values())  # Python 3.14 has `kill_workers`
    for process in processes:
        process.kill()
    for process in processes:
        process.join(_KILL_SECONDS)


def _run_alone(step: Callable[[Task], Result], task: Task, lost: Callable[[Task], Result]) -> Result:
    with _pool(1) as pool:
        try:
            return pool.submit(step, task).result()
        except BrokenProcessPool:
            return lost(task)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: the parent may have threads (progress bars do).
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=end_with_parent)
