"""Ways to run tasks, which know nothing of what a task is.

An engine is given a step, a function of a module, and tasks; both, and the results, can be sent to other processes or
machines. Steps leave their work in files, so results are small, and may come in any order.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol, TypeVar

from dehusk.batch.workers import end_with_parent
from dehusk.errors import InvalidSetting, UnknownName

Task = TypeVar("Task")
Result = TypeVar("Result")

_WAITING_PER_WORKER: Final = 2
"""Tasks handed out ahead: a worker that is done has the next one at once."""


class Engine(Protocol):
    """Runs tasks somewhere."""

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Results in any order. `lost` makes the result of a task that killed its process."""


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Processes of this machine. They end when the process that started them does, however it ends."""

    jobs: int = 1

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise InvalidSetting("jobs", f"{self.jobs} is less than 1", "choose 1 or more")

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Even one job is a process of its own: the result is to be the same, whatever a task does to it."""
        remaining = iter(tasks)
        while suspects := (yield from self._run_until_broken(step, remaining)):
            # Some task killed a process and took the others with it; alone, each suspect shows whether it was the one.
            for task in suspects:
                yield _run_alone(step, task, lost)

    def _run_until_broken(
        self, step: Callable[[Task], Result], tasks: Iterator[Task]
    ) -> Generator[Result, None, list[Task]]:
        """Results while all processes live; returns the tasks that were under way when one died."""
        under_way: dict[Future[Result], Task] = {}
        pool = _pool(self.jobs)
        has_ended = False
        try:
            while True:
                for task in islice(tasks, self.jobs * _WAITING_PER_WORKER - len(under_way)):
                    under_way[pool.submit(step, task)] = task
                if not under_way:
                    has_ended = True
                    return []
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    del under_way[future]
                    yield result
        except BrokenProcessPool:
            has_ended = True
            return list(under_way.values())
        finally:
            # An interrupt does not wait for tasks under way, which may have an hour to go: they can be run again.
            pool.shutdown(wait=has_ended, cancel_futures=True)


def _run_alone(step: Callable[[Task], Result], task: Task, lost: Callable[[Task], Result]) -> Result:
    with _pool(1) as pool:
        try:
            return pool.submit(step, task).result()
        except BrokenProcessPool:
            return lost(task)


def _pool(jobs: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")  # the parent has threads: the progress is one
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=end_with_parent)


@contextmanager
def _local(jobs: int | None, address: str) -> Iterator[Engine]:
    if address:
        raise InvalidSetting("ray-address", "the engine local has no cluster", "choose --engine ray")
    yield LocalEngine(1 if jobs is None else jobs)


def _ray(jobs: int | None, address: str) -> AbstractContextManager[Engine]:
    from dehusk.batch.ray_engine import connected_ray  # an extra, and not everybody's

    return connected_ray(jobs, address)


ENGINES: Final[dict[str, Callable[[int | None, str], AbstractContextManager[Engine]]]] = {"local": _local, "ray": _ray}
"""By name: makes an engine ready for so many jobs, or as many as are usual with it, and ends what it started."""


def open_engine(name: str, jobs: int | None = None, address: str = "") -> AbstractContextManager[Engine]:
    """An engine by name, ready inside the `with`. The address is that of a cluster."""
    if name not in ENGINES:
        raise UnknownName(name, "no such engine", f"choose one of {', '.join(ENGINES)}")
    return ENGINES[name](jobs, address)
