"""Long calls of the compiled part, in a thread of their own, so that Ctrl+C and other signals are heard meanwhile.

Python handles signals in the main thread, and not while that is in a call. Where a call may take long, the main thread
waits for another one that makes it. If a handler raises, as that of Ctrl+C does, the call is stopped.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from itertools import count
from typing import Any, Final

from dehusk.native.library import lib

LONG: Final = 500_000
"""Bytes of a page from which its calls may take long: 30 milliseconds, where a thread takes 0.1."""
_PATIENCE: Final = 0.1
"""Seconds after which the main thread looks for signals where waiting cannot be interrupted, on Windows."""
_numbers: Final = count(1)


def summary_of(function: Callable[..., Any], size: float, *arguments: Any) -> Any:
    """What a function of the library returns for so many bytes. Handlers of signals run meanwhile, and may stop it."""
    if size < LONG or threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    return _Call(function, arguments).summary()


class _Call:
    """A call in a thread of its own."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments
        self._number = next(_numbers)
        self._lock = _thread.allocate_lock()
        self._ended = _thread.allocate_lock()
        self._ended.acquire()
        self._summary: Any = None
        self._is_wanted = True

    def summary(self) -> Any:
        # Not by `threading`: at the end of a program nobody shall wait for a call that was stopped.
        _thread.start_new_thread(self._run, ())
        try:
            while not self._ended.acquire(timeout=_PATIENCE):
                pass
        finally:
            self._leave()
        return self._summary

    def _run(self) -> None:
        lib.dehusk_number_thread(self._number)
        try:
            summary = self._function(*self._arguments)
            with self._lock:
                lib.dehusk_number_thread(0)
                if self._is_wanted:
                    self._summary = summary
                else:
                    lib.dehusk_outcome_free(summary.outcome)
        finally:
            self._ended.release()

    def _leave(self) -> None:
        """Have the call stopped if it has not ended: a handler of a signal raised."""
        with self._lock:
            if self._summary is None:
                self._is_wanted = False
                lib.dehusk_stop_thread(self._number)
