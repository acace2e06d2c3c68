"""Run a step over many tasks, in one process or several on this machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Final, Self, TypeVar

from dehusk.errors import InvalidSetting
from dehusk.workers.spawning import UninterruptedContext, interrupts_held_back
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
    return map(step, tasks) if jobs <= 1 else _run_once(step, tasks, jobs, lost)


def _run_once(
    step: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, lost: Callable[[Task], Result]
) -> Iterator[Result]:
    with _Processes(jobs) as processes:
        yield from _run(step, tasks, processes, lost, _first)


class LocalEngine:
    """Runs tasks in processes on this machine, which end with the process that started them.

    They stay for the next tasks until the end of the `with` block, as each takes a third of a second to start.
    """

    def __init__(self, jobs: int = 1) -> None:
        check_jobs(jobs)
        self._processes = _Processes(jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *exception: object) -> None:
        self._processes.__exit__(kind)

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Results in any order. Even a single job is a separate process, so that a task cannot harm this one."""
        return _run(step, tasks, self._processes, lost, _done)


class _Processes:
    """A pool of processes, started when first needed, and anew after a task killed one of them."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *exception: object) -> None:
        if kind:
            self.kill()
        else:
            self.close()

    def submit(self, step: Callable[[Task], Result], task: Task) -> Future[Result]:
        if self._pool is None:
            self._pool = _pool(self.jobs)
        return _submit(self._pool, step, task)

    def close(self) -> None:
        """Let running tasks end, and then the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = None

    def kill(self) -> None:
        """End the processes at once."""
        if self._pool is not None:
            _kill(self._pool)
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


def _first(under_way: Futures[Result, Task]) -> Collection[Future[Result]]:
    """The first task, so that results come in order."""
    return [next(iter(under_way))]


def _done(under_way: Futures[Result, Task]) -> Collection[Future[Result]]:
    """The tasks that are done, as soon as one is."""
    return wait(under_way, return_when=FIRST_COMPLETED).done


def _run(
    step: Callable[[Task], Result],
    tasks: Iterable[Task],
    processes: _Processes,
    lost: Callable[[Task], Result],
    choose: Callable[[Futures[Result, Task]], Collection[Future[Result]]],
) -> Iterator[Result]:
    remaining = iter(tasks)
    while suspects := (yield from _run_until_broken(step, remaining, processes, choose)):
        # One of these tasks killed its process, which breaks the pool. Run alone, each shows whether it was the one.
        for task in suspects:
            yield _run_alone(step, task, lost)


def _run_until_broken(
    step: Callable[[Task], Result],
    tasks: Iterator[Task],
    processes: _Processes,
    choose: Callable[[Futures[Result, Task]], Collection[Future[Result]]],
) -> Generator[Result, None, list[Task]]:
    """Yield results while all processes live; return the tasks that were running when one died, in order."""
    under_way: Futures[Result, Task] = {}
    has_ended = False
    try:
        while True:
            for task in islice(tasks, processes.jobs * _WAITING_PER_WORKER - len(under_way)):
                under_way[processes.submit(step, task)] = task
            if not under_way:
                has_ended = True
                return []
            for future in choose(under_way):
                result = future.result()
                del under_way[future]
                yield result
    except BrokenProcessPool:
        has_ended = True
        processes.close()
        return list(under_way.values())
    finally:
        if not has_ended:
            processes.kill()


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
            return _submit(pool, step, task).result()
        except BrokenProcessPool:
            return lost(task)


def _submit(pool: ProcessPoolExecutor, step: Callable[[Task], Result], task: Task) -> Future[Result]:
    with interrupts_held_back():  # it may start a process, which an interrupt would leave out of the pool
        return pool.submit(step, task)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=UninterruptedContext(), initializer=end_with_parent)
