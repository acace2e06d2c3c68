"""Pages that wait on disk come back as they went in."""

from __future__ import annotations

from pathlib import Path
from tempfile import gettempdir

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.batch import bucketing
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.bucket_tables import StoredPage
from dehusk.batch.bucketing import BucketInput, PagesByBucket, bucket_input
from dehusk.errors import OutputError
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage


def stored(number: int, size: int = 10) -> StoredPage:
    return StoredPage("a.example", RawPage(bytes([number % 256]) * size, f"https://a.example/{number}"), number)


def taken(pages: PagesByBucket) -> dict[int, list[int]]:
    return {
        bucket: [position for table in pages.tables(bucket) for position in table.column("position").to_pylist()]
        for bucket in pages.buckets
    }


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), max_size=60), st.sampled_from([0, 30, 100, 10**6]))
def test_every_bucket_has_its_pages_in_order(added: list[tuple[int, int]], most_bytes: int) -> None:
    wanted: dict[int, list[int]] = {}
    with PagesByBucket(Path(gettempdir()), most_bytes) as pages:
        for number, (bucket, size) in enumerate(added):
            pages.add(bucket, stored(number, size))
            wanted.setdefault(bucket, []).append(number)
        assert taken(pages) == wanted


def test_no_file_is_left_or_even_seen(tmp_path: Path) -> None:
    with PagesByBucket(tmp_path, most_bytes=1) as pages:
        pages.add(0, stored(0))
        assert list(tmp_path.iterdir()) == []


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


def test_groups_of_a_part_are_large_however_small_the_tables_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small groups, hundreds in each of many open files, were what memory grew with."""
    for number in range(40):
        (tmp_path / f"{number:02}.html").write_text(f"<p>{number} {'x' * 2000}")
    files = tuple(PageFile(str(path), path.name) for path in sorted(tmp_path.iterdir()))
    monkeypatch.setattr(bucketing, "GROUP_BYTES", 10_000)
    (tmp_path / "out").mkdir()
    bucket_input(BucketInput(0, files, str(tmp_path / "out"), BatchSettings(buckets=4)))
    groups = [
        (file.metadata.row_group(group).num_rows, file.num_row_groups)
        for path in (tmp_path / "out").rglob("*.parquet")
        for file in [pq.ParquetFile(path)]
        for group in range(file.num_row_groups)
    ]
    assert sum(rows for rows, _ in groups) == 40
    assert max(number for _, number in groups) <= 10
