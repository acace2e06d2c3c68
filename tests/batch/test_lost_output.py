"""OUT that is full, read-only, removed or in part removed: said plainly, nothing is lost, and the advice works."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hostile_pages import PATIENT, page, write_pages
from hostile_steps import clean_or_misbehave
from reading_here import Backwards, ReadsHere
from test_batches import records, results, run_here

from dehusk.batch import batch_storage, page_steps
from dehusk.batch.batch_running import Batch, BatchDone, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.cleaning_slices import clean_slice
from dehusk.batch.finishing_buckets import finish_bucket
from dehusk.batch.learning_sites import learn_in
from dehusk.batch.page_steps import LearnSite
from dehusk.errors import OutputError
from dehusk.sources.raw_page import RawPage
from dehusk.workers.whole_files import written_whole
from dehusk.workers.worker_process import Worker

SETTINGS = BatchSettings(buckets=2, limits=PATIENT)
SLICED = BatchSettings(buckets=2, limits=PATIENT, task_bytes=1, slice_bytes=1)
"""Each page a slice, so that buckets are not cleaned as soon as they are learnt."""
_PAGES = 8


class Disturbed(Backwards):
    """Does something after a number of tasks, or of those of one step."""

    def __init__(self, disturb: Callable[[], object], after: int, step: Any = None) -> None:
        self._disturb, self._left, self._step = disturb, after, step

    def run(self, step: Any, tasks: Iterable[Any], lost: Any) -> Iterator[Any]:
        for result in super().run(step, tasks, lost):
            if self._step in {None, step}:
                self._left -= 1
                if self._left == 0:
                    self._disturb()
            yield result


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lost") / "source"
    write_pages(folder, 2, _PAGES)
    return folder


@pytest.fixture(scope="module")
def expected(source: Path) -> dict[str, bytes]:
    run_here(source, source.parent / "whole", buckets=2)
    return results(source.parent / "whole")


@pytest.fixture(scope="module")
def expected_slices(source: Path) -> dict[str, bytes]:
    start(source, source.parent / "slices", settings=SLICED)
    return results(source.parent / "slices")


def start(
    source: Path, out: Path, fresh: bool = False, engine: Any = None, settings: BatchSettings = SETTINGS
) -> BatchDone:
    return run_batch(Batch((str(source),), out, settings, clean_or_misbehave), engine or Backwards(), fresh=fresh)


@pytest.mark.parametrize("after", [1, 2, 3], ids=["sorting", "one bucket", "both buckets"])
@pytest.mark.parametrize("fresh", [False, True])
def test_out_that_is_removed_is_said_and_the_advice_works(
    source: Path, expected: dict[str, bytes], tmp_path: Path, after: int, fresh: bool
) -> None:
    out = tmp_path / "out"
    engine = Disturbed(lambda: shutil.rmtree(out), after)
    with pytest.raises(OutputError, match=r"out: was removed while the batch was running; run the same command again"):
        start(source, out, engine=engine)
    assert not out.exists(), "what is written there now would belong to nothing"
    if after == 2:  # once is enough: they all start from the same nothing
        start(source, out, fresh=fresh)
        assert results(out) == expected


def test_out_that_is_emptied_is_said_and_the_advice_works(
    source: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    engine = Disturbed(lambda: shutil.rmtree(out / ".work"), 2)
    with pytest.raises(OutputError, match=r"out: was emptied while the batch was running; start anew with --fresh"):
        start(source, out, engine=engine)
    start(source, out, fresh=True)
    assert results(out) == expected


def test_models_that_are_removed_cost_no_page(source: Path, expected_slices: dict[str, bytes], tmp_path: Path) -> None:
    """Pages that fail for want of a model would be records with errors, and the batch would seem complete."""
    out = tmp_path / "out"
    engine = Disturbed(lambda: shutil.rmtree(out / "models"), 2, finish_bucket)
    with pytest.raises(OutputError, match=r"\.dehusk: cannot be read: no such file .* run the same command again"):
        start(source, out, engine=engine, settings=SLICED)
    start(source, out, settings=SLICED)
    assert results(out) == expected_slices


def test_output_that_is_removed_before_the_end_is_noticed(
    source: Path, expected_slices: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    engine = Disturbed(lambda: shutil.rmtree(out / "pages"), _PAGES, clean_slice)
    with pytest.raises(OutputError, match="was removed while the batch was running; run the same command again"):
        start(source, out, engine=engine, settings=SLICED)
    start(source, out, settings=SLICED)
    assert results(out) == expected_slices


def test_output_that_is_removed_earlier_is_made_again(source: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    start(source, out, engine=Disturbed(lambda: shutil.rmtree(out / "pages"), 2, finish_bucket))
    assert results(out) == expected


STATES: dict[str, Callable[[Path], object]] = {
    "absent": shutil.rmtree,
    "empty": lambda out: (shutil.rmtree(out), out.mkdir()),
    "finished": lambda out: None,
    "without its plan": lambda out: (out / ".work" / "plan.json").unlink(),
    "with a damaged plan": lambda out: (out / ".work" / "plan.json").write_text("{"),
    "without what to go on from": lambda out: shutil.rmtree(out / ".work"),
    "reports alone": lambda out: [shutil.rmtree(out / name) for name in (".work", "pages", "models")],
}


@pytest.mark.parametrize("state", STATES)
def test_fresh_starts_anew_whatever_is_left_of_a_batch(
    source: Path, expected: dict[str, bytes], tmp_path: Path, state: str
) -> None:
    out = tmp_path / "out"
    shutil.copytree(source.parent / "whole", out)
    STATES[state](out)
    is_broken = state not in {"absent", "empty", "finished"}
    if is_broken:
        with pytest.raises(OutputError, match="--fresh"):
            start(source, out)
    assert not start(source, out, fresh=True).was_complete
    assert results(out) == expected


@pytest.mark.parametrize("name", ["pages/mine.txt", "models/mine.dehusk", "report.json", "sites.jsonl", "report.html"])
def test_what_no_batch_wrote_is_named_and_left_alone(source: Path, tmp_path: Path, name: str) -> None:
    mine = tmp_path / "out" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    for fresh in (False, True):
        with pytest.raises(OutputError, match=f"{name}: no batch wrote this; choose another folder"):
            start(source, tmp_path / "out", fresh=fresh)
    assert mine.read_text() == "mine"


def test_a_batch_says_what_it_did_now(source: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(source.parent / "whole", out)
    again = start(source, out)
    assert (again.was_complete, again.pages_now, again.total.count.pages) == (True, 0, 8)
    lost = sorted((out / "pages").iterdir())[0]
    pages = len(lost.read_text().splitlines())
    lost.unlink()
    resumed = start(source, out)
    assert (resumed.was_complete, resumed.pages_now, resumed.total.count.pages) == (False, pages, 8)
    assert 0 < pages < 8


# What the system refuses

REFUSED = ("*/.work/plan.json", "*/.work/buckets/*/*", "*.dehusk", "*.sites.jsonl", "*/pages/*", "*/report.json")


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_full_disk_is_said_and_nothing_is_lost(
    source: Path, expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    @contextmanager
    def full(target: Path) -> Iterator[Path]:
        with written_whole(target) as temporary:
            yield temporary
            if target.match(pattern):
                raise OSError(errno.ENOSPC, "pyarrow has words of its own")

    with monkeypatch.context() as patched:
        patched.setattr(batch_storage, "written_whole", full)
        with pytest.raises(OutputError, match="no space left on device; free some space and run the same command"):
            start(source, tmp_path / "out")
    assert not list((tmp_path / "out").rglob(".dehusk-*")), "nothing half written is left"
    start(source, tmp_path / "out")
    assert results(tmp_path / "out") == expected


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to mount")
def test_a_disk_that_is_really_full(source: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "small"
    out.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(out)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("cannot mount")
    try:
        with pytest.raises(OutputError, match="no space left on device; free some space and run the same command"):
            start(source, out / "out")
        subprocess.run(["mount", "-o", "remount,size=4m", str(out)], check=True)
        start(source, out / "out")
        assert results(out / "out") == expected
        subprocess.run(["mount", "-o", "remount,ro", str(out)], check=True)
        with pytest.raises(OutputError, match="read-only file system; make it writable, or choose another OUT"):
            start(source, out / "out")
    finally:
        subprocess.run(["umount", "-l", str(out)], check=True)


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.EACCES, "make it writable"), (errno.EROFS, "make it writable"), (errno.EIO, "check the disk")],
)
def test_each_refusal_has_its_advice(number: int, advice: str) -> None:
    with pytest.raises(OutputError, match=f"{os.strerror(number).lower()}; {advice}"), batch_storage.refusals("OUT"):
        raise OSError(number, "refused")


def test_a_model_that_cannot_be_written_is_no_fault_of_the_site(tmp_path: Path) -> None:
    pages = tuple(RawPage(page(0, number)) for number in range(4))
    wanted = LearnSite("site-0.example", pages, "hybrid", 3, str(tmp_path / "absent" / "model.dehusk"))
    with Worker(PATIENT) as worker:
        learnt = learn_in(worker, wanted, SETTINGS)
    assert isinstance(learnt, OutputError)
    assert "run the same command again" in learnt.remedy


def test_no_room_for_a_copy_is_no_fault_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local = pytest.importorskip("fsspec.implementations.local")
    (tmp_path / "pages.jsonl").write_text('{"html": "<p>x"}')

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(local.LocalFileSystem, "get_file", full)
    monkeypatch.setattr(page_steps, "Worker", ReadsHere)
    monkeypatch.setattr(page_steps, "_workers", {})
    batch = Batch((f"file://{tmp_path}/pages.jsonl",), tmp_path / "out", SETTINGS)
    with pytest.raises(OutputError, match=r"no space left on this machine .* TMPDIR"):
        run_batch(batch, Backwards())
    monkeypatch.undo()
    assert run_batch(batch, Backwards()).total.count.failed == 0


# What pages are called


def test_pages_of_an_archive_are_called_by_their_address(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    archive = tmp_path / "crawl.warc"
    archive.write_bytes(b"".join(warc_record(number) for number in range(2)))
    run_here(archive, tmp_path / "out")
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    called = f"https://site-0.example/1 ({archive}#record 2)"
    assert [message.partition(": unexpected")[0] for message in report["messages"]] == [called]
    assert {name for _, _, name in report["slowest"]} == {called, f"https://site-0.example/0 ({archive}#record 1)"}
    assert any((record["error"] or "").startswith(called) for record in records(tmp_path / "out"))
    assert called in (tmp_path / "out" / "report.html").read_text()


def warc_record(number: int) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(0, number, "RAISE" if number else "")
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://site-0.example/{number}\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"
