"""Commands whose output cannot be written: one error with a way out, and a run that goes on once there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from command_line import dehusk
from hostile_pages import page
from killed_forks import files_in
from small_disks import LOCKED, cramped, locked

RESUME = "free some space and run the same command again with --resume"
ELSEWHERE = "free some space, or choose another --output"
OUTPUTS: dict[str, tuple[str, ...]] = {
    "out": (),
    "out of Markdown": ("-f", "markdown"),
    "a.jsonl": (),
    "a.jsonl.gz": ("-f", "jsonl"),
    "a.csv": (),
    "a.parquet": (),
    "chunks.jsonl": ("-f", "chunks"),
}
PAGES = 100


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of some 6 KB of text."""
    folder = tmp_path_factory.mktemp("source")
    for number in range(PAGES):
        words = [sha256(f"{number} {word}".encode()).hexdigest()[:9] for word in range(400)]
        story = "".join(f"<p>Of {' and '.join(words[start : start + 20])}.</p>" for start in range(0, 400, 20))
        (folder / f"{number:03}.html").write_bytes(page(0, number).replace(b"<footer>", f"{story}<footer>".encode()))
    return folder


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_full_disk_ends_the_run_with_one_error_and_resume_goes_on(name: str, source: Path, tmp_path: Path) -> None:
    def clean(output: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
        return dehusk("clean", str(source), *OUTPUTS[name], "--output", str(output), *options)

    assert clean(tmp_path / "whole" / name).returncode == 0
    with cramped("full disk", tmp_path / "disk") as disk:
        full = clean(disk.folder / name)
        assert full.returncode == 2
        assert full.stderr.decode().count("\n") == 1
        assert f"no space left on device; {RESUME}" in full.stderr.decode()
        disk.make_room()
        again = clean(disk.folder / name, "--resume")
        assert again.returncode == 0
        assert b"already there" in again.stderr
        assert files_in(disk.folder) == files_in(tmp_path / "whole")


def test_what_cannot_be_resumed_is_not_said_to_be(source: Path, tmp_path: Path) -> None:
    with cramped("full disk", tmp_path / "disk") as disk:
        for options in (["-f", "jsonl", "-o", "a.jsonl", "--drop-duplicates"], ["--explain", "-o", "out"]):
            full = dehusk("clean", str(source), *options, cwd=disk.folder)
            assert full.returncode == 2
            assert full.stderr.decode().count("\n") == 1
            assert f"no space left on device; {ELSEWHERE}" in full.stderr.decode()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_processes_end_with_the_disk(jobs: str, source: Path, tmp_path: Path) -> None:
    with cramped("full disk", tmp_path / "disk") as disk:
        full = dehusk("clean", str(source), "--output", str(disk.folder / "out"), "--jobs", jobs)
        assert full.returncode == 2
        assert full.stderr.decode().count("\n") == 1
        assert not list(disk.folder.rglob(".*"))


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("name", OUTPUTS)
def test_a_folder_that_takes_nothing_ends_the_run(kind: str, name: str, source: Path, tmp_path: Path) -> None:
    with locked(kind, tmp_path / "disk") as folder:
        refused = dehusk("clean", str(source), *OUTPUTS[name], "--output", str(folder / name))
    assert refused.returncode == 2
    assert refused.stderr.decode().count("\n") == 1
    assert b"make it writable, or choose another --output" in refused.stderr


def test_a_page_with_a_name_that_cannot_be_written_costs_no_other(source: Path, tmp_path: Path) -> None:
    """One that is taken by a folder, say: unlike a full disk, it is a matter of that page."""
    (tmp_path / "out" / "003.txt").mkdir(parents=True)
    done = dehusk("clean", str(source), "--output", str(tmp_path / "out"))
    assert done.returncode == 1
    assert len(files_in(tmp_path / "out")) == PAGES - 1


def test_what_a_killed_run_left_is_removed_by_the_next(source: Path, tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / "out" / "sub").mkdir(parents=True)
    for process in (dead.pid, os.getppid()):
        for folder in ("out", "out/sub"):
            (tmp_path / folder / f".dehusk-{process}-000.txt").write_text("half")
    assert dehusk("clean", str(source), "--output", str(tmp_path / "out"), "--resume").returncode == 0
    left = {path.name for path in (tmp_path / "out").rglob(".*")}
    assert left == {f".dehusk-{os.getppid()}-000.txt"}, "that process runs, and may go on writing"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("pages", [slice(1), slice(None)])
def test_standard_output_that_is_full(pages: slice, source: Path) -> None:
    chosen = [str(path) for path in sorted(source.iterdir())[pages]]
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "dehusk", "clean", *chosen]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "standard output: no space left on device; free some space" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def learnt(source: Path, folder: Path) -> subprocess.CompletedProcess[bytes]:
    return dehusk("learn", str(source), "--pages", "20", "--output", str(folder / "site.dehusk"))


def inspected(source: Path, folder: Path) -> subprocess.CompletedProcess[bytes]:
    model = source.parent / "site.dehusk"
    if not model.exists():
        assert learnt(source, model.parent).returncode == 0
    return dehusk("inspect", str(model), "--html", str(folder / "site.html"))


@pytest.mark.parametrize("run", [learnt, inspected])
def test_other_files_without_room(
    run: Callable[[Path, Path], subprocess.CompletedProcess[bytes]], source: Path, tmp_path: Path
) -> None:
    with cramped("full disk", tmp_path / "disk", 4) as disk:
        full = run(source, disk.folder)
        assert full.returncode == 2, full.stderr
        assert b"no space left on device; free some space" in full.stderr
        assert files_in(disk.folder) == {}
        disk.make_room()
        assert run(source, disk.folder).returncode == 0
