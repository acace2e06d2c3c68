"""Pages of a crawl on disk, whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from killed_forks import files_in, killed_at_renames
from small_disks import CRAMPED, LOCKED, cramped, locked

import dehusk
from dehusk.sinks import parquet_sink
from dehusk.sinks.page_keeping import FolderKeeper, ParquetKeeper, WarcKeeper, journal_of, keeper_for
from dehusk.sources.crawl_index import INDEX_NAME
from dehusk.sources.raw_page import RawPage

HEADERS = (("Content-Type", "text/html; charset=utf-8"), ("ETag", '"1"'), ("X-Odd", "é: \r\nWARC-Type: trick"))

ODD = b'{"url": 1, "final_url": [], "status": "x", "fetched_at": null, "file": {}, "headers": 5}'
ODD_HEADERS = b'{"url": "a", "final_url": "b", "status": 1, "fetched_at": "", "file": "c.html", "headers": [["x"], 7]}'


def page(number: int) -> RawPage:
    body = f"<p>page {number}\r\n\r\nä".encode() * 1000
    url = f"https://a.example/{number}"
    return RawPage(body, f"{url}/", url, HEADERS[:2], f"2026-01-02T03:04:{number:02}+00:00", 200)


@pytest.mark.parametrize("name", ["site", "site.warc.gz", "site.parquet"])
def test_what_is_kept_is_there_again(tmp_path: Path, name: str) -> None:
    kept = [page(number) for number in range(3)]
    keeper = keeper_for(tmp_path / "new" / name, resume=False)
    assert list(keeper.pages()) == []
    for raw_page in kept:
        keeper.keep(raw_page)
    again = keeper_for(tmp_path / "new" / name, resume=True)
    found = list(again.pages())
    assert [(raw.url, raw.name, raw.body, raw.status) for raw in found] == [
        (raw.url, raw.name, raw.body, raw.status) for raw in kept
    ]
    assert found[1].header("etag") == '"1"'
    again.keep(page(3))
    assert len(list(keeper_for(tmp_path / "new" / name, resume=True).pages())) == 4
    with pytest.raises(dehusk.InvalidSetting, match="holds a crawl already; use --resume"):
        keeper_for(tmp_path / "new" / name, resume=False)


def test_a_folder_can_be_read_as_any_folder_of_pages(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path / "crawl")
    keeper.keep(page(1))
    keeper.keep(page(2))
    read = {raw.url: raw for raw in dehusk.open_source(tmp_path)}
    assert set(read) == {"https://a.example/1/", "https://a.example/2/"}
    assert read["https://a.example/1/"].header("etag") == '"1"'
    assert Path(read["https://a.example/1/"].name).read_bytes() == page(1).body
    first, second = map(json.loads, (tmp_path / "crawl" / INDEX_NAME).read_text().splitlines())
    assert first["url"] == "https://a.example/1"
    assert first["final_url"] == "https://a.example/1/"
    assert (first["status"], first["etag"]) == (200, '"1"')
    assert (tmp_path / "crawl" / second["file"]).read_bytes() == page(2).body


def test_of_a_page_that_was_fetched_again_the_last_counts(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path)
    keeper.keep(page(1))
    keeper.keep(page(2))
    changed = replace(page(1), body=b"<p>new", headers=(("ETag", '"2"'),))
    keeper.keep(changed)
    assert list(FolderKeeper(tmp_path).pages()) == [changed, page(2)]
    assert len(list(tmp_path.glob("*.html"))) == 2


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_line_that_was_not_finished_is_passed_over(tmp_path: Path, cut: int) -> None:
    keeper = FolderKeeper(tmp_path)
    keeper.keep(page(1))
    keeper.keep(page(2))
    index = tmp_path / INDEX_NAME
    index.write_bytes(index.read_bytes()[:-cut])
    again = FolderKeeper(tmp_path)
    again.keep(page(3))
    expected = [1, 2, 3] if cut == 1 else [1, 3]  # without its line break alone, an entry is still one
    assert [raw.name[-1] for raw in again.pages()] == [str(number) for number in expected]


@pytest.mark.parametrize(
    "line",
    [b"", b"null", b"[]", b"{}", b'{"file": "../secret"}', b"\xff\xfe", b"[" * 5000, ODD, ODD_HEADERS],
)
def test_an_index_with_anything_in_it(tmp_path: Path, line: bytes) -> None:
    FolderKeeper(tmp_path).keep(page(1))
    index = tmp_path / INDEX_NAME
    index.write_bytes(line + b"\n" + index.read_bytes())
    assert len(list(FolderKeeper(tmp_path).pages())) == 1


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_an_index_with_an_endless_line_is_an_error(tmp_path: Path, end: bytes) -> None:
    FolderKeeper(tmp_path).keep(page(1))
    with (tmp_path / INDEX_NAME).open("ab") as index:
        index.write(b" " * 1_000_001 + end)
    with pytest.raises(dehusk.SourceUnreadable, match=r"index\.json-lines: line 2 is longer than 1,000,000 bytes"):
        list(FolderKeeper(tmp_path).pages())


def test_an_index_cannot_name_files_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("secret")
    folder = tmp_path / "site"
    FolderKeeper(folder).keep(page(1))
    index = folder / INDEX_NAME
    entry = json.loads(index.read_text())
    index.write_text(json.dumps({**entry, "file": "../secret.html"}) + "\n")
    assert list(FolderKeeper(folder).pages()) == []


@pytest.mark.parametrize("cut", [1, 50, 200])
def test_a_record_that_was_not_finished_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "site.warc.gz"
    keeper = WarcKeeper(path)
    keeper.keep(page(1))
    keeper.keep(page(2))
    path.write_bytes(path.read_bytes()[:-cut])
    again = WarcKeeper(path)
    assert [raw.name[-1] for raw in again.pages()] == ["1"]
    again.keep(page(3))
    assert [raw.name[-1] for raw in WarcKeeper(path).pages()] == ["1", "3"]
    assert gzip.decompress(path.read_bytes()).count(b"WARC/1.1") == 2


def test_other_readers_of_warc_read_it(tmp_path: Path) -> None:
    warc = pytest.importorskip("fastwarc.warc")
    path = tmp_path / "site.warc.gz"
    raw_page = page(1)
    odd = RawPage(raw_page.body, raw_page.url, raw_page.name, HEADERS, raw_page.fetched_at, 200)
    WarcKeeper(path).keep(odd)
    with path.open("rb") as stream:
        record = next(iter(warc.ArchiveIterator(stream, parse_http=True)))
        assert record.record_type == warc.WarcRecordType.response
        assert record.headers["WARC-Target-URI"] == raw_page.url
        assert record.headers["WARC-Date"] == "2026-01-02T03:04:01Z"
        assert record.http_headers.status_code == 200
        assert record.http_content_type == "text/html"
        assert record.reader.read() == raw_page.body


def parquet_of(path: Path, *pages: RawPage) -> Path:
    keeper = ParquetKeeper(path)
    assert len(list(keeper.pages())) + len(pages)
    for raw_page in pages:
        keeper.keep(raw_page)
    keeper.finish()
    return path


def test_a_parquet_file_is_there_when_the_crawl_is_done(tmp_path: Path) -> None:
    path = tmp_path / "site.parquet"
    keeper = ParquetKeeper(path)
    keeper.keep(page(1))
    keeper.keep(page(2))
    assert not path.exists()
    assert list(dehusk.open_source(tmp_path)) == [], "nobody takes unfinished pages for a source"
    keeper.finish()
    assert list(tmp_path.iterdir()) == [path]
    found = list(dehusk.open_source(path))
    assert [(raw.body, raw.url) for raw in found] == [(page(n).body, page(n).url) for n in (1, 2)]
    assert [raw.fetched_at for raw in found] == ["2026-01-02T03:04:01Z", "2026-01-02T03:04:02Z"]
    assert found[0].header("content-type") == "text/html; charset=utf-8"
    assert found[0].header("etag") == '"1"'


def test_a_parquet_file_is_gone_on_with_after_it_was_done(tmp_path: Path) -> None:
    path = parquet_of(tmp_path / "site.parquet", page(1), page(2))
    before = path.read_bytes()
    parquet_of(path)
    assert path.read_bytes() == before, "nothing new, nothing written"
    parquet_of(path, page(3))
    assert [raw.name[-1] for raw in ParquetKeeper(path).pages()] == ["1", "2", "3"]
    assert [raw.url[-2] for raw in dehusk.open_source(path)] == ["1", "2", "3"]


def test_no_page_is_there_twice_if_the_last_step_was_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "site.parquet"
    keeper = ParquetKeeper(path)
    keeper.keep(page(1))
    journal = journal_of(path).read_bytes()
    keeper.finish()
    journal_of(path).write_bytes(journal)  # killed between writing the one and removing the other
    again = ParquetKeeper(path)
    assert [raw.name[-1] for raw in again.pages()] == ["1"]
    again.keep(page(2))
    again.finish()
    assert [raw.name[-1] for raw in ParquetKeeper(path).pages()] == ["1", "2"]


def test_row_groups_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet_sink, "GROUP_BYTES", 2 * len(page(1).body))
    path = parquet_of(tmp_path / "site.parquet", *map(page, range(5)))
    metadata = parquet.ParquetFile(path).metadata
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [2, 2, 1]


@pytest.mark.parametrize("data", [b"", b"PAR1", b"rubbish" * 99])
def test_a_parquet_file_that_no_crawl_wrote_is_not_gone_on_with(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "site.parquet"
    path.write_bytes(data)
    with pytest.raises(dehusk.SourceUnreadable, match="not a readable Parquet file"):
        list(ParquetKeeper(path).pages())
    pq, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    pq.write_table(pa.table({"url": ["a"], "html": ["<p>"]}), path)
    with pytest.raises(dehusk.SourceUnreadable, match="not written by a crawl"):
        list(ParquetKeeper(path).pages())
    with pytest.raises(dehusk.InvalidSetting, match="use --resume"):
        keeper_for(path, resume=False)


@pytest.mark.parametrize("name", ["site.jsonl", "site.zip"])
def test_files_that_a_crawl_does_not_write(tmp_path: Path, name: str) -> None:
    with pytest.raises(dehusk.InvalidSetting, match=r"give a folder, a \.warc\.gz or a \.parquet file"):
        keeper_for(tmp_path / name, resume=False)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("file/site", "file/site.warc.gz", "file/site.parquet"):
        with pytest.raises(dehusk.OutputError):
            keeper_for(tmp_path / name, resume=True).keep(page(1))


# Where there is no room

ROOMY = ["site", "site.warc.gz", "site.warc", "site.parquet"]


def large_page(number: int) -> RawPage:
    text = " ".join(sha256(f"{number} {part}".encode()).hexdigest() for part in range(150))
    return replace(page(number % 60), body=f"<p>{text}".encode(), name=f"https://a.example/{number}")


@pytest.mark.parametrize("kind", CRAMPED)
@pytest.mark.parametrize("name", ROOMY)
def test_without_room_whole_pages_stay_and_the_crawl_goes_on_from_them(kind: str, name: str, tmp_path: Path) -> None:
    pages = [large_page(number) for number in range(60)]
    advice = "free some space and run the same command again with --resume"
    with cramped(kind, tmp_path / "disk") as disk:
        with pytest.raises(dehusk.OutputError, match=disk.cause) as raised:
            keep_all(disk.folder / name, pages)
        resumes = name != "site.warc"
        assert (raised.value.remedy == advice) is (resumes and kind == "full disk")
        whole = stored_whole(disk.folder)
        disk.make_room()
        assert stored_whole(disk.folder) == whole
        assert (whole > 0) is (kind == "full disk")
        if resumes:
            keep_all(disk.folder / name, pages)
            assert {raw.body for raw in keeper_for(disk.folder / name, resume=True).pages()} == {
                raw.body for raw in pages
            }
        assert not list(disk.folder.rglob(".*"))


def keep_all(output: Path, pages: list[RawPage]) -> None:
    keeper = keeper_for(output, resume=output.name != "site.warc")
    known = {raw.label for raw in keeper.pages()}
    for raw in pages:
        if raw.label not in known:
            keeper.keep(raw)
    keeper.finish()


def stored_whole(folder: Path) -> int:
    """The number of pages that any reader finds; it finds nothing else."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != INDEX_NAME]
    faults: list[dehusk.DehuskError] = []
    found = 0
    for path in files:
        named = path.with_name(path.name.lstrip("."))  # what is not finished has a hidden name
        path.rename(named)
        found += sum(1 for _ in dehusk.open_source(named, on_error=faults.append))
        named.rename(path)
    assert [fault for fault in faults if not isinstance(fault, dehusk.NoPages)] == []
    return found


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("name", ROOMY)
def test_a_folder_that_takes_nothing(kind: str, name: str, tmp_path: Path) -> None:
    with (
        locked(kind, tmp_path / "disk") as folder,
        pytest.raises(dehusk.OutputError, match="make it writable, or choose another --output"),
    ):
        keep_all(folder / name, [page(1)])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks")
@pytest.mark.parametrize("name", ["site", "site.parquet"])
def test_killed_at_any_rename_the_crawl_ends_with_the_same_files(name: str, tmp_path: Path) -> None:
    places = killed_at_renames("keep_pages", tmp_path, name)
    whole = files_in(places["never"])
    assert len(places) == (7 if name == "site" else 3)
    assert {moment: place for moment, place in places.items() if files_in(place) != whole} == {}
