"""A batch that is killed at any moment, and started again, ends with the same output, whatever engine runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hostile_pages import write_pages
from test_batches import records, results, run_here
from waiting import wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes by signal")

HOSTILE = str(Path(__file__).parent.parent / "support" / "hostile_pages.py")
MOMENTS: dict[str, Callable[[Path], bool]] = {
    "while an input is sorted": lambda out: any(out.glob(".work/.dehusk-*/*")),
    "between the phases": lambda out: any(out.glob(".work/bucketed/*.json")),
    "while a site is learnt": lambda out: any(out.glob("models/*.dehusk")),
    "while pages are cleaned": lambda out: any(out.glob("pages/.dehusk-*")),
    "between buckets": lambda out: any(out.glob(".work/cleaned/*[0-9].json")),
}

MOMENTS_ON_RAY = ("while a site is learnt",)
"""Ray takes its time to start; on a cluster a batch is killed while pages are cleaned."""


def start(source: Path, out: Path, *engine: str, temporary: Path | None = None) -> subprocess.Popen[bytes]:
    """In a session of its own, so that it can be seen which processes are left of it."""
    command = [sys.executable, HOSTILE, str(source), str(out), *engine]
    environment = os.environ | ({"TMPDIR": str(temporary)} if temporary else {})
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, env=environment)


def is_gone(session: int) -> bool:
    """Ray's processes are in groups of their own; their session is known where there is /proc."""
    try:
        os.killpg(session, 0)
    except ProcessLookupError:
        return not any(session_of(path) == session for path in Path("/proc").glob("[0-9]*/stat"))
    return False


def session_of(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[3])
    except OSError:
        return 0  # it has just ended


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """Pages, and what a batch of them gives that nobody kills."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_pages(folder / "source", 6, 60, {31: "DIE", 44: "RAISE"})
    run_here(folder / "source", folder / "whole")
    return folder / "source", results(folder / "whole")


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Where temporary files go. Not below pytest's folders: for Ray's sockets their names are too long."""
    with TemporaryDirectory(prefix="k-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_killed_batch_goes_on_to_the_same_output(
    undisturbed: tuple[Path, dict[str, bytes]], modules_for_all: None, tmp_path: Path, temporary: Path, engine: str
) -> None:
    if engine == "ray" and find_spec("ray") is None:
        pytest.skip("no ray")
    (source, expected), out = undisturbed, tmp_path / "killed"
    moments = MOMENTS if engine == "local" else {name: MOMENTS[name] for name in MOMENTS_ON_RAY}
    for moment, has_come in moments.items():
        running = start(source, out, engine, temporary=temporary)
        seen = wait_for(lambda has_come=has_come, running=running: has_come(out) or running.poll() is not None, 300)
        assert seen, moment
        assert running.poll() is None, f"it ended before it could be killed {moment}"
        os.killpg(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        # Its processes end by themselves; nobody is left to write beside the next run for long.
        assert wait_for(lambda running=running: is_gone(running.pid), 120, 0.05), moment
        assert not (out / "report.json").exists()
    # What Ray began, local processes end: to start it again takes its time. `test_ray_engine` goes on with Ray.
    assert start(source, out, "local", temporary=temporary).wait(300) == 0
    assert results(out) == expected
    assert len(records(out)) == 60
    assert not list(out.rglob(".dehusk-*")), "nothing half written is left"
    assert not list(temporary.iterdir())
