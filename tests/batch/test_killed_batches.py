"""A batch that is killed at any moment, and started again, ends with the same output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_pages import write_pages
from test_batches import records, results, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes by signal")

HOSTILE = str(Path(__file__).with_name("hostile_pages.py"))
MOMENTS: dict[str, Callable[[Path], bool]] = {
    "while an input is sorted": lambda out: any(out.glob(".work/buckets/*/.dehusk-*")),
    "between the phases": lambda out: any(out.glob(".work/bucketed/*.json")),
    "while a site is learnt": lambda out: any(out.glob("models/*.dehusk")),
    "while pages are cleaned": lambda out: any(out.glob("pages/.dehusk-*")),
    "between buckets": lambda out: any(out.glob(".work/cleaned/*[0-9].json")),
}


def start(source: Path, out: Path) -> subprocess.Popen[bytes]:
    """In a session of its own, so that it can be seen which processes are left of it."""
    command = [sys.executable, HOSTILE, str(source), str(out), "2"]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)


def wait_for(happened: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            return False
        time.sleep(0.002)
    return True


def is_gone(session: int) -> bool:
    try:
        os.killpg(session, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_killed_batch_goes_on_to_the_same_output(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "killed"
    write_pages(source, 6, 60, {31: "DIE", 44: "RAISE"})
    run(source, tmp_path / "whole")
    expected = results(tmp_path / "whole")
    for moment, has_come in MOMENTS.items():
        running = start(source, out)
        seen = wait_for(lambda has_come=has_come, running=running: has_come(out) or running.poll() is not None, 120)
        assert seen, moment
        assert running.poll() is None, f"it ended before it could be killed {moment}"
        os.kill(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        # Its processes end by themselves; nobody is left to write beside the next run for long.
        assert wait_for(lambda running=running: is_gone(running.pid), 60), moment
        assert not (out / "report.json").exists()
    assert start(source, out).wait(120) == 0
    assert results(out) == expected
    assert len(records(out)) == 60
    assert not list(out.rglob(".dehusk-*")), "nothing half written is left"
