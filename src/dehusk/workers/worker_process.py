"""A process for untrusted pages that can be killed without harm to others.

Python code can be limited in time and memory from within; a parser stuck in native code, a stack overflow or an endless
allocation cannot. So untrusted pages go, one by one, to a separate process. After the time limit the parent kills it
and starts another.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, Self, TypeVar

from dehusk.errors import DehuskError, OutOfMemory, PageError
from dehusk.workers.guard import OutOfTime, guarded
from dehusk.workers.spawning import UninterruptedContext

Task = TypeVar("Task")
Result = TypeVar("Result")

_STARTED: Final = "started"
_START_SECONDS: Final = 300.0
"""Time limit for a process to start: imports take a second, on a busy machine many."""
_ORPHAN_SECONDS: Final = 10.0
"""Seconds after its time limit when a process ends itself, in case its parent is gone."""
_MEGABYTE: Final = 1_000_000
UNLIMITED: Final = 10**9
"""Megabytes that no machine has."""


class WorkerDied(PageError):
    """The page killed its process."""

    kind = "process-died"


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits for one page."""

    seconds: float = 30.0
    """Pages take milliseconds; the largest known documents (15 MB on one page) some seconds."""
    megabytes: int = 2000
    """On top of the process's memory at its start. `Limits` bound a page near 0.5 GB; blocks and texts add to it."""


class Worker:
    """Runs steps in a process that is started when first needed, and again after a step killed it.

    A page's result must not depend on earlier pages. So if a page kills a process that has run others, or needs too
    much of its memory, it is tried once more in a new process.
    """

    def __init__(self, limits: WorkerLimits, prepare: Callable[[], object] = int) -> None:
        """A new process first calls `prepare`, a module-level function; what that loads counts for no page."""
        self._limits, self._prepare = limits, prepare
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._is_fresh = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def run(
        self, step: Callable[[Task], Result], task: Task, label: str, seconds: float | None = None
    ) -> Result | DehuskError:
        """The result of the step, which must be a module-level function, or the error that stopped it."""
        is_answered = False
        try:
            result = self._run_or_retry(step, task, label, self._limits.seconds if seconds is None else seconds)
            is_answered = True
            return result
        finally:
            if not is_answered:
                self.close()  # interrupted: the next task would receive this answer

    def _run_or_retry(
        self, step: Callable[[Task], Result], task: Task, label: str, seconds: float
    ) -> Result | DehuskError:
        result = self._run(step, task, label, seconds)
        if isinstance(result, WorkerDied | OutOfMemory) and not self._is_fresh:
            self.close()
            result = self._run(step, task, label, seconds)
        self._is_fresh = False
        if isinstance(result, WorkerDied | OutOfMemory | OutOfTime):
            self.close()
        return result

    def close(self) -> None:
        """Kill the process."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._pipe.close()
        self._process = self._pipe = None
        self._is_fresh = True

    def _run(self, step: Callable[[Task], Result], task: Task, label: str, seconds: float) -> Result | DehuskError:
        try:
            pipe = self._pipe or self._start()
            with suppress(ConnectionError):  # it may have died of the message, and said why
                pipe.send((step, task, label, seconds))
            if not pipe.poll(seconds):
                return OutOfTime(label, f"took longer than {seconds:g} seconds")
            result: Result | DehuskError = pipe.recv()
        except (EOFError, OSError) as error:
            return WorkerDied(label, self._how(error))
        if isinstance(result, OutOfMemory):
            return OutOfMemory(label, f"needs more than {self._limits.megabytes:,} MB of memory")
        return result

    def _start(self) -> Connection:
        context = UninterruptedContext()
        pipe, theirs = context.Pipe()
        with theirs, ExitStack() as failing:  # theirs is closed here, so that the pipe ends with the process
            failing.callback(pipe.close)
            process = context.Process(target=_work, args=(theirs, self._limits.megabytes, self._prepare), daemon=True)
            process.start()
            failing.pop_all()
        self._process, self._pipe = process, pipe  # only now is there a process to kill
        if not pipe.poll(_START_SECONDS) or pipe.recv() != _STARTED:
            raise EOFError
        return pipe

    def _how(self, error: Exception) -> str:
        """What happened to the process, after an error of its pipe or of its start."""
        if self._process is None:
            return f"its process could not be started: {error}"
        self._process.join(timeout=1)
        code = self._process.exitcode
        if code is None:
            return "its process died"
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"its process died ({how})"


def end_with_parent() -> None:
    """Make this process end when its parent does, even if the parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _work(pipe: Connection, megabytes: int, prepare: Callable[[], object]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    end_with_parent()
    prepare()
    gc.freeze()  # what stays anyway need not be looked through for garbage again and again
    _limit_memory(megabytes)
    pipe.send(_STARTED)
    with suppress(EOFError):
        try:
            _answer(pipe)
        except MemoryError:  # while receiving or sending: the rest of the message would be misread
            pipe.send(OutOfMemory("a page", "does not fit into memory"))


def _answer(pipe: Connection) -> None:
    while True:
        step, task, label, seconds = pipe.recv()
        _end_after(seconds + _ORPHAN_SECONDS)
        result = guarded(step, task, label)
        _end_after(0)
        pipe.send(result)


def _end_after(seconds: float) -> None:
    """Let the system end this process after so many seconds, even in native code; 0 calls it off.

    Where it has no such timers, only the parent ends a process that is stuck. A watchdog of `faulthandler` would do
    it everywhere, but it is a thread for each step: to start and end one takes longer than some pages do.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)  # nobody handles its signal, which ends the process then


def _limit_memory(megabytes: int) -> None:
    """Limit memory where the system allows it; elsewhere only time is limited."""
    try:
        import resource
    except ImportError:
        return
    limit = _address_space() + megabytes * _MEGABYTE
    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (limit if most < 0 else min(limit, most), most))


def _address_space() -> int:
    """Bytes of address space in use; numerical libraries reserve some for the thread of each core."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
