"""The one place that catches any exception, so that one bad page never ends a batch."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeVar

from dehusk.errors import DehuskError, OutOfMemory, PageError

Task = TypeVar("Task")
Result = TypeVar("Result")


_AGAIN_AFTER: Final = 1.0
"""Seconds after which a step is interrupted again, if it caught the first interruption."""
_KILL_AFTER: Final = 10.0
"""Seconds after which a process ends itself if its step is stuck in native code, where no exception reaches it."""


class TimeIsUp(BaseException):
    """Not an Exception, so that steps which catch those stop, too."""


class OutOfTime(PageError):
    """The page took longer than allowed."""

    kind = "timeout"


def guarded(
    step: Callable[[Task], Result], task: Task, label: str, most_seconds: float | None = None
) -> Result | DehuskError:
    """The result of a step, or the error that stopped it; an unexpected exception becomes a PageError."""
    try:
        with limited_time(most_seconds):
            return step(task)
    except DehuskError as error:
        return error
    except TimeIsUp:
        if most_seconds is None:
            raise  # an outer call set the limit
        return OutOfTime(label, f"took longer than {most_seconds:g} seconds")
    except MemoryError:
        return OutOfMemory(label, "needs more memory than is allowed")
    except Exception as error:  # noqa: BLE001 - that is what this module is for
        cause = f"unexpected {type(error).__name__}: {error}"
        return PageError(label, cause, "this is a fault in dehusk: please report it with the page")


@contextmanager
def limited_time(seconds: float | None) -> Iterator[None]:
    """Raise TimeIsUp inside the block after so many seconds; None means no limit.

    Works in the main thread, on systems with signals (not on Windows). Native code that never returns cannot be
    interrupted; a worker process that is stuck there ends itself, and its parent knows which task it was.
    """
    if seconds is None or not _takes_signals():
        yield
        return
    from multiprocessing import parent_process  # few steps have a limit, and this loads half of the standard library

    is_worker = parent_process() is not None
    before = signal.signal(signal.SIGALRM, _stop)
    try:
        with open(os.devnull, "w") as nowhere:
            if is_worker:
                faulthandler.dump_traceback_later(seconds + _KILL_AFTER, exit=True, file=nowhere)
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_AFTER)
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if is_worker:
            faulthandler.cancel_dump_traceback_later()


def _takes_signals() -> bool:
    return hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeIsUp
