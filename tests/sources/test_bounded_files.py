"""A small file cannot make a large result: what the pages of one file come to is bounded."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from command_line import dehusk
from stored_pages import read

import dehusk as library

PAGE = "<title>Tea</title><p>" + "Steep the leaves for three minutes. " * 250


def repeated(path: Path, rows: int) -> Path:
    """A table with one page in all rows, which the file holds once."""
    indexes = pa.array([0] * rows, pa.int32())
    pq.write_table(pa.table({"html": pa.DictionaryArray.from_arrays(indexes, [PAGE])}), path)
    return path


def test_one_value_repeated_is_cut_off(tmp_path: Path) -> None:
    path = repeated(tmp_path / "a.parquet", 200_000)
    assert path.stat().st_size < 100_000
    count = 0
    faults: list[library.DehuskError] = []
    for page in library.open_source(path, on_error=faults.append):
        count += len(page.body)
    assert 99_000_000 < count <= 100_000_000
    assert [str(fault).removeprefix(f"{path}: ") for fault in faults] == [
        "its pages come to more than 100,000,000 bytes; what follows is not read: allow more with --file-megabytes "
        "(file_bytes)"
    ]


def test_more_can_be_allowed(tmp_path: Path) -> None:
    path = repeated(tmp_path / "a.parquet", 30)
    assert len(read(path, file_bytes=10 * len(PAGE))[0]) == 10
    assert len(read(path, file_bytes=30 * len(PAGE))[0]) == 30
    assert len(read(path)[0]) == 30


def test_what_is_packed_within_an_archive_counts_as_it_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(9):
            archive.writestr(f"{number}.html", gzip.compress(b"<p>" + b" " * 999_997))
    pages, (fault,) = read(tmp_path / "a.zip", file_bytes=5_000_000)
    assert len(pages) == 5
    assert "its pages come to more than 5,000,000 bytes" in str(fault)


def test_pages_without_content_count_too(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"html":""}\n' * 500)
    skipped = read(tmp_path / "a.jsonl", file_bytes=100_000)[1]
    assert len(skipped) == 101
    assert isinstance(skipped[-1], library.SourceUnreadable)


def test_a_run_says_so_and_goes_on_when_more_is_allowed(tmp_path: Path) -> None:
    path, out = repeated(tmp_path / "a.parquet", 300), tmp_path / "out"
    first = dehusk("clean", str(path), "--output", str(out), "--file-megabytes", "1")
    assert first.returncode == 1
    assert b"a.parquet: its pages come to more than 1,000,000 bytes" in first.stderr
    assert b"--file-megabytes" in first.stderr
    written = len(list(out.rglob("*.txt")))
    assert written == 1_000_000 // len(PAGE)
    again = dehusk("clean", str(path), "--output", str(out), "--file-megabytes", "5", "--resume")
    assert again.returncode == 0, again.stderr
    assert len(list(out.rglob("*.txt"))) == 300
