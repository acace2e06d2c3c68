"""Whole batches, in real processes: nothing is lost, nothing depends on jobs, hostile pages cost themselves alone."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterator
from itertools import chain
from mmap import mmap
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile_pages import IMPATIENT, PATIENT, page, run, write_pages
from hostile_steps import DeadlyPage, clean_or_misbehave
from reading_here import Backwards, Forwards, ReadsHere

import dehusk
from dehusk.batch import batch_inputs, bucketing, page_steps, reading_files
from dehusk.batch.batch_files import bucket_folder, bucket_of
from dehusk.batch.batch_running import Batch, BatchDone, run_batch, sort_pages
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import open_storage
from dehusk.batch.bucket_tables import StoredPage, open_stream, page_schema, page_table, read_sizes, read_stored
from dehusk.batch.bucketing import BucketInput, bucket_input, bucketed_before, give_up_input
from dehusk.batch.cleaning_slices import RECORD_FIELDS
from dehusk.batch.engines import LocalEngine, open_engine
from dehusk.batch.learning_sites import SiteSample, choose_samples, cut_into_slices, learn_in
from dehusk.batch.page_steps import LearnSite
from dehusk.errors import InvalidSetting, OutputError, SourceNotFound, UnknownName
from dehusk.page.page_reading import read_page
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.worker_process import Worker

SPELLS = {17: "NATIVE", 38: "DIE", 59: "BLOAT", 71: "RAISE"}
HOSTILE: dict[str, Any] = {"limits": IMPATIENT, "buckets": 2}


def records(out: Path) -> list[dict[str, Any]]:
    lines = [line for path in sorted((out / "pages").glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [json.loads(line) for line in lines]


def sites_of(out: Path) -> dict[str, dict[str, Any]]:
    sites = map(json.loads, (out / "sites.jsonl").read_text("utf-8").splitlines())
    return {site["site"]: site for site in sites}


def written(out: Path) -> list[Path]:
    return [*(out / "pages").iterdir(), *(out / "models").iterdir()]


def results(out: Path) -> dict[str, bytes]:
    """All that must be the same from run to run. Times are not."""
    found = {str(path.relative_to(out)): path.read_bytes() for path in written(out)}
    report = json.loads((out / "report.json").read_text())
    timeless = {name: value for name, value in report.items() if name not in {"seconds", "slowest"}}
    return found | {"sites": (out / "sites.jsonl").read_bytes(), "report": json.dumps(timeless).encode()}


def parts(out: Path, *buckets: int) -> list[tuple[int, Path]]:
    """Number of the input and file of what is in the buckets."""
    storage = open_storage(out)
    names = [name for bucket in buckets for name in storage.names(bucket_folder(bucket))]
    return [(int(Path(name).stem), out / name) for name in names]


@pytest.fixture(scope="module")
def hostile_batch(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """160 pages of 5 sites, four of them hostile, cleaned by one process."""
    folder = tmp_path_factory.mktemp("hostile")
    write_pages(folder / "source", 5, 160, SPELLS)
    run(folder / "source", folder / "out", **HOSTILE)
    return folder / "source", folder / "out"


def test_every_good_page_is_there_and_every_hostile_one_has_its_error(hostile_batch: tuple[Path, Path]) -> None:
    source, out = hostile_batch
    found = {Path(record["name"]).name: record for record in records(out)}
    assert sorted(found) == sorted(path.name for path in source.iterdir())
    errors = {int(name[:4]): record["error"] for name, record in found.items() if record["error"]}
    assert set(errors) == set(SPELLS)
    assert "took longer than 5 seconds" in errors[17]
    assert "its process died (exit code 7)" in errors[38]
    assert "needs more than 400 MB of memory" in errors[59]
    assert "unexpected ZeroDivisionError" in errors[71]
    good = found["0007.html"]
    assert tuple(good) == RECORD_FIELDS
    assert good["site"] == "site-2.example"
    assert good["title"] == "Page 7"
    assert "All rights" not in good["text"]


def test_records_are_what_the_library_says(hostile_batch: tuple[Path, Path]) -> None:
    source, out = hostile_batch
    site = sites_of(out)["site-3.example"]
    assert (site["pages"], site["sampled"], site["different"], site["failed"]) == (32, 32, 32, 1)
    model = dehusk.load_model(out / "models" / site["model"])
    assert model.pages == 32
    path = source / "0003.html"
    expected = dehusk.clean(read_page(RawPage(path.read_bytes())), model).text
    assert next(record["text"] for record in records(out) if record["name"] == str(path)) == expected


def test_the_report_adds_up_and_is_escaped(hostile_batch: tuple[Path, Path]) -> None:
    _, out = hostile_batch
    report = json.loads((out / "report.json").read_text())
    assert (report["pages"], report["failed"], report["sites"], report["learnt"]) == (160, 4, 5, 5)
    assert report["causes"] == {"timeout": 1, "process-died": 1, "out-of-memory": 1, "not-cleaned": 1}
    texts = [record["text"] for record in records(out) if not record["error"]]
    assert report["size_after"] == sum(len(text.encode()) for text in texts)
    slowest = {Path(name).name: seconds for seconds, _, name in report["slowest"]}
    assert slowest["0017.html"] >= IMPATIENT.seconds
    assert list(slowest.values()) == sorted(slowest.values(), reverse=True)
    assert 0 < report["removed"] < 1
    shown = (out / "report.html").read_text()
    assert "site-3.example" in shown
    assert "0017.html" in shown


def test_what_is_not_a_page_is_skipped_and_no_failure(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 1, 4)
    (tmp_path / "source" / "0001.html").write_bytes(b"%PDF-1.4\n1 0 obj")
    (tmp_path / "source" / "0002.html").write_bytes(b"")
    os.mkfifo(tmp_path / "source" / "pipe.parquet")
    count = run_here(tmp_path / "source", tmp_path / "out").total.count
    assert (count.pages, count.skipped, count.failed) == (5, 3, 0)
    assert count.causes == {"not-html": 1, "empty": 1, "not-followed": 1}
    errors = {Path(record["name"]).name: record["error"] for record in records(tmp_path / "out") if record["error"]}
    assert sorted(errors) == ["0001.html", "0002.html", "pipe.parquet"]
    problems = sorted(record["problem"] for record in records(tmp_path / "out") if record["error"])
    assert problems == ["empty", "not-followed", "not-html"]
    assert "is a PDF, not html" in errors["0001.html"]
    skipped = sum(site["skipped"] for site in sites_of(tmp_path / "out").values())
    assert (skipped, json.loads((tmp_path / "out" / "report.json").read_text())["skipped"]) == (3, 3)


def test_jobs_change_nothing(hostile_batch: tuple[Path, Path], tmp_path: Path) -> None:
    source, out = hostile_batch
    run(source, tmp_path / "out", jobs=3, **HOSTILE)
    assert results(tmp_path / "out") == results(out)


def run_here(source: Path, out: Path, **settings: object) -> BatchDone:
    """A batch whose tasks are done in this process, for tests that are not about processes: to start one takes long."""
    return run(source, out, engine=Backwards(), **settings)


def test_the_order_of_tasks_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pages(tmp_path / "source", 3, 12)
    monkeypatch.setattr(batch_inputs, "TASK_FILES", 5)
    batches = [
        Batch((str(tmp_path / "source"),), tmp_path / name, BatchSettings(buckets=2, limits=PATIENT))
        for name in ("forwards", "backwards")
    ]
    run_batch(batches[0], Forwards())
    run_batch(batches[1], Backwards())
    assert results(tmp_path / "backwards") == results(tmp_path / "forwards")


def test_rows_are_in_the_order_of_the_input(hostile_batch: tuple[Path, Path]) -> None:
    _, out = hostile_batch
    for path in (out / "pages").iterdir():
        names = [json.loads(line)["name"] for line in path.read_text("utf-8").splitlines()]
        assert names == sorted(names)


def test_a_finished_batch_has_nothing_left_to_do(hostile_batch: tuple[Path, Path]) -> None:
    source, out = hostile_batch
    before = results(out)
    times = {path: path.stat().st_mtime_ns for path in written(out)}
    run(source, out, **HOSTILE)
    assert results(out) == before
    assert {path: path.stat().st_mtime_ns for path in written(out)} == times
    assert not (out / ".work" / "buckets").exists(), "copies of all pages would be left"


def test_output_that_was_lost_is_made_again(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 3, 12)
    run_here(tmp_path / "source", tmp_path / "out", buckets=3)
    before = results(tmp_path / "out")
    next((tmp_path / "out" / "pages").iterdir()).unlink()
    run_here(tmp_path / "source", tmp_path / "out", buckets=3)
    assert results(tmp_path / "out") == before


def test_models_that_were_lost_are_learnt_again(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 1, 6)
    run_here(tmp_path / "source", tmp_path / "out", buckets=1)
    before = results(tmp_path / "out")
    for path in written(tmp_path / "out"):
        path.unlink()
    run_here(tmp_path / "source", tmp_path / "out", buckets=1)
    assert results(tmp_path / "out") == before


def test_a_giant_site_is_cleaned_in_slices_with_one_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page here is a group of rows, so slices can be cut anywhere."""
    write_pages(tmp_path / "source", 1, 12, {7: "RAISE"})
    monkeypatch.setattr(bucketing, "GATHERED_BYTES", 1)
    batches = {
        name: Batch(
            (str(tmp_path / "source"),),
            tmp_path / name,
            BatchSettings(buckets=1, limits=PATIENT, slice_bytes=slice_bytes),
            clean_or_misbehave,
        )
        for name, slice_bytes in (("whole", 10**9), ("sliced", 3 * (len(page(0, 10)) + 500)))
    }
    for batch in batches.values():
        run_batch(batch, Backwards())
    sliced, whole = tmp_path / "sliced", tmp_path / "whole"
    assert len(list((sliced / "pages").iterdir())) > 2
    assert [path.name for path in (whole / "pages").iterdir()] == ["00000-00000.jsonl"]
    assert records(sliced) == records(whole)
    assert sites_of(sliced) == sites_of(whole)
    assert [path.read_bytes() for path in (sliced / "models").iterdir()] == [
        path.read_bytes() for path in (whole / "models").iterdir()
    ]
    counted = ("pages", "failed", "sites", "learnt", "size_before", "size_after", "causes")
    reports = [json.loads((out / "report.json").read_text()) for out in (sliced, whole)]
    assert [reports[0][name] for name in counted] == [reports[1][name] for name in counted]


def test_slices_are_all_of_a_bucket_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pages(tmp_path / "source", 2, 36)
    names = sorted(path.name for path in (tmp_path / "source").iterdir())
    monkeypatch.setattr(bucketing, "GATHERED_BYTES", 4000)
    for number in range(3):
        bucket_input(bucket_task(tmp_path, names[number::3], number))
    there = parts(tmp_path / "out", bucket_of("site-0.example", 2))
    by_part = {number: [sum(page.size for page in pages) for pages in read_sizes(path)] for number, path in there}
    sizes = {(number, index): size for number, of_part in by_part.items() for index, size in enumerate(of_part)}
    assert len(sizes) > 5
    for most in (1, 3 * max(sizes.values()), 10**9):
        cut = list(cut_into_slices(by_part.items(), most))
        groups = [[(some.number, group) for some in one for group in range(some.first, some.end)] for one in cut]
        assert [group for one in groups for group in one] == list(sizes)
        assert all(groups)
        assert all(len(one) == 1 or sum(sizes[group] for group in one) <= most for one in groups)
    assert len(cut) == 1


def test_parquet_holds_the_same_records(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 2, 8, {3: "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), 5: "RAISE"})
    run_here(tmp_path / "source", tmp_path / "lines", buckets=1)
    run_here(tmp_path / "source", tmp_path / "table", buckets=1, format_name="parquet")
    assert pq.read_table(tmp_path / "table" / "pages" / "00000-00000.parquet").to_pylist() == records(
        tmp_path / "lines"
    )


def test_the_report_tells_pages_with_damaged_text(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 1, 4)
    for number, broken in ((1, b"\xff"), (2, b"\xff\xfe")):
        path = tmp_path / "source" / f"000{number}.html"
        path.write_bytes(path.read_bytes() + "<p>été, été".encode() + broken)
    run_here(tmp_path / "source", tmp_path / "out", buckets=1)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["damaged"] == 2
    damage = {Path(record["name"]).name: record["damage"] for record in records(tmp_path / "out")}
    worst = [[share, encoding, Path(name).name] for share, encoding, name in report["most_damaged"]]
    assert worst == [[damage[name], "utf-8", name] for name in ("0002.html", "0001.html")]
    assert worst[0][0] > worst[1][0] > 0
    assert "Most damaged text" in (tmp_path / "out" / "report.html").read_text()


def test_small_sites_use_page_evidence_alone(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 4, 9)
    done = run_here(tmp_path / "source", tmp_path / "out")
    assert [name for name, site in sites_of(tmp_path / "out").items() if site["model"]] == ["site-0.example"]
    assert done.total.learnt == 1
    path = tmp_path / "source" / "0001.html"
    expected = dehusk.clean(path.read_bytes()).text
    assert next(r["text"] for r in records(tmp_path / "out") if r["name"] == str(path)) == expected


def test_repeated_pages_are_not_learnt_but_are_cleaned(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for number in range(6):
        (source / f"{number}.html").write_bytes(page(0, number % 2))
    run_here(source, tmp_path / "out")
    site = json.loads((tmp_path / "out" / "sites.jsonl").read_text())
    assert (site["pages"], site["sampled"], site["different"], site["model"]) == (6, 6, 2, "")


def test_names_cannot_break_out_of_the_report(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "<script>alert(1)<\x1b[31m.html").write_bytes(b"<p>RAISE")
    done = run_here(source, tmp_path / "out")
    shown = (tmp_path / "out" / "report.html").read_text()
    assert done.total.count.failed == 1
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert "&lt;script&gt;" in shown


def test_readers_may_fail_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(file: PageFile, options: SourceOptions) -> Iterator[RawPage | SourceNotFound]:
        yield RawPage(page(0, 1), name="first")
        yield SourceNotFound("second", "is gone")
        yield RawPage(page(0, 3), name="third")
        raise ZeroDivisionError

    monkeypatch.setattr(reading_files, "read_source_file", failing)
    monkeypatch.setattr(page_steps, "Worker", ReadsHere)
    monkeypatch.setattr(page_steps, "_workers", {})
    assert bucket_input(bucket_task(tmp_path, ["a.warc"])).failed == 2
    stored = [page for _, path in parts(tmp_path / "out", 0, 1) for page in read_stored(path)]
    found = {page.position: (page.raw.name, page.cause) for page in stored}
    archive = str(tmp_path / "source" / "a.warc")
    assert found == {0: ("first", ""), 1: ("second", "not-found"), 2: ("third", ""), 3: (archive, "not-cleaned")}


def test_a_file_that_takes_too_much_memory_is_a_fault_and_the_rest_goes_on(tmp_path: Path) -> None:
    """A bucket of another batch, by what it says of itself: 50 kB, and 480 MB of pages in one piece."""
    source = tmp_path / "source"
    source.mkdir()
    rows = page_table([StoredPage("a.example", RawPage(b""))] * 8)
    offsets, zeros = pa.py_buffer(array("q", range(0, 481_000_000, 60_000_000))), pa.py_buffer(mmap(-1, 480_000_000))
    bodies = pa.Array.from_buffers(pa.large_binary(), 8, [None, offsets, zeros])
    with open(source / "bomb.arrows", "wb") as file, open_stream(file) as stream:
        stream.write_table(rows.set_column(rows.column_names.index("body"), page_schema().field("body"), bodies))
    assert (source / "bomb.arrows").stat().st_size < 100_000
    (source / "good.html").write_bytes(page(0, 1))
    done = run_here(source, tmp_path / "out", method="page-evidence")
    assert done.total.count.causes == {"out-of-memory": 1}
    errors = {Path(record["name"]).name: record["error"] for record in records(tmp_path / "out")}
    assert "needs more than 400 MB of memory" in errors["bomb.arrows"]
    assert not errors["good.html"]


def test_files_that_cannot_be_read_are_rows_with_errors(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.html").write_bytes(page(0, 1))
    (source / "b.html").symlink_to(source / "nowhere")
    done = run_here(source, tmp_path / "out")
    assert done.total.count.causes == {"not-readable": 1}
    assert sorted(bool(record["error"]) for record in records(tmp_path / "out")) == [False, True]


def test_other_settings_or_pages_need_a_fresh_start(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    write_pages(source, 1, 3)
    run_here(source, out)
    with pytest.raises(OutputError, match=r"differs in settings.*--fresh"):
        run_here(source, out, buckets=5)
    (source / "0003.html").write_bytes(page(0, 3))
    with pytest.raises(OutputError, match="differs in files"):
        run_here(source, out)
    (out / "mine.txt").write_text("not of the batch")
    batch = Batch((str(source),), out, BatchSettings(buckets=2, limits=PATIENT))
    assert run_batch(batch, Backwards(), fresh=True).total.count.pages == 4
    assert (out / "mine.txt").exists()


def test_what_no_batch_wrote_is_left_alone(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 1, 1)
    (tmp_path / "out" / "pages").mkdir(parents=True)
    (tmp_path / "out" / "pages" / "mine.txt").write_text("not of the batch")
    batch = Batch((str(tmp_path / "source"),), tmp_path / "out")
    for fresh in (False, True):
        with pytest.raises(OutputError, match="no batch wrote"):
            run_batch(batch, LocalEngine(), fresh=fresh)


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    write_pages(tmp_path / "source", 1, 1)
    (tmp_path / "out").mkdir()
    with open(tmp_path / "out" / ".lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(OutputError, match="another run"):
            run(tmp_path / "source", tmp_path / "out")


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"format_name": "csv"}, InvalidSetting),
        ({"content": "words"}, InvalidSetting),
        ({"buckets": 0}, InvalidSetting),
        ({"buckets": 100_000}, InvalidSetting),
        ({"method": "magic"}, UnknownName),
        ({"method": "style-tree", "decision": dehusk.deciding.decisions.Decision("recall")}, InvalidSetting),
    ],
)
def test_settings_are_checked_before_anything_is_done(
    tmp_path: Path, settings: dict[str, Any], error: type[Exception]
) -> None:
    write_pages(tmp_path / "source", 1, 1)
    with pytest.raises(error):
        run(tmp_path / "source", tmp_path / "out", **settings)
    assert not (tmp_path / "out").exists()


def test_inputs_are_checked(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        batch_inputs.find_inputs([str(tmp_path / "absent")])
    with pytest.raises(SourceNotFound, match="no pages"):
        batch_inputs.find_inputs([str(tmp_path)])
    with pytest.raises(InvalidSetting, match="standard input"):
        batch_inputs.find_inputs(["-"])
    write_pages(tmp_path / "source", 1, 3)
    folder = str(tmp_path / "source")
    assert len(batch_inputs.find_inputs([folder, f"{folder}/0001.html"])) == 3
    with pytest.raises(UnknownName, match="local"):
        open_engine("abacus", 1)


def test_tasks_are_neither_too_many_nor_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_inputs, "TASK_FILES", 3)
    sizes = [10, 10, 10, 10, 500, 60, 60, 20]
    found = [batch_inputs.InputFile(PageFile(str(number), ""), size, 0) for number, size in enumerate(sizes)]
    cut = [[int(file.path) for file in task] for task in batch_inputs.cut_into_tasks(found, 100)]
    assert cut == [[0, 1, 2], [3], [4], [5], [6, 7]]


def bucket_task(tmp_path: Path, names: list[str], number: int = 0) -> BucketInput:
    files = tuple(PageFile(str(tmp_path / "source" / name), name) for name in names)
    (tmp_path / "out").mkdir(exist_ok=True)
    return BucketInput(number, files, str(tmp_path / "out"), BatchSettings(buckets=2, limits=PATIENT))


def test_a_site_is_in_one_bucket_in_order(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 2, 8)
    (tmp_path / "source" / "odd.html").write_bytes(b"<p>from nowhere")
    names = sorted(path.name for path in (tmp_path / "source").iterdir())
    result = bucket_input(bucket_task(tmp_path, names))
    assert (result.pages, result.failed) == (9, 0)
    storage = open_storage(tmp_path / "out")
    assert bucketed_before(storage, 0) == result
    assert bucketed_before(storage, 1) is None
    assert result.buckets == tuple(bucket for bucket in range(2) if parts(tmp_path / "out", bucket))
    pages = [(b, page) for b in range(2) for _, path in parts(tmp_path / "out", b) for page in read_stored(path)]
    assert sorted(page.position for _, page in pages) == list(range(9))
    assert {page.site for _, page in pages} == {"site-0.example", "site-1.example", str(tmp_path / "source")}
    for bucket, stored in pages:
        assert bucket == bucket_of(stored.site, 2)
        assert stored.raw.body == Path(stored.raw.name).read_bytes()
    (_, part), *_ = parts(tmp_path / "out", bucket_of("site-1.example", 2))
    assert [page.position for page in read_stored(part, {3, 5})] == [3, 5]


def test_an_input_that_killed_its_process_is_a_row_for_each_file(tmp_path: Path) -> None:
    result = give_up_input(bucket_task(tmp_path, ["a.warc", "b.warc"]))
    assert (result.pages, result.failed) == (2, 2)
    stored = [page for _, path in parts(tmp_path / "out", *result.buckets) for page in read_stored(path)]
    assert [page.cause for page in stored] == ["process-died"] * 2


def test_a_bucket_can_be_a_batch_of_its_own(tmp_path: Path) -> None:
    """For crawls that are too large for the buckets of one batch."""
    write_pages(tmp_path / "source", 6, 24)
    (tmp_path / "source" / "gone.html").symlink_to(tmp_path / "nowhere")
    run_here(tmp_path / "source", tmp_path / "whole")
    batch = Batch((str(tmp_path / "source"),), tmp_path / "rough", BatchSettings(buckets=2, limits=PATIENT))
    rough = sort_pages(batch, Backwards())
    assert (rough.pages, rough.buckets) == (25, (0, 1))
    found = []
    for bucket in rough.buckets:
        source = str(tmp_path / "rough" / bucket_folder(bucket))
        settings = BatchSettings(buckets=2, limits=PATIENT, seed=1)
        run_batch(Batch((source,), tmp_path / str(bucket), settings), Backwards())
        found += records(tmp_path / str(bucket))
    in_order = sorted(found, key=itemgetter("name"))
    assert in_order == sorted(records(tmp_path / "whole"), key=itemgetter("name")), "errors are not lost either"


def test_another_seed_spreads_the_sites_of_a_bucket_again() -> None:
    together = [site for number in range(400) if bucket_of(site := f"site-{number}.example", 8) == 0]
    assert {bucket_of(site, 8, seed=1) for site in together} == set(range(8))
    assert bucket_of("en.a.example", 8) == bucket_of("de.a.example", 8) == bucket_of("a.example", 8)


def test_samples_are_capped_and_the_same_whatever_the_parts(tmp_path: Path) -> None:
    write_pages(tmp_path / "source", 2, 40)
    names = sorted(path.name for path in (tmp_path / "source").iterdir())
    bucket_input(bucket_task(tmp_path, names))
    there = [(number, list(chain(*read_sizes(path)))) for number, path in parts(tmp_path / "out", 0, 1)]
    samples = list(choose_samples(there, BatchSettings(sample=8)).values())
    assert [len(sample.places) for sample in samples] == [8, 8]
    assert all(list(sample.places) == sorted(sample.places) for sample in samples)
    assert {place for sample in samples for place in sample.places} != {(0, number) for number in range(16)}
    assert samples == list(choose_samples(there, BatchSettings(sample=8)).values())
    assert samples != list(choose_samples(there, BatchSettings(sample=8, seed=1)).values())
    small = choose_samples(there, BatchSettings(sample_bytes=6 * samples[0].size // 8)).values()
    assert all(0 < sample.size <= 6 * samples[0].size // 8 for sample in small)
    too_few = choose_samples(there, BatchSettings(sample=8, least_pages=9))
    assert [sample.places for sample in too_few.values()] == [(), ()], "they are sites, but not learnt"


def test_sites_take_turns_in_memory() -> None:
    samples = [SiteSample(str(number), (), size) for number, size in enumerate([50, 40, 30, 200, 10])]
    turns = [
        [int(sample.site) for sample in turn] for turn in batch_inputs.cut_by_size(samples, lambda one: one.size, 100)
    ]
    assert turns == [[0, 1], [2], [3], [4]]


def test_a_page_that_kills_learning_is_left_out(tmp_path: Path) -> None:
    pages = [RawPage(page(0, number)) for number in range(5)]
    pages.insert(2, DeadlyPage(page(0, 9), headers=(("Content-Type", "text/html"),)))
    wanted = LearnSite("site-0.example", tuple(pages), "hybrid", 3, str(tmp_path / "model.dehusk"))
    with Worker(PATIENT) as worker:
        learnt = learn_in(worker, wanted, BatchSettings(limits=PATIENT))
    assert getattr(learnt, "different", learnt) == 5
    assert dehusk.load_model(tmp_path / "model.dehusk").pages == 5
