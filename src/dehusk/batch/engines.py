"""Engines: run tasks, whatever the tasks are.

An engine gets a step (a module-level function) and tasks. Both, and the results, can be sent to other processes or
machines. Steps write their output to files, so results are small and may come in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol, TypeVar

from dehusk.errors import InvalidSetting, UnknownName
from dehusk.workers.process_pool import LocalEngine

Task = TypeVar("Task")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs tasks somewhere."""

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Results in any order; `lost` makes the result of a task that killed its process."""


@contextmanager
def _local(jobs: int | None, address: str) -> Iterator[Engine]:
    if address:
        raise InvalidSetting("ray-address", "the engine local has no cluster", "choose --engine ray")
    with LocalEngine(1 if jobs is None else jobs) as engine:
        yield engine


def _ray(jobs: int | None, address: str) -> AbstractContextManager[Engine]:
    from dehusk.batch.ray_engine import connected_ray  # Ray is an optional extra

    return connected_ray(jobs, address)


ENGINES: Final[dict[str, Callable[[int | None, str], AbstractContextManager[Engine]]]] = {"local": _local, "ray": _ray}
"""Name -> a context with an engine for so many jobs, or its default; ends what it started."""


def open_engine(name: str, jobs: int | None = None, address: str = "") -> AbstractContextManager[Engine]:
    """An engine by name, as a context. The address is that of a cluster."""
    if name not in ENGINES:
        raise UnknownName(name, "no such engine", f"choose one of {', '.join(ENGINES)}")
    return ENGINES[name](jobs, address)
