"""Commands on files that hold many pages: every kind, damaged ones, huge ones, and on from an interruption."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import tarfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from click.testing import Result
from command_line import dehusk, runner
from stored_pages import archive, http, record
from thoroughness import sized

from dehusk.cli import app, clean_running
from dehusk.cli.clean_step import CleanFile
from dehusk.cli.given_pages import GivenPages
from dehusk.cli.reporting import FileCleaned
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import READERS

FEW = 4
MENU = "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li></ul></nav>"


def html(number: int) -> bytes:
    story = f"<p>Story {number} has words {number * 7} of its own. {'Steep the leaves. ' * 9}</p>"
    page = f"<body>{MENU}<main><div>{story}</div></main><footer><div><p>Imprint</p></div></footer>"
    return f"<title>Tea {number}</title>{page}".encode()


def address(number: int) -> str:
    return f"https://tea.example/{number}/../../../etc/passwd"


def warc_of(count: int, suffix: str = ".gz", first: int = 0) -> bytes:
    numbers = range(first, first + count)
    records = [record(http(html(number)), number=number, WARC_Target_URI=address(number)) for number in numbers]
    return archive(records, suffix)


def jsonl_of(count: int) -> bytes:
    lines = [{"html": html(number).decode(), "url": address(number)} for number in range(count)]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def parquet_of(count: int) -> bytes:
    written = io.BytesIO()
    pq.write_table(pa.table({"html": list(map(html, range(count))), "url": list(map(address, range(count)))}), written)
    return written.getvalue()


def zip_of(members: list[tuple[str, bytes]]) -> bytes:
    written = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as made:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, data in members:
            made.writestr(name, data)
    return written.getvalue()


def tar_of(members: list[tuple[str, bytes]], mode: str = "w") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as made:  # type: ignore[call-overload]
        for name, data in members:
            described = tarfile.TarInfo(name)
            described.size = len(data)
            made.addfile(described, io.BytesIO(data))
    return written.getvalue()


def members(count: int) -> list[tuple[str, bytes]]:
    return [(f"../{number}.html", html(number)) for number in range(count)]


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


SAVED = (
    b"Snapshot-Content-Location: https://tea.example/0\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related; boundary="cut"\r\n\r\n'
    b"--cut\r\nContent-Type: text/html\r\nContent-Location: https://tea.example/0\r\n\r\n%s\r\n--cut--\r\n" % html(0)
)

MADE: dict[str, Callable[[], bytes]] = {
    **{f".warc{suffix}": lambda suffix=suffix: warc_of(FEW, suffix) for suffix in ("", ".gz", ".zst", ".lz4")},  # type: ignore[misc]
    ".parquet": lambda: parquet_of(FEW),
    **{suffix: lambda: jsonl_of(FEW) for suffix in (".jsonl", ".ndjson")},
    **{f"{suffix}.gz": lambda: gzip.compress(jsonl_of(FEW)) for suffix in (".jsonl", ".ndjson")},
    **{f"{suffix}.zst": lambda: zst(jsonl_of(FEW)) for suffix in (".jsonl", ".ndjson")},
    ".zip": lambda: zip_of(members(FEW)),
    ".tar": lambda: tar_of(members(FEW)),
    **{suffix: lambda: tar_of(members(FEW), "w:gz") for suffix in (".tar.gz", ".tgz")},
    **{suffix: lambda: tar_of(members(FEW), "w:bz2") for suffix in (".tar.bz2", ".tbz2")},
    **{suffix: lambda: tar_of(members(FEW), "w:xz") for suffix in (".tar.xz", ".txz")},
    ".tar.zst": lambda: zst(tar_of(members(FEW))),
}
"""Files of FEW pages, by suffix."""


def run(*arguments: str | Path) -> Result:
    result = runner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "300"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def records_of(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def stored(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_every_kind_is_tried() -> None:
    known = {suffix for suffixes in READERS for suffix in suffixes}
    assert {*MADE, ".mhtml", ".mht"} == known


@pytest.mark.parametrize("suffix", MADE)
def test_every_kind_is_cleaned_into_records_and_into_a_folder(suffix: str, tmp_path: Path) -> None:
    source = stored(tmp_path, f"site{suffix}", MADE[suffix]())
    result = run("clean", source, "--format", "jsonl", "--output", tmp_path / "pages.jsonl")
    assert result.exit_code == 0, result.output
    records = records_of(tmp_path / "pages.jsonl")
    assert [one["title"] for one in records] == [f"Tea {number}" for number in range(FEW)]
    assert all(one["name"].startswith(f"{source}#") for one in records)
    if suffix not in {".zip"} and ".t" not in suffix:
        assert [one["url"] for one in records] == [address(number) for number in range(FEW)]
    output = tmp_path / "cleaned"
    assert run("clean", source, "--output", output).exit_code == 0
    files = sorted(path for path in output.rglob("*") if path.is_file())
    assert [path.parent.parent for path in files] == [output] * FEW
    assert [f"Story {number} has" in path.read_text() for number, path in enumerate(files)] == [True] * FEW
    assert sorted(os.listdir(tmp_path)) == sorted({"cleaned", "pages.jsonl", source.name})


@pytest.mark.parametrize("suffix", [".mhtml", ".mht"])
def test_a_saved_page_is_one_page(suffix: str, tmp_path: Path) -> None:
    source = stored(tmp_path, f"saved{suffix}", SAVED)
    assert run("clean", source).stdout.startswith("Story 0 has words")
    assert run("clean", source, "--output", tmp_path / "out").exit_code == 0
    assert os.listdir(tmp_path / "out") == ["saved.txt"]


def test_a_folder_may_hold_everything(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    (folder / "below").mkdir(parents=True)
    stored(folder, "a.html", html(1))
    stored(folder, "a.zip", zip_of(members(2)))
    stored(folder, "a.jsonl", jsonl_of(2))
    stored(folder / "below", "b.warc.gz", warc_of(2))
    result = run("clean", folder, folder / "below" / "b.warc.gz", "--output", tmp_path / "out", "--jobs", "2")
    assert result.exit_code == 0, result.output
    found = [path.relative_to(tmp_path / "out").as_posix() for path in sorted((tmp_path / "out").rglob("*.txt"))]
    assert sorted(map(os.path.dirname, found)) == [
        *("", "a.jsonl", "a.jsonl", "a.zip", "a.zip", "b.warc", "b.warc", "below/b.warc", "below/b.warc")
    ]


def test_the_file_of_records_is_no_source_of_the_next_run(tmp_path: Path) -> None:
    stored(tmp_path, "a.html", html(1))
    for _ in range(2):
        assert run("clean", tmp_path, "--format", "jsonl", "--output", tmp_path / "pages.jsonl").exit_code == 0
    assert len(records_of(tmp_path / "pages.jsonl")) == 1


def test_pages_to_standard_output_are_told_apart(tmp_path: Path) -> None:
    source = stored(tmp_path, "site.warc.gz", warc_of(2))
    plain = run("clean", source).stdout
    assert f"==> {source}#record 1 <==" in plain
    assert plain.count("==> ") == 2
    table = run("clean", source, "--format", "csv").stdout
    assert [one["title"] for one in csv.DictReader(table.splitlines())] == ["Tea 0", "Tea 1"]
    alone = run("clean", stored(tmp_path, "one.warc.gz", warc_of(1)))
    assert alone.stdout.startswith("Story 0 has words")
    assert alone.stderr == ""
    assert run("clean", source, "--explain").stdout.count("blocks kept by hybrid") == 2


def test_one_page_of_one_name_each_time_it_is_there(tmp_path: Path) -> None:
    twice = [("a.html", html(1)), ("a.html", html(2)), ("A.HTML", html(3)), ("a.html/b.html", html(4))]
    for name, data in (("a.zip", zip_of(twice)), ("b.tar", tar_of(twice))):
        source = stored(tmp_path, name, data)
        output = tmp_path / f"out-{name}"
        assert run("clean", source, "--output", output).exit_code == 0
        texts = [path.read_text().split(" has")[0] for path in sorted(output.rglob("*.txt"))]
        assert texts == ["Story 1", "Story 2", "Story 3", "Story 4"]
        target, kept = tmp_path / f"{name}.jsonl", tmp_path / f".{name}.jsonl.part"
        assert run("clean", source, "--format", "jsonl", "--output", target).exit_code == 0
        kept.write_bytes(b"".join(target.read_bytes().splitlines(keepends=True)[:1]))
        target.unlink()
        assert run("clean", source, "--format", "jsonl", "--output", target, "--resume").exit_code == 0
        assert [one["title"] for one in records_of(target)] == ["Tea 1", "Tea 2", "Tea 3", "Tea 4"]


def test_resume_leaves_out_what_is_done_and_that_alone(tmp_path: Path) -> None:
    source, output = stored(tmp_path, "site.warc.gz", warc_of(3)), tmp_path / "out"
    run("clean", source, "--output", output)
    first, second, _ = sorted(output.rglob("*.txt"))
    first.write_text("kept as it is")
    second.unlink()
    result = run("clean", source, "--output", output, "--resume")
    assert "already there" in result.stderr
    assert first.read_text() == "kept as it is"
    assert "Story 1 has" in second.read_text()
    # Another archive under the same name: its pages have other addresses, so they are not taken for done.
    stored(tmp_path, "site.warc.gz", warc_of(3, first=7))
    assert run("clean", source, "--output", output, "--resume").exit_code == 0
    assert len(list(output.rglob("*.txt"))) == 6


@pytest.mark.parametrize("suffix", MADE)
def test_what_is_cut_off_is_reported_and_the_rest_is_cleaned(suffix: str, tmp_path: Path) -> None:
    data = MADE[suffix]()
    source = stored(tmp_path, f"cut{suffix}", data[: len(data.rstrip(b"\0")) * 5 // 8])
    result = run("clean", source, "--format", "jsonl", "--output", tmp_path / "pages.jsonl")
    cleaned = (tmp_path / "pages.jsonl").exists()
    assert result.exit_code == (1 if cleaned else 2)
    assert str(source) in result.stderr
    assert "failures" in result.stderr
    for one in records_of(tmp_path / "pages.jsonl") if cleaned else ():
        assert one["title"].startswith("Tea ")


@pytest.mark.parametrize("suffix", [*MADE, ".mhtml"])
@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 500, b"PK\x03\x04" * 99, b"WARC/1.0\r\n\r\n" * 9])
def test_rubbish_is_an_error_of_ours(suffix: str, data: bytes, tmp_path: Path) -> None:
    source = stored(tmp_path, f"a{suffix}", data)
    result = run("clean", source, "--output", tmp_path / "out")
    assert result.exit_code == 2
    assert "no pages found" in result.stderr or str(source) in result.stderr
    assert "fault in dehusk" not in result.stderr


def test_bombs_cost_no_more_than_a_page(tmp_path: Path) -> None:
    bomb = bytes(80_000_000)
    packed = record(http(gzip.compress(bomb), "Content-Encoding: gzip"))
    made = {
        "bomb.zip": zip_of([("a.html", bomb), ("b.html", html(1))]),
        "bomb.warc.gz": archive([packed, record(http(html(1)), number=1)], ".gz"),
        "bomb.jsonl.gz": gzip.compress(bomb + bomb + b"\n" + jsonl_of(1)),
    }
    for name, data in made.items():
        target = tmp_path / f"{name}.records"
        tracemalloc.start()
        result = run("clean", stored(tmp_path, name, data), "--format", "jsonl", "--output", target)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert "more than 64,000,000 bytes" in result.stderr
        assert len(records_of(target)) == 1
        assert peak < 400_000_000


def test_a_library_that_fails_ends_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: str, options: object) -> object:
        yield RawPage(html(0), name=f"{path}#1")
        raise ZeroDivisionError("not thought of")

    monkeypatch.setitem(READERS, (".zip",), broken)
    stored(tmp_path, "a.zip", b"x")
    stored(tmp_path, "b.html", html(1))
    result = run("clean", tmp_path, "--format", "jsonl")
    assert result.exit_code == 1
    assert "ZeroDivisionError" in result.stderr
    assert len(result.stdout.splitlines()) == 2


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = stored(tmp_path, "a.warc.gz", warc_of(1))
    monkeypatch.setitem(__import__("sys").modules, "fastwarc.warc", None)
    for command in (["clean", source], ["learn", source, "-o", tmp_path / "x.dehusk"]):
        result = run(*command)
        assert result.exit_code == 2
        assert "pip install 'dehusk[warc]'" in result.stderr


def test_a_site_is_learnt_from_an_archive(tmp_path: Path) -> None:
    source, model = stored(tmp_path, "site.parquet", parquet_of(6)), tmp_path / "site.dehusk"
    assert "6 pages learnt" in run("learn", source, "-o", model).stderr
    assert "3 pages learnt" in run("learn", source, "-o", tmp_path / "some.dehusk", "--pages", "3").stderr
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(6):
        stored(folder, f"{number}.html", html(number))
    run("learn", folder, "-o", tmp_path / "same.dehusk")
    assert (tmp_path / "same.dehusk").read_bytes() == model.read_bytes()
    shown = run("thresholds", source, "--values", "0,1").stdout
    assert "6 pages cleaned; learnt from 6" in shown


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_each_site_of_an_archive_is_learnt_by_itself(jobs: str, tmp_path: Path) -> None:
    mixed = []
    for number in range(6):
        mixed.append({"url": f"https://tea.example/{number}", "html": html(number).decode()})
        other = f"<body><h1>Imprint</h1><main><p>Imprint {number * 13} of shop {number}</p></main>"
        mixed.append({"url": f"https://shop{number % 2}.example/{number}", "html": other})
    mixed.insert(3, {"url": "https://tea.example/", "html": 7})  # type: ignore[dict-item]
    lines = "".join(json.dumps(one) + "\n" for one in mixed)
    source = stored(tmp_path, "site.jsonl", lines.encode())
    target = tmp_path / "pages.jsonl"
    result = run("clean", source, "--learn", "-m", "style-tree", "-f", "jsonl", "-o", target, "--jobs", jobs)
    assert result.exit_code == 1  # the line that holds no page
    texts = {one["url"]: one["text"] for one in records_of(target)}
    assert len(texts) == 12
    for number in range(6):
        assert f"Story {number} has words" in texts[f"https://tea.example/{number}"]
        assert "Imprint" not in texts[f"https://tea.example/{number}"]
        assert f"Imprint {number * 13} of shop" in texts[f"https://shop{number % 2}.example/{number}"]


def test_pages_without_address_are_of_the_site_they_were_given_as(tmp_path: Path) -> None:
    source = stored(tmp_path, "site.zip", zip_of(members(6)))
    result = run("clean", source, "--learn", "-m", "style-tree", "--output", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "one page is not enough" not in result.stderr
    assert all("Imprint" not in path.read_text() for path in (tmp_path / "out").rglob("*.txt"))


def test_words_of_an_archive_are_weighed(tmp_path: Path) -> None:
    pytest.importorskip("scipy.sparse")
    twice = [("a.html", html(1)), ("a.html", html(2)), ("b.html", html(3))]
    source = stored(tmp_path, "site.zip", zip_of(twice))
    assert run("weigh", source, "-o", tmp_path / "vectors.npz").exit_code == 0
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as arrays:
        assert arrays["pages"].tolist() == [f"{source}#{name}" for name, _ in twice]
        assert arrays["shape"].tolist()[0] == 3


def test_standard_input_is_learnt_from_and_cleaned(tmp_path: Path) -> None:
    stored(tmp_path, "a.html", html(1))
    options = ["--learn", "-m", "style-tree", "--jobs", "2", "--format", "jsonl"]
    result = dehusk("clean", "-", str(tmp_path / "a.html"), *options, stdin=html(2))
    assert result.returncode == 0, result.stderr
    assert [json.loads(line)["title"] for line in result.stdout.splitlines()] == ["Tea 2", "Tea 1"]


def test_pages_go_by_and_are_not_held(tmp_path: Path) -> None:
    many, size = sized(5_000), 20_000
    body = html(1) + b" " * size
    lines = (json.dumps({"html": body.decode(), "url": address(number)}) + "\n" for number in range(many))
    with gzip.open(tmp_path / "site.jsonl.gz", "wt", compresslevel=1) as stream:
        stream.writelines(lines)
    pages = GivenPages([str(tmp_path / "site.jsonl.gz")])
    assert pages.count is None
    tracemalloc.start()
    try:
        assert sum(isinstance(page.source, RawPage) for page in pages) == many
        read = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        assert len(pages.sample(50, 0, str(tmp_path))) == 50
        sampled = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert read < 20 * size
    assert sampled < 40 * size, "fifty pages would be more"


def test_a_command_holds_nothing_of_the_pages_that_it_is_done_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cleaned(task: CleanFile) -> FileCleaned:
        failure = f"{task.given.label}: odd" if int(task.given.label.rpartition(" ")[2]) % 2 else ""
        return FileCleaned(task.given.label, 9, 9, 0.0, json.dumps({"name": task.given.label}) + "\n", failure)

    def peak(count: int, *options: str | Path) -> int:
        source = stored(tmp_path, f"{count}.warc.gz", warc_of(count))
        tracemalloc.start()
        try:
            assert run("clean", source, *options).exit_code == 1
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    monkeypatch.setattr(clean_running, "clean_file", cleaned)
    monkeypatch.setattr(clean_running, "warn", lambda message: None)  # what is printed is held by the test
    records: list[str | Path] = ["-f", "jsonl", "-o", tmp_path / "pages.jsonl"]
    peak(10, *records)  # what is loaded once
    few, many = peak(500, *records), sized(10_000)
    # Whatever else the process does makes the peak higher: try again.
    assert any(peak(many, *records) < few + 100_000 for _ in range(3))
    assert len(records_of(tmp_path / "pages.jsonl")) == many // 2
