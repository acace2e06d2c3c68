"""Large pages are cleaned in a process of their own: what is stuck there costs itself alone, and can be stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import clean_or_stall
import pytest
from command_line import dehusk
from usual_signals import usual_signals
from waiting import wait_for

from dehusk.cli import clean_running, large_pages
from dehusk.cli.clean_step import CleanFile, clean_file
from dehusk.cli.reporting import FileCleaned

TEXT = "<title>Tea</title><p>" + "Steep the leaves for three minutes. " * 6
LARGE = "<!--" + "x" * large_pages._QUICK_BYTES + "-->"
PROGRAM = Path(clean_or_stall.__file__)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Three pages, of which the second is stuck and the third is large."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.html").write_text(TEXT)
    (folder / "b.html").write_text(TEXT + clean_or_stall.STALL + LARGE)
    (folder / "c.html").write_text(TEXT + LARGE)
    return folder


@pytest.fixture
def stalling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_running, "clean_file", clean_or_stall.clean_or_stall)


@pytest.mark.usefixtures("stalling")
def test_a_page_stuck_in_native_code_fails_and_the_others_go_on(pages: Path, tmp_path: Path) -> None:
    result = dehusk("clean", str(pages), "-o", str(tmp_path / "out"), "--page-seconds", "5")
    assert result.returncode == 1
    assert f"{pages / 'b.html'}: took longer than 5 seconds".encode() in result.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "c.txt"]
    assert {path.read_text() for path in (tmp_path / "out").iterdir()} == {clean_text(pages / "a.html")}


def clean_text(page: Path) -> str:
    return dehusk("clean", str(page)).stdout.decode()


def test_processes_of_several_jobs_have_the_limit_too(pages: Path, tmp_path: Path) -> None:
    command = ["clean", str(pages), "-o", str(tmp_path / "out"), "--page-seconds", "5", "--jobs", "2"]
    result = subprocess.run([sys.executable, str(PROGRAM), *command], capture_output=True, timeout=300, check=False)
    assert result.returncode == 1, result.stderr
    assert b"took longer than 5 seconds" in result.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "c.txt"]


def test_a_small_page_needs_no_process(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned_here = []

    def clean(task: CleanFile) -> FileCleaned:  # no other process could be sent this
        cleaned_here.append(Path(task.given.label).name)
        return clean_file(task)

    monkeypatch.setattr(clean_running, "clean_file", clean)
    assert dehusk("clean", str(pages / "a.html")).returncode == 0
    assert cleaned_here == ["a.html"]


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts by signal")
def test_an_interrupt_does_not_wait_for_native_code(pages: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, str(PROGRAM), "clean", str(pages / "b.html")],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=usual_signals,
    )
    note = pages / f"b.html{clean_or_stall.NOTE}"
    assert wait_for(lambda: note.exists() or running.poll() is not None, 120)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert b"interrupted" in said
    assert b"Traceback" not in said
