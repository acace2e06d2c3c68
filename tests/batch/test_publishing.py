"""Batches that are killed just before or after a file gets its name, and batches without room, on both engines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from dying_publishers import DiesPublishing
from hostile_pages import PATIENT, EngineOf, write_pages
from killed_forks import killed_at_renames
from small_disks import LOCKED, cramped, locked
from test_batches import records, results, run_here
from test_killed_batches import is_gone, wait_for
from thoroughness import THOROUGH

from dehusk.batch.batch_running import Batch, BatchDone, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.engines import Engine
from dehusk.batch.page_steps import clean_page
from dehusk.errors import OutputError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes by signal")

HERE = Path(__file__).parent.parent / "support"
MOMENTS = [("*/pages/*", "before"), ("*/pages/*", "after"), ("*.dehusk", "before"), ("*/cleaned/*.json", "before")]
_PAGES = 24


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published") / "source"
    write_pages(folder, 2, _PAGES)
    return folder


@pytest.fixture(scope="module")
def expected(source: Path) -> dict[str, bytes]:
    run_here(source, source.parent / "whole", buckets=2)
    return results(source.parent / "whole")


def start(source: Path, out: Path, engine: Engine, clean: object = clean_page) -> BatchDone:
    return run_batch(Batch((str(source),), out, BatchSettings(buckets=2, limits=PATIENT), clean), engine)  # type: ignore[arg-type]


@pytest.mark.parametrize(("pattern", "when"), MOMENTS)
def test_a_process_that_is_killed_while_it_publishes_costs_nothing(
    engine_of: EngineOf,
    source: Path,
    expected: dict[str, bytes],
    modules_for_all: None,
    tmp_path: Path,
    pattern: str,
    when: str,
) -> None:
    """Its task is done again, in the same run."""
    note, out = tmp_path / "note", tmp_path / "out"
    start(source, out, engine_of(1), DiesPublishing(str(note), pattern, when))
    assert note.exists(), "it did not die"
    assert results(out) == expected
    assert len(records(out)) == _PAGES
    assert not list(out.rglob(".dehusk-*"))


@pytest.mark.parametrize(("engine", "pattern", "when"), [("local", *MOMENTS[0]), ("ray", *MOMENTS[1])])
def test_a_batch_that_is_killed_while_it_publishes_goes_on(
    source: Path,
    expected: dict[str, bytes],
    modules_for_all: None,
    tmp_path: Path,
    engine: str,
    pattern: str,
    when: str,
) -> None:
    if engine == "ray" and find_spec("ray") is None:
        pytest.skip("no ray")
    note, out = tmp_path / "note", tmp_path / "out"
    command = [sys.executable, str(HERE / "dying_publishers.py")]

    def run(engine: str) -> subprocess.Popen[bytes]:
        arguments = [engine, str(source), str(out), str(note), pattern, when]
        return subprocess.Popen([*command, *arguments], start_new_session=True, stdout=subprocess.DEVNULL)

    killed = run(engine)
    assert killed.wait(300) == -signal.SIGKILL
    assert note.exists()
    assert wait_for(lambda: is_gone(killed.pid), 120, 0.05)
    assert not (out / "report.json").exists()
    assert run("local").wait(300) == 0
    assert results(out) == expected
    assert not list(out.rglob(".dehusk-*"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks")
@pytest.mark.parametrize(("settings", "every"), [(("jsonl",), 5), (("parquet", "without duplicates"), 31)])
def test_killed_at_any_rename_a_batch_ends_with_the_same_output(
    settings: tuple[str, ...], every: int, tmp_path: Path
) -> None:
    """The process that runs the batch publishes, too: the plan, what is finished, and the reports."""
    places = killed_at_renames("run_small_batch", tmp_path, *settings, every=1 if THOROUGH else every)
    whole = results(places["never"] / "out")
    assert len(places) > 4
    for moment, place in places.items():
        assert results(place / "out") == whole, moment
        assert not list(place.rglob(".dehusk-*")), moment


def test_a_full_disk_ends_the_batch_with_an_error_and_it_goes_on_once_there_is_room(
    engine_of: EngineOf, source: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    with cramped("full disk", tmp_path / "disk", 64) as disk:
        with pytest.raises(OutputError, match="no space left on device; free some space and run the same command"):
            start(source, disk.folder / "out", engine_of(1))
        assert not list(disk.folder.rglob(".dehusk-*"))
        disk.make_room()
        start(source, disk.folder / "out", engine_of(1))
        assert results(disk.folder / "out") == expected


@pytest.mark.parametrize("kind", LOCKED)
def test_a_folder_that_takes_nothing(kind: str, engine_of: EngineOf, source: Path, tmp_path: Path) -> None:
    with (
        locked(kind, tmp_path / "disk") as folder,
        pytest.raises(OutputError, match="make it writable, or choose another OUT"),
    ):
        start(source, folder / "out", engine_of(1))
