"""Run tasks on a Ray cluster, or on a Ray that is started for the job.

Ray runs each task in one of its processes and replaces one that dies, so a task cannot harm others. Ray's own retries
are switched off: this module decides how often a task is tried.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from dehusk.errors import EngineError, MissingExtra
from dehusk.version import __version__
from dehusk.workers.process_pool import check_jobs
from dehusk.workers.spawning import UninterruptedContext
from dehusk.workers.temporary_folders import remove_leftovers, temporary_folder

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES_BESIDE_OTHERS: Final = 2
"""A process may die without a fault of its task: its node is lost, or others used up the memory."""
_CONNECT_SECONDS: Final = 30.0
"""Usually two are enough. Ray itself would try for two minutes, and then end this process."""
_CONNECT: Final = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False); ray.shutdown()"
_START_SECONDS: Final = 300.0
"""Time limit for Ray to start; it takes some seconds, on a busy machine many."""
_END_SECONDS: Final = 30.0
"""Time limit for Ray to end; usually it takes two. After that, nobody waits for it."""
_STORE_BYTES: Final = 80 * 2**20
"""Memory for shared objects. Tasks and results need none of it; Ray accepts no less than 75 MiB."""
_LONGEST_FOLDER: Final = 30
"""Characters. Ray adds about 65 for its sockets, whose paths have at most 103 (macOS) or 107 (Linux)."""


@dataclass(frozen=True, slots=True)
class _Died:
    """The process of a task died."""


@dataclass(frozen=True, slots=True)
class _Attempt(Generic[Task]):
    task: Task
    tries: int = 1


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Runs tasks on the Ray that this process is connected to (see `connected_ray`)."""

    jobs: int = 1

    def __post_init__(self) -> None:
        check_jobs(self.jobs)

    def run(
        self, step: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[Result]:
        """Tasks whose process died twice are tried once more at the end, alone."""
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
            # On an early stop, do not wait for running tasks: they can be repeated.
            for reference in under_way:
                ray.cancel(reference, force=True)
        for task in suspects:
            alone: Result | _Died = _result(submit(task))
            yield lost(task) if isinstance(alone, _Died) else alone


def _submitter(step: Callable[[Task], Result]) -> Callable[[Task], Any]:
    """The function that starts a task. Steps are sent by name, so nodes need the same dehusk."""
    remote = need_ray().remote(max_retries=0, num_cpus=1, scheduling_strategy="SPREAD")(_run_step)
    folder = os.getcwd()
    return lambda task: remote.remote(step, task, folder, __version__)


def _run_step(step: Callable[[Task], Result], task: Task, folder: str, version: str) -> Result:
    """Run a step on a node, in the folder that the task's paths are relative to."""
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
    """The result of a task; errors of the step are raised unchanged."""
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
        raise EngineError("ray", _last_line(str(error)), "run the same command again to resume") from error


@contextmanager
def connected_ray(jobs: int | None, address: str = "") -> Iterator[RayEngine]:
    """An engine on the cluster at this address; without one, on a Ray that is started here and ends afterwards.

    By default, a cluster runs one job per processor.
    """
    if jobs is not None:
        check_jobs(jobs)  # before Ray fails with its own error
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
    """Try in a separate process: if there is no Ray, it takes minutes to say so, and then kills the caller."""
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
    """The last line of a traceback, which has the error."""
    lines = text.strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else "failed"


# A Ray for one job, on this machine alone, which ends when the job does.
#
# When the process that started a Ray is killed, most of Ray's processes end within seconds, but two agents (90 MB each)
# stay for about a minute, and its files for ever (seen with Ray 2.60). So a keeper process starts Ray, waits until the
# pipe from the job closes, which a killed job cannot prevent, and shuts Ray down in order. It has a process group of
# its own, so that it outlives a job whose whole group is killed.


def need_ray() -> Any:
    """The package, with its usage reports switched off; Any because it is optional."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise MissingExtra("ray", "needed for --engine ray", "pip install 'dehusk[ray]'") from error
    return ray


@contextmanager
def private_ray(jobs: int) -> Iterator[str]:
    """Start a Ray for so many tasks at a time; yields its address."""
    _be_private()
    need_ray()
    remove_leftovers(_short_folder())
    context = UninterruptedContext()
    pipe, theirs = context.Pipe()
    keeper = context.Process(target=_keep, args=(theirs, jobs))
    keeper.start()
    theirs.close()  # so that its end is the end of the pipe
    try:
        yield _address(pipe)
    finally:
        pipe.close()
        keeper.join(_END_SECONDS)
        remove_leftovers()  # of tasks that were stopped


def _be_private() -> None:
    """Set the environment variables that Ray reads: in this process, and so in the keeper and all that it starts.

    Ray listens on all addresses of a machine, unless it believes that the system has no clusters. The token keeps out
    other users of this machine; without one, Ray would write its own to the home folder. A program that has already
    imported Ray keeps its settings: Ray reads the environment when it is imported.
    """
    if "ray" in sys.modules:
        return
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _address(pipe: Connection) -> str:
    with suppress(EOFError, OSError):
        if pipe.poll(_START_SECONDS):
            return str(pipe.recv())
    raise EngineError("ray", "does not start on this machine", "use --engine local, or --ray-address of a running one")


def _keep(pipe: Connection, jobs: int) -> None:
    """Start Ray and keep it until the job ends. Runs in the keeper, which signals must not end before Ray."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    _ignore_signals()
    ray = need_ray()
    with temporary_folder(_short_folder()) as folder:
        try:
            started = ray.init(
                "local",  # even where the environment names a cluster
                num_cpus=jobs,
                num_gpus=0,
                object_store_memory=_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=str(folder),
            )
            _ignore_signals()  # Ray has set its own handlers
            with suppress(EOFError, OSError):  # the end of the job
                pipe.send(started.address_info["gcs_address"])
                pipe.recv()
        finally:
            ray.shutdown()


def _ignore_signals() -> None:
    """Leave signals to the job, whose end closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Not SIG_IGN, which Ray's processes would inherit: SIGTERM is how they are ended.
    signal.signal(signal.SIGTERM, lambda number, frame: None)


def _short_folder() -> Path | None:
    """A folder with a short path for temporary files; None if the usual one is short enough."""
    return Path("/tmp") if len(tempfile.gettempdir()) > _LONGEST_FOLDER and os.path.isdir("/tmp") else None
