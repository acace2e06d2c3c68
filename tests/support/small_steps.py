"""Steps for processes, good ones and bad ones. Imports almost nothing: every process that is started has to import it,
and importing a module of tests would take most of its time."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from dehusk.errors import PageError
from dehusk.workers import guard


def double(number: int) -> int:
    return 2 * number


def double_or_die(number: int) -> int:
    if number == 13:
        os._exit(1)
    return 2 * number


def double_or_hang(number: int) -> int:
    """13 never comes back, as native code may, where no exception can reach it."""
    guard._KILL_AFTER = 0.2  # type: ignore[misc]
    with guard.limited_time(0.2 if number == 13 else None):
        if number == 13:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            time.sleep(60)
    return 2 * number


def lost(number: int) -> int:
    """What becomes of a task that killed its process."""
    return -number


def refuse(number: int) -> int:
    raise PageError(f"page {number}", "is refused", "nothing")


def note_and_sleep(note: str) -> str:
    Path(note).touch()
    time.sleep(60)
    return note


def die_once(note: str) -> str:
    """Dies the first time, as a process might that earlier pages left little memory."""
    if not Path(note).exists():
        Path(note).touch()
        os._exit(3)
    return "alive"


def node_of(number: int) -> str:
    """The node of Ray that does it, which takes long enough that others do something, too."""
    import ray

    time.sleep(0.2)
    return str(ray.get_runtime_context().get_node_id())


def process_of(task: object) -> int:
    return os.getpid()


def stall_in_native_code() -> None:
    """One call of the compiled part that works for hours, in memory that stays small: each of the addresses is resolved
    against a long one. Meanwhile neither a signal nor an exception reaches Python."""
    from dehusk.page.links import safe_urls

    safe_urls(["x"] * 100_000, f"http://a.example/{'x/' * 1_000_000}x")


def misbehave(spell: str) -> str:
    """Does as told; anything else comes back."""
    if spell == "NATIVE":
        stall_in_native_code()
    if spell == "HANG":
        while True:
            pass
    if spell == "DIE":
        os._exit(7)
    if spell == "BLOAT":
        hoard = []
        while True:
            hoard.append(bytes(20_000_000))  # asked for, but not touched, which would take long
    if spell == "RAISE":
        raise ZeroDivisionError(spell)
    return spell
