"""`dehusk batch`, in real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import dehusk, dehusk_process
from small_pages import PAGE_WITH_HIDDEN_TEXT
from usual_signals import usual_signals
from waiting import wait_for

from dehusk.batch.batch_counts import BatchCount
from dehusk.batch.batch_files import progress
from dehusk.batch.batch_settings import FORMATS, BatchSettings
from dehusk.batch.batch_storage import LocalStorage, write_json, write_text
from dehusk.batch.bucketing import InputBucketed
from dehusk.batch.cleaning_slices import SliceCleaned
from dehusk.batch.engines import ENGINES
from dehusk.batch.learning_sites import BucketLearnt
from dehusk.cli.batch_command import BatchFormat, EngineName
from dehusk.cli.batch_progress import ProgressWatcher

MENU = "<nav><a href=/>Home</a></nav>"


def write_site(folder: Path, pages: int) -> None:
    """Pages that say their language and date: to find out either, a process loads for longer than it cleans."""
    folder.mkdir()
    head = "<html lang=en><meta property=article:published_time content=2024-05-01>"
    for number in range(pages):
        story = " ".join(f"Story {number} has word {number * 7 + index} of its own." for index in range(30))
        (folder / f"{number}.html").write_text(f"{head}{MENU}<p>{story}</p><footer>Imprint</footer>")


def test_names_are_those_of_the_library() -> None:
    assert tuple(BatchFormat) == FORMATS
    assert {str(name) for name in EngineName} == set(ENGINES)


def test_pages_models_and_reports_are_written(tmp_path: Path) -> None:
    write_site(tmp_path / "site", 4)
    (tmp_path / "site" / "gone.html").symlink_to(tmp_path / "site" / "nowhere")
    out = tmp_path / "out"
    command = ["batch", str(tmp_path / "site"), "-o", str(out), "--buckets", "2", "--content", "markdown"]
    first = dehusk_process(*command)
    assert first.returncode == 1, first.stderr
    assert b"not-readable 1" in first.stderr
    records = [json.loads(line) for path in out.glob("pages/*.jsonl") for line in path.read_text().splitlines()]
    assert len(records) == 5
    assert len(list(out.glob("models/*.dehusk"))) == 1
    report = json.loads((out / "report.json").read_text())
    assert (report["pages"], report["failed"]) == (5, 1)
    defaults = BatchSettings(buckets=2, content="markdown")
    assert report["settings"]["limits"] == {"seconds": defaults.limits.seconds, "megabytes": defaults.limits.megabytes}
    assert report["settings"]["sample"] == defaults.sample
    assert (out / "report.html").read_text().startswith("<!DOCTYPE html>")
    again = dehusk(*command)
    assert again.returncode == 1, again.stderr
    assert b"already complete: 5 pages" in again.stderr
    speed = [line.split("│")[5].strip() for line in again.stderr.decode().splitlines() if line.startswith("│")]
    assert speed == ["-"], "it did not do the work"
    for options in (["--format", "parquet"], ["--without-rule", "teasers"]):
        other = dehusk(*command, *options)
        assert other.returncode == 2
        assert b"--fresh" in other.stderr


@pytest.mark.usefixtures("no_processes")
def test_sorting_can_be_done_first(tmp_path: Path) -> None:
    write_site(tmp_path / "site", 3)
    out = tmp_path / "out"
    command = ["batch", str(tmp_path / "site"), "-o", str(out), "--buckets", "2"]
    first = dehusk(*command, "--sort-only")
    assert first.returncode == 0, first.stderr
    assert b"3 pages in 1 bucket," in first.stderr
    assert len(list(out.glob(".work/buckets/*/*.arrows"))) == 1
    assert not (out / "pages").exists()
    assert dehusk(*command).returncode == 0
    assert len(next(out.glob("pages/*.jsonl")).read_text().splitlines()) == 3


@pytest.mark.usefixtures("no_processes")
def test_a_rule_can_be_switched_off(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.html").write_text(PAGE_WITH_HIDDEN_TEXT)
    texts = []
    for number, options in enumerate([[], ["--without-rule", "hidden-text"]]):
        out = tmp_path / f"out-{number}"
        assert dehusk("batch", str(folder), "-o", str(out), "--jobs", "1", "--buckets", "2", *options).returncode == 0
        texts.append(json.loads(next(out.glob("pages/*.jsonl")).read_text())["text"])
    assert ["Cup number" in text for text in texts] == [False, True]
    refused = dehusk("batch", str(folder), "-o", str(tmp_path / "none"), "--without-rule", "magic")
    assert refused.returncode == 2
    assert "--without-rule: no rule is called 'magic'; choose from tables-between-text" in refused.stderr.decode()
    assert not (tmp_path / "none").exists()


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    result = dehusk("batch", str(tmp_path / "absent"), "-o", str(tmp_path / "out"))
    assert result.returncode == 2
    assert b"no such file or folder" in result.stderr


def test_without_pyarrow_the_way_out_is_said(tmp_path: Path) -> None:
    write_site(tmp_path / "site", 1)
    arguments = ["dehusk", "batch", str(tmp_path / "site"), "-o", str(tmp_path / "out")]
    code = f"import sys; sys.modules['pyarrow'] = None; sys.argv = {arguments}; from dehusk.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert result.returncode == 2
    assert b"pip install 'dehusk[parquet]'" in result.stderr
    assert not (tmp_path / "out").exists()


def test_progress_adds_what_is_done_to_what_is_under_way(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path)
    with ProgressWatcher() as watcher:
        watcher.bucketing(1)
        watcher.bucketed(InputBucketed(0, 100, 0, 0, (0, 1, 2)))
        watcher.learning(1)
        watcher.learnt(BucketLearnt(0, 3, 1))
        watcher.cleaning(storage, [(0, 0), (0, 1), (2, 0)], 100, 3)
        watcher.cleaned(SliceCleaned(0, 0, BatchCount(pages=40, failed=1)))
        write_json(storage, progress(0, 0), {"pages": 39, "failed": 1})
        write_json(storage, progress(0, 1), {"pages": 5, "failed": 2})
        write_text(storage, progress(2, 0), "{")
        pages, line = watcher._look()
    assert pages == 45
    assert line.startswith("cleaning 3 sites: ")
    assert line.endswith("pages/s, 3 not cleaned")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell which processes there are")
@pytest.mark.parametrize("seconds", [0, 0.2, 0.4, 0.6, 0.8])
def test_the_terminal_interrupts_processes_that_are_starting(tmp_path: Path, seconds: float) -> None:
    write_site(tmp_path / "site", 200)
    running = subprocess.Popen(
        [sys.executable, "-m", "dehusk", "batch", str(tmp_path / "site"), "-o", str(tmp_path / "out"), "--jobs", "2"],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=usual_signals,
    )
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    assert wait_for(lambda: len(children.read_text().split()) > 1, 60)
    time.sleep(seconds)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert b"Traceback" not in said
    assert b"run the same command again to continue" in said


@pytest.mark.usefixtures("no_processes")  # of the second run
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts by signal")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_it_at_once_and_it_goes_on(tmp_path: Path, number: int, code: int) -> None:
    write_site(tmp_path / "site", 60)
    out, temporary = tmp_path / "out", tmp_path / "temporary"
    temporary.mkdir()
    command = ["batch", str(tmp_path / "site"), "-o", str(out), "--buckets", "2", "--jobs", "2"]
    running = subprocess.Popen(
        [sys.executable, "-m", "dehusk", *command],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=usual_signals,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    assert wait_for(lambda: any(out.glob(".work/buckets/*/*.arrows")) or running.poll() is not None, 120)
    os.kill(running.pid, number)
    _, said = running.communicate(timeout=60)
    assert running.returncode == code, said
    assert b"run the same command again to continue" in said
    assert not list(out.rglob(".dehusk-*")), "nothing half written is left"
    assert not list(temporary.iterdir())
    assert dehusk(*command).returncode == 0
    assert len(next(out.glob("pages/*.jsonl")).read_text().splitlines()) == 60
