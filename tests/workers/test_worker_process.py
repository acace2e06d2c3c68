"""The process that untrusted pages are sent to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing.context import SpawnProcess
from pathlib import Path
from pickle import PicklingError

import pytest
from small_steps import die_once, double, misbehave, process_of

from dehusk.errors import OutOfMemory, PageError
from dehusk.workers.guard import OutOfTime
from dehusk.workers.worker_process import Worker, WorkerDied, WorkerLimits


def load() -> None:
    """This module has to be imported for it."""


def test_pages_share_a_process_until_one_kills_it() -> None:
    with Worker(WorkerLimits(seconds=60, megabytes=300)) as worker:
        first = worker.run(process_of, None, "page")
        assert first == worker.run(process_of, None, "page") != os.getpid()
        died = worker.run(misbehave, "DIE", "page.html")
        assert isinstance(died, WorkerDied)
        assert str(died) == "page.html: its process died (exit code 7)"
        assert worker.run(double, 4, "page") == 8
        assert worker.run(process_of, None, "page") != first
        bloated = worker.run(misbehave, "BLOAT", "page.html")
        assert isinstance(bloated, OutOfMemory)
        assert str(bloated) == "page.html: needs more than 300 MB of memory"
        assert worker.run(double, 5, "page") == 10
        raised = worker.run(misbehave, "RAISE", "page.html")
        assert isinstance(raised, PageError)
        assert "unexpected ZeroDivisionError" in str(raised)


def test_a_page_that_does_not_even_fit() -> None:
    with Worker(WorkerLimits(seconds=60, megabytes=100), prepare=load) as worker:
        assert isinstance(worker.run(len, b"x" * 150_000_000, "page.html"), OutOfMemory)
        assert worker.run(double, 5, "page") == 10


def test_a_page_that_hangs_is_waited_for_no_longer_than_allowed() -> None:
    with Worker(WorkerLimits(seconds=3600)) as worker:
        assert worker.run(double, 1, "page") == 2  # the process is there
        hung = worker.run(misbehave, "HANG", "page.html", seconds=0.5)
        assert isinstance(hung, OutOfTime)
        assert str(hung) == "page.html: took longer than 0.5 seconds"
        assert worker.run(double, 2, "page") == 4


def test_a_page_stuck_in_native_code_is_waited_for_no_longer_than_allowed() -> None:
    with Worker(WorkerLimits(seconds=3600)) as worker:
        assert worker.run(misbehave, "", "page") == ""  # what it imports is there
        stuck = worker.run(misbehave, "NATIVE", "page.html", seconds=2)
        assert isinstance(stuck, OutOfTime)
        assert worker.run(double, 2, "page") == 4


def test_what_kills_a_used_process_is_tried_in_a_fresh_one(tmp_path: Path) -> None:
    with Worker(WorkerLimits(seconds=60)) as worker:
        assert worker.run(double, 1, "page") == 2
        assert worker.run(die_once, str(tmp_path / "used"), "page") == "alive"
    with Worker(WorkerLimits(seconds=60)) as worker:
        assert isinstance(worker.run(die_once, str(tmp_path / "fresh"), "page"), WorkerDied)


def test_one_process_takes_page_after_page() -> None:
    """What sending a page costs is in benchmarks/growth.py."""
    body = b"x" * 100_000
    with Worker(WorkerLimits(seconds=60)) as worker:
        assert len({worker.run(process_of, body, "page") for _ in range(20)}) == 1


def test_a_closed_worker_starts_again() -> None:
    worker = Worker(WorkerLimits())
    assert worker.run(double, 3, "page") == 6
    worker.close()
    assert worker.run(double, 3, "page") == 6
    worker.close()
    worker.close()


def test_a_process_that_cannot_be_started_is_an_error_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(process: SpawnProcess) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    worker = Worker(WorkerLimits(seconds=60))
    with monkeypatch.context() as patch:
        patch.setattr(SpawnProcess, "start", start)
        failed = worker.run(double, 3, "page.html")
    assert isinstance(failed, WorkerDied)
    assert str(failed) == "page.html: its process could not be started: [Errno 11] Resource temporarily unavailable"
    assert worker.run(double, 3, "page.html") == 6
    worker.close()


def test_a_worker_whose_process_never_started_can_be_closed() -> None:
    """What cannot be sent to a new process is a mistake of the program, which closing does not hide."""
    errors = (AttributeError, PicklingError)  # which of them, the version of Python decides
    with pytest.raises(errors, match="local object"), Worker(WorkerLimits(), prepare=lambda: None) as worker:
        worker.run(double, 3, "page.html")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timers")
def test_a_process_that_nobody_waits_for_ends_even_in_native_code() -> None:
    stuck = "from dehusk.workers.worker_process import _end_after; _end_after(0.01); sum(range(10**15))"
    assert subprocess.run([sys.executable, "-c", stuck], check=False).returncode == -signal.SIGALRM
