"""How processes are started: as new ones, and out of reach of Ctrl+C.

A terminal interrupts all of its processes. What that means is decided by the one that the user started; any other would
only end with a traceback, even in the middle of its imports, before it can say that it ignores signals.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType


class UninterruptedProcess(SpawnProcess):
    """A process that begins with interrupts held back, and leaves them so."""

    def start(self) -> None:
        """Start it; the process that starts it is interrupted afterwards, if it was in the meantime."""
        with interrupts_held_back():
            super().start()


class UninterruptedContext(SpawnContext):
    """Spawns, and does not fork: a fork would take along the locks of threads, which progress bars have."""

    Process = UninterruptedProcess


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Hold interrupts back: processes that are started here never see any, and this one does when all is done.

    Else it might be interrupted when a process has been started, and nobody knows of it yet who could end it.
    """
    with _signals_blocked(), _interrupts_put_off():
        yield


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block interrupts of this thread, and so of processes that it starts. Windows cannot."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Started now: on its own start it would let interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _interrupts_put_off() -> Iterator[None]:
    """Put off what this program does when it is interrupted: the system may tell another of its threads."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    put_off: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda number, frame: put_off.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if put_off:
            usual(signal.SIGINT, put_off[0])
