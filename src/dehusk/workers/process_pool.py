"""Run a step over many tasks, in one process or several on this machine."""

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
"""Running tasks, in order."""

_WAITING_PER_WORKER: Final = 4
"""Tasks handed out ahead of the results: enough to keep workers busy, few enough to bound memory."""

_KILL_SECONDS: Final = 5.0
"""Time limit for a killed process to end; usually it takes milliseconds."""


def check_jobs(jobs: int) -> None:
    """Refuse less than one job."""
    if jobs < 1:
        raise InvalidSetting("jobs", f"{jobs} is less than 1", "choose 1 or more")


def run_step(
    step: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, lost: Callable[[Task], Result]
) -> Iterator[Result]:
    """Results in the order of the tasks; `lost` makes the result of a task that killed its process."""
    return map(step, tasks) if jobs <= 1 else _run(step, tasks, jobs, lost, _first)


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Runs tasks in processes on this machine, which end with the process that started them."""

    jobs: int = 1

    def __post_init__(self) -> None:
        check_jobs(self.jobs)

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Results in any order. Even a single job is a separate process, so that a task cannot harm this one."""
        return _run(step, tasks, self.jobs, lost, _done)


def _first(under_way: Futures[Result, Task]) -> Collection[Future[Result]]:
    """The first task, so that results come in order."""
    return [next(iter(under_way))]


def _done(under_way: Futures[Result, Task]) -> Collection[Future[Result]]:
    """The tasks that are done, as soon as one is."""
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
        # One of these tasks killed its process, which breaks the pool. Run alone, each shows whether it was the one.
        for task in suspects:
            yield _run_alone(step, task, lost)


def _run_until_broken(
    step: Callable[[Task], Result],
    tasks: Iterator[Task],
    jobs: int,
    choose: Callable[[Futures[Result, Task]], Collection[Future[Result]]],
) -> Generator[Result, None, list[Task]]:
    """Yield results while all processes live; return the tasks that were running when one died, in order."""
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
    """Kill running tasks and wait for their end. After an interrupt or on a full disk nobody waits for them: they may
    take an hour, and can be repeated."""
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
