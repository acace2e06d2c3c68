"""Pages that wait on disk come back as they went in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.batch.bucket_tables import (
    PageInBucket,
    StoredPage,
    holds_stored,
    read_sizes,
    read_stored,
    read_stored_heads,
)
from dehusk.batch.bucketing import PagesByBucket
from dehusk.errors import OutputError, SourceUnreadable
from dehusk.sources.raw_page import RawPage


def stored(number: int, size: int = 10) -> StoredPage:
    return StoredPage("a.example", RawPage(bytes([number % 256]) * size, f"https://a.example/{number}"), number)


def taken(pages: PagesByBucket) -> dict[int, list[int]]:
    return {bucket: [page.position for page in read_stored(path)] for bucket, path in pages.finished().items()}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), max_size=60), st.sampled_from([0, 30, 100, 10**6]))
def test_every_bucket_has_its_pages_in_order(added: list[tuple[int, int]], most_bytes: int) -> None:
    wanted: dict[int, list[int]] = {}
    with TemporaryDirectory() as folder, PagesByBucket(Path(folder), most_bytes) as pages:
        for number, (bucket, size) in enumerate(added):
            pages.add(bucket, stored(number, size))
            wanted.setdefault(bucket, []).append(number)
        assert taken(pages) == wanted


def test_pages_are_written_as_soon_as_memory_is_full(tmp_path: Path) -> None:
    with PagesByBucket(tmp_path, most_bytes=25) as pages:
        for number in range(7):
            pages.add(0, stored(number))
        (path,) = pages.finished().values()
    assert [[page.position for page in batch] for batch in read_sizes(path)] == [[0, 1, 2], [3, 4, 5], [6]]


def test_only_wanted_batches_are_decompressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PagesByBucket(tmp_path, most_bytes=25) as pages:
        for number in range(9):
            pages.add(0, stored(number))
        (path,) = pages.finished().values()
    decompressed: list[int] = []
    read = pa.ipc.read_record_batch

    def counting(message: object, schema: pa.Schema) -> pa.RecordBatch:
        batch = read(message, schema)
        decompressed.extend(batch.column("position").to_pylist())
        return batch

    monkeypatch.setattr(pa.ipc, "read_record_batch", counting)
    assert [page.position for page in read_stored(path, batches=range(1, 2))] == [3, 4, 5]
    assert [page.position for page in read_stored(path, {7})] == [7]
    assert decompressed == [3, 4, 5, 6, 7, 8]


def test_what_was_stored_comes_back_whole(tmp_path: Path) -> None:
    raw = RawPage(
        b"<p>\xff\x00", "https://a.example/\u00e4", "na\u00efve", (("Link", "x"), ("Link", "y")), "2026-01-02"
    )
    with PagesByBucket(tmp_path, most_bytes=0) as pages:
        pages.add(3, StoredPage("a.example", raw, 5))
        pages.add(3, StoredPage("a.example", RawPage(b""), 6, "could not be read", "not-readable"))
        (path,) = pages.finished().values()
    assert list(read_stored(path)) == [
        StoredPage("a.example", raw, 5, size=5),
        StoredPage("a.example", RawPage(b""), 6, "could not be read", "not-readable"),
    ]
    heads = list(read_stored_heads(path))
    assert heads == [replace(page, raw=replace(page.raw, body=b"")) for page in read_stored(path)]
    held = PageInBucket(((0, path, 0),), (0, 5), "na\u00efve")
    assert held.read() == raw


def test_a_disk_that_is_full_is_an_error_with_a_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FullStream:
        def __init__(self, *_: object, **__: object) -> None:
            """Takes nothing."""

        def write_table(self, table: pa.Table) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(pa.ipc, "new_stream", FullStream)
    full = pytest.raises(OutputError, match="no space left on device; free some space")
    with PagesByBucket(tmp_path, most_bytes=1) as pages, full:
        pages.add(0, stored(0))


@pytest.mark.parametrize("content", [b"", b"no stream", b"\xff\xff\xff\xff\x10\0\0\0"])
def test_a_file_that_only_has_the_name_of_a_bucket(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "0.arrows").write_bytes(content)
    assert not holds_stored(tmp_path / "0.arrows")
    with pytest.raises(SourceUnreadable, match="not a readable stream of pages"):
        list(read_sizes(tmp_path / "0.arrows"))
