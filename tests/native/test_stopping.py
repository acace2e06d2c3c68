"""Long calls: handlers of signals run meanwhile, and a call is stopped if one raises."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from usual_signals import usual_signals

import dehusk
from dehusk.native.library import ffi, lib
from dehusk.native.stopping import LONG, summary_of

PARAGRAPH = "<p>A sentence that is long enough to be kept, because it is part of the text of this page.</p>"
LONG_PAGE = PARAGRAPH * (2 * LONG // len(PARAGRAPH))
STOPPED = 4
"""The status of stopped calls in `native/src/abi.rs`."""


class Held:
    """A function of the library that waits before it works, and keeps the statuses of what it returned."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.has_begun = threading.Event()
        self.may_work = threading.Event()
        self.has_returned = threading.Event()
        self.statuses: list[int] = []

    def __call__(self) -> Any:
        self.has_begun.set()
        self.may_work.wait(60)
        body = self._body
        summary = lib.dehusk_page_read(body, len(body), 1, 1_000_000, 1_000_000, 512, ffi.NULL, 0)
        self.statuses.append(summary.status)
        self.has_returned.set()
        return summary


@pytest.fixture
def held() -> Iterator[Held]:
    held = Held(LONG_PAGE.encode())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield held
    held.may_work.set()
    signal.signal(signal.SIGINT, before)


def interrupt_once_begun(held: Held) -> None:
    held.has_begun.wait(60)
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_is_raised_during_a_call_and_stops_it(held: Held) -> None:
    threading.Thread(target=interrupt_once_begun, args=[held]).start()
    with pytest.raises(KeyboardInterrupt):
        summary_of(held, LONG)
    held.may_work.set()
    assert held.has_returned.wait(60)
    assert held.statuses == [STOPPED]
    assert len(dehusk.clean(LONG_PAGE)) > 1_000, "later calls are not stopped"


def test_a_handler_that_does_not_raise_lets_the_call_go_on(held: Held) -> None:
    signals: list[int] = []

    def handle(number: int, frame: object) -> None:
        signals.append(number)
        held.may_work.set()

    signal.signal(signal.SIGINT, handle)
    threading.Thread(target=interrupt_once_begun, args=[held]).start()
    summary = summary_of(held, LONG)
    lib.dehusk_outcome_free(summary.outcome)
    assert (signals, held.statuses) == ([signal.SIGINT], [0])


def test_a_call_that_cannot_take_long_needs_no_thread() -> None:
    assert summary_of(threading.get_ident, LONG - 1) == threading.get_ident()
    assert summary_of(threading.get_ident, LONG) != threading.get_ident()


def test_other_threads_make_their_calls_themselves() -> None:
    idents: list[int] = []
    thread = threading.Thread(target=lambda: idents.append(summary_of(threading.get_ident, LONG)))
    thread.start()
    thread.join()
    assert idents == [thread.ident]


@pytest.mark.parametrize("output", ["text", "markdown", "html"])
def test_long_pages_are_cleaned_as_others_are(output: str) -> None:
    pages: list[str] = []
    thread = threading.Thread(target=lambda: pages.append(dehusk.clean(LONG_PAGE).render(output)))
    thread.start()
    thread.join()
    assert [dehusk.clean(LONG_PAGE).render(output)] == pages


PROGRAM = f"""
import dehusk
page = {PARAGRAPH!r} * 200_000
print("cleaning", flush=True)
dehusk.clean(page)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there, a child cannot be interrupted alone")
def test_a_program_ends_at_once_when_it_is_interrupted() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=usual_signals
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"cleaning\n"
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate()
    assert child.returncode == -signal.SIGINT
    assert errors.strip().endswith(b"KeyboardInterrupt")
