"""Processes that Ctrl+C does not reach."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator

import pytest

from dehusk.workers.process_pool import run_step
from dehusk.workers.spawning import UninterruptedContext

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system cannot hold signals back")


def is_held_back() -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def interrupt_oneself(_: int) -> bool:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    return is_held_back()


def exit_by_mask() -> None:
    sys.exit(7 if is_held_back() else 1)


def test_it_begins_with_interrupts_held_back_and_the_parent_does_not() -> None:
    process = UninterruptedContext().Process(target=exit_by_mask)
    process.start()
    process.join(60)
    assert process.exitcode == 7
    assert not is_held_back()


def test_tasks_in_a_pool_are_not_interrupted() -> None:
    assert list(run_step(interrupt_oneself, [1, 2, 3], 2, lambda task: False)) == [True] * 3


@pytest.fixture
def interruptible() -> Iterator[None]:
    """The usual handler: programs in the background may have been started with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_of_the_start_reaches_the_parent_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    process = UninterruptedContext().Process(target=exit_by_mask)
    popen = process._Popen

    def interrupted(*arguments: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return popen(*arguments)

    monkeypatch.setattr(type(process), "_Popen", staticmethod(interrupted))
    with pytest.raises(KeyboardInterrupt):
        process.start()
    process.join(60)
    assert process.exitcode == 7
