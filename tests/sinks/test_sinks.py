"""Places for records: what they hold, that they are whole or not there, and that pages choose no names."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

import dehusk
from dehusk.outputs.page_records import FIELDS
from dehusk.sinks.sink import Sink
from dehusk.sinks.sink_opening import SINKS

HTML = "<title>Tea</title><meta name=author content='A. Leaf'><p>" + "Steep the leaves for three minutes. " * 5
FILES = [suffix for kind in SINKS.values() for suffix in kind.suffixes]
WRITTEN_AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def record(number: int = 0, **others: object) -> dict[str, object]:
    raw = dehusk.RawPage(HTML.encode(), f"https://tea.example/{number}", f"a.warc#record {number}")
    return dehusk.clean(raw).to_record() | others


RECORDS = [record(number) for number in range(3)]


def write(path: Path, records: list[dict[str, object]], **options: object) -> Path:
    with dehusk.open_sink(path, **options) as sink:  # type: ignore[arg-type]
        for one in records:
            sink.write(one)
    return path


DECOMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


@pytest.mark.parametrize("suffix", DECOMPRESSED)
def test_json_lines(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / "new" / f"a.jsonl{suffix}", RECORDS)
    lines = DECOMPRESSED[suffix](path.read_bytes()).decode().splitlines()
    assert [json.loads(line) for line in lines] == RECORDS
    assert list(RECORDS[0]) == list(FIELDS)


def test_parquet(tmp_path: Path) -> None:
    odd = record(7, authors=["A", "\ud800"], text="\ud800", confidence=None)
    table = pq.read_table(write(tmp_path / "a.parquet", [*RECORDS, odd]))
    assert table.column_names == list(FIELDS)
    assert table.to_pylist()[:3] == RECORDS
    assert table.to_pylist()[3]["authors"] == ["A", "\ufffd"]
    assert table.to_pylist()[3]["text"] == "\ufffd"


def test_row_groups_are_bounded(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", [record(number, text="x" * 6_000_000) for number in range(7)])
    metadata = pq.read_metadata(path)
    assert [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)] == [3, 3, 1]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".lz4"])
def test_conversion_records(suffix: str, tmp_path: Path) -> None:
    warc = pytest.importorskip("fastwarc.warc")
    records = [record(0, refers_to="<urn:uuid:1>"), record(1, text="日本\ud800"), record(2, url="")]
    path = write(tmp_path / f"a.warc{suffix}", records, content="markdown", written_at=WRITTEN_AT)
    with open(path, "rb") as stream:
        found = [
            (dict(one.headers), one.record_type, one.reader.read())
            for one in warc.ArchiveIterator(stream, parse_http=False)
            if one.verify_block_digest()
        ]
    assert len(found) == 3
    headers, kind, body = found[0]
    assert kind == warc.WarcRecordType.conversion
    assert body.decode() == records[0]["text"]
    assert headers["WARC-Target-URI"] == "https://tea.example/0"
    assert headers["WARC-Refers-To"] == "<urn:uuid:1>"
    assert headers["WARC-Date"] == "2024-05-06T07:08:09Z"
    assert headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "WARC-Refers-To" not in found[1][0]
    assert found[1][2].decode() == "日本?"
    assert found[2][0]["WARC-Target-URI"].startswith("urn:uuid:")


def test_html_conversions_are_pages_again(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", [record(text="<p>Tea")], content="html")
    (page,) = dehusk.open_source(path, check_digests=True)
    assert (page.body, page.url) == (b"<p>Tea", "https://tea.example/0")


def test_addresses_write_no_headers_of_their_own(tmp_path: Path) -> None:
    url = "https://tea.example/a b\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\ud800ü%20#x"
    path = write(tmp_path / "a.warc", [record(url=url, refers_to="<x>\r\nWARC-Type: response")])
    assert path.read_bytes().count(b"\r\nWARC-Type:") == 1
    assert b"https://tea.example/a%20b%0D%0AWARC-Type:%20response" in path.read_bytes()
    assert b"OK?%C3%BC%20#x\r\n" in path.read_bytes()


@pytest.mark.parametrize("content", ["text", "markdown", "html"])
def test_files_of_a_folder_are_named_by_digest(content: str, tmp_path: Path) -> None:
    urls = ["https://tea.example/../../etc/passwd", "/absolute", "a\0b", "\ud800", "", ""]
    records = [record(number, url=url) for number, url in enumerate(urls)]
    write(tmp_path / "out", records, content=content)
    written = sorted((tmp_path / "out").iterdir())
    assert len(written) == len(urls)
    assert {path.suffix for path in written} == {{"text": ".txt", "markdown": ".md", "html": ".html"}[content]}
    assert all(len(path.stem) == 32 and int(path.stem, 16) >= 0 for path in written)
    assert {path.read_text() for path in written} == {RECORDS[0]["text"]}
    assert os.listdir(tmp_path) == ["out"]
    expected = hashlib.sha256(b"/absolute\na.warc#record 1").hexdigest()[:32]
    assert expected in {path.stem for path in written}


@pytest.mark.parametrize("suffix", FILES)
def test_files_are_whole_or_not_there(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"

    def fail(sink: Sink) -> None:
        with sink:
            sink.write(RECORDS[0])
            assert not path.exists() or path.read_bytes() == b"before"
            raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        fail(dehusk.open_sink(path))
    assert os.listdir(tmp_path) == []
    path.write_bytes(b"before")
    with pytest.raises(KeyError, match="stop"):
        fail(dehusk.open_sink(path))
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", FILES)
def test_the_same_records_make_the_same_file(suffix: str, tmp_path: Path) -> None:
    first = write(tmp_path / f"a{suffix}", RECORDS, written_at=WRITTEN_AT).read_bytes()
    assert write(tmp_path / f"b{suffix}", RECORDS, written_at=WRITTEN_AT).read_bytes() == first
    assert first


@pytest.mark.parametrize("suffix", FILES)
def test_no_records_are_a_file_too(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"a{suffix}", [])
    assert path.exists()
    if suffix.startswith(".warc"):
        with pytest.raises(dehusk.NoPages, match="is empty"):
            list(dehusk.open_source(path))


@pytest.mark.parametrize("suffix", ["", *FILES])
def test_places_that_cannot_be_written(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(dehusk.OutputError, match="choose another place to write to"):
        write(tmp_path / "file" / f"a{suffix}", RECORDS)


def test_formats_are_named_or_seen_by_the_suffix(tmp_path: Path) -> None:
    assert json.loads(write(tmp_path / "odd.name", RECORDS[:1], format="jsonl").read_bytes()) == RECORDS[0]
    (tmp_path / "folder.d").mkdir()
    assert len(list(write(tmp_path / "folder.d", RECORDS).iterdir())) == 3
    with pytest.raises(dehusk.UnknownName, match="choose from: jsonl, csv, parquet, warc, folder"):
        dehusk.open_sink(tmp_path / "a.docx")
    with pytest.raises(dehusk.UnknownName, match="docx: not a format for records"):
        dehusk.open_sink(tmp_path / "a.jsonl", format="docx")
    with pytest.raises(dehusk.InvalidSetting, match="'tei' must be one of text, markdown, html"):
        dehusk.open_sink(tmp_path / "a.jsonl", content="tei")


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("a.warc.zst", "fastwarc.stream_io", "warc"),
        ("a.parquet", "pyarrow.parquet", "parquet"),
        ("a.jsonl.zst", "zstandard", "zstd"),
    ],
)
def test_a_missing_library_is_named(
    name: str, library: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)  # type: ignore[arg-type]
    with pytest.raises(dehusk.MissingExtra) as raised:
        write(tmp_path / name, RECORDS)
    assert raised.value.remedy == f"pip install 'dehusk[{extra}]'"
    assert os.listdir(tmp_path) == []
