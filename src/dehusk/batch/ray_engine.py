"""Tasks on a Ray cluster, or on a Ray that is started for the job.

Ray runs each task in a process of its own choice and takes a new one when that dies, so a task costs no others. What
Ray would do about tasks that fail is switched off: here they are tried again so many times and no more.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from dehusk.batch.private_ray import need_ray, private_ray
from dehusk.errors import EngineError
from dehusk.version import __version__
from dehusk.workers.process_pool import check_jobs

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES_BESIDE_OTHERS: Final = 2
"""A process may die through no fault of its task: its node is lost, or others have taken the memory."""
_CONNECT_SECONDS: Final = 30.0
"""Usual are two; Ray itself would try for two minutes, and then end this process."""
_CONNECT: Final = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False); ray.shutdown()"


@dataclass(frozen=True, slots=True)
class _Died:
    """The process of a task did."""


@dataclass(frozen=True, slots=True)
class _Attempt(Generic[Task]):
    task: Task
    tries: int = 1


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Tasks of the Ray that this process is connected to, see `connected_ray`."""

    jobs: int = 1

    def __post_init__(self) -> None:
        check_jobs(self.jobs)

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Those that killed their processes are tried once more at the end, alone."""
        ray, submit = need_ray(), _submitter(step)
        remaining = map(_Attempt, tasks)
        under_way: dict[Any, _Attempt[Task]] = {}
        suspects: list[Task] = []
        try:
            while True:
                for attempt in islice(remaining, self.jobs - len(under_way)):
                    under_way[submit(attempt.task)] = attempt
                if not under_way:
                    break
                for reference in ray.wait(list(under_way))[0]:
                    attempt = under_way.pop(reference)
                    result: Result | _Died = _result(reference)
                    if not isinstance(result, _Died):
                        yield result
                    elif attempt.tries < _TRIES_BESIDE_OTHERS:
                        under_way[submit(attempt.task)] = _Attempt(attempt.task, attempt.tries + 1)
                    else:
                        suspects.append(attempt.task)
        finally:
            # Whoever stops early does not wait for tasks under way: they can be run again.
            for reference in under_way:
                ray.cancel(reference, force=True)
        for task in suspects:
            alone: Result | _Died = _result(submit(task))
            yield lost(task) if isinstance(alone, _Died) else alone


def _submitter(step: Callable[[Task], Result]) -> Callable[[Task], Any]:
    """Starts a task. Functions of modules are sent by name, so nodes need the same dehusk."""
    remote = need_ray().remote(max_retries=0, num_cpus=1, scheduling_strategy="SPREAD")(_run_step)
    folder = os.getcwd()
    return lambda task: remote.remote(step, task, folder, __version__)


def _run_step(step: Callable[[Task], Result], task: Task, folder: str, version: str) -> Result:
    """Runs on a node, in the folder that names of files in the task are relative to."""
    node = os.uname().nodename if hasattr(os, "uname") else "a node"
    if version != __version__:
        raise EngineError(node, f"has dehusk {__version__}, not {version}", "install the same on all nodes")
    try:
        os.chdir(folder)
    except OSError as error:
        raise EngineError(node, f"has no folder {folder}", "start the batch in one that all nodes share") from error
    # Processes that the step starts would import the main module of this one, which is Ray's.
    vars(sys.modules["__main__"]).pop("__file__", None)
    return step(task)


def _result(reference: Any) -> Any:
    """What came of a task; errors of the step are raised as they are."""
    ray = need_ray()
    errors = ray.exceptions
    try:
        return ray.get(reference)
    except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError):
        return _Died()
    except errors.RayTaskError as error:
        if isinstance(error.cause, errors.RayError):  # the step was not even called
            cause = _last_line(str(error.cause))
            raise EngineError("a node of ray", cause, "install the same dehusk on all nodes") from error
        raise error.cause from None
    except errors.RayError as error:
        raise EngineError("ray", _last_line(str(error)), "the same command goes on from here") from error


@contextmanager
def connected_ray(jobs: int | None, address: str = "") -> Iterator[RayEngine]:
    """An engine of the cluster at this address; without one, of a Ray that is started here and ends afterwards.

    Without a number of jobs, a cluster has as many as it has processors.
    """
    if jobs is not None:
        check_jobs(jobs)  # an error of ours before Ray has one
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        raise EngineError("ray", "this process is connected to one already", "shut that down first")
    if not address:
        with private_ray(jobs or 1) as started, _connection(started):
            yield RayEngine(jobs or 1)
        return
    _try_connecting(address)
    with _connection(address):
        yield RayEngine(jobs or max(1, int(need_ray().cluster_resources().get("CPU", 1))))


@contextmanager
def _connection(address: str) -> Iterator[None]:
    ray = need_ray()
    ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


def _try_connecting(address: str) -> None:
    """In a process of its own: where there is no Ray, it takes minutes to say so, and then kills who asked."""
    need_ray()
    remedy = "give --ray-address of a cluster that this machine is a node of, such as auto or 127.0.0.1:6379"
    command = [sys.executable, "-c", _CONNECT, address]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=_CONNECT_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise EngineError(f"ray at {address}", f"no answer within {_CONNECT_SECONDS:g} seconds", remedy) from error
    except ValueError as error:  # a zero byte, which no process can be given
        raise EngineError(f"ray at {address!r}", str(error), remedy) from error
    if tried.returncode:
        raise EngineError(f"ray at {address}", _last_line(tried.stderr), remedy)


def _last_line(text: str) -> str:
    """Of a traceback: what happened."""
    lines = text.strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else "failed"
