"""Temporary folders are gone when their process is, however it ended; nobody else's are touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dehusk.errors import OutputError
from dehusk.workers.temporary_folders import remove_leftovers, temporary_folder

pytest.importorskip("fcntl")

HOLD = """
import sys; from pathlib import Path; from dehusk.workers.temporary_folders import temporary_folder
with temporary_folder(Path(sys.argv[1])) as folder:
    (folder / "copy").write_text("x"); print(folder, flush=True); sys.stdin.read()
"""


def hold(parent: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLD, str(parent)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_folder_is_gone_when_the_block_ends(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder:
        (folder / "file").write_text("x")
        assert folder.parent == tmp_path
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "dehusk-other").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "dehusk-job-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "dehusk-job-file").write_text("no folder")
    with hold(tmp_path) as killed, temporary_folder(tmp_path) as held:
        assert killed.stdout is not None
        left = Path(killed.stdout.readline().strip())
        remove_leftovers(tmp_path)
        assert left.exists(), "its process is still there"
        killed.kill()
        killed.wait()
        assert left.exists()
        remove_leftovers(tmp_path)
        there = {path.name for path in tmp_path.iterdir()}
        assert there == {"dehusk-other", "elsewhere", "dehusk-job-link", "dehusk-job-file", held.name}


def test_folders_of_other_users_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dehusk-job-1").mkdir()
    monkeypatch.setattr(os, "getuid", lambda: -1)
    remove_leftovers(tmp_path)
    assert (tmp_path / "dehusk-job-1").exists()


def test_no_room_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="TMPDIR"), temporary_folder(tmp_path / "absent"):
        pass
    remove_leftovers(tmp_path / "absent")
