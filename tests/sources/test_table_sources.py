"""Parquet and JSON lines: which columns hold pages, and rows that hold none."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from stored_pages import page, read, read_bytes

import dehusk
from dehusk.sources.parquet_sizes import column_chunks, page_sizes
from dehusk.sources.url_lists import read_urls

SMALL = dehusk.Limits(bytes=10_000)


def parquet(path: Path, rows: int | None = None, **columns: object) -> Path:
    pq.write_table(pa.table(columns), path, row_group_size=rows)
    return path


@pytest.mark.parametrize(
    ("html", "url"),
    [("html", "url"), ("HTML", "URL"), ("raw_html", "uri"), ("content", "link"), ("body", "page-url"), ("raw", "url")],
)
def test_columns_are_guessed(html: str, url: str, tmp_path: Path) -> None:
    columns = {"text": ["no"], html: [page(1)], url: ["https://tea.example/1"], "lang": ["en"]}
    (found,), faults = read(parquet(tmp_path / "a.parquet", **columns))
    assert (found.body, found.url, found.name) == (page(1), "https://tea.example/1", f"{tmp_path}/a.parquet#row 1")
    assert not faults
    line = json.dumps({"text": "no", html: page(1).decode(), url: "https://tea.example/1"})
    (tmp_path / "a.jsonl").write_text("\n" + line)
    (found,), faults = read(tmp_path / "a.jsonl")
    assert (found.body, found.url, found.name) == (page(1), "https://tea.example/1", f"{tmp_path}/a.jsonl#line 2")


def test_columns_are_named(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", html=["wrong"], text=["<p>right"], where=["https://tea.example/"])
    (found,), _ = read(path, html_field="text", url_field="where")
    assert (found.body, found.url) == (b"<p>right", "https://tea.example/")
    for wrong in ({"html_field": "nowhere"}, {"url_field": "nowhere"}):
        pages, (fault,) = read(path, **wrong)
        assert not pages
        assert "has no field nowhere" in str(fault)
    _, (fault,) = read(parquet(tmp_path / "b.parquet", text=["x"]))
    assert "name the one that holds the pages with html_field" in str(fault)


def test_text_says_that_it_is_decoded_and_bytes_do_not(tmp_path: Path) -> None:
    stale = "<meta charset=windows-1251><p>Καλημέρα " * 5
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        (found,), _ = read(parquet(tmp_path / "a.parquet", html=pa.array([stale]).cast(kind)))
        assert found.body.decode() == stale
        assert found.header("Content-Type") == "text/html; charset=utf-8"
    (found,), _ = read(parquet(tmp_path / "a.parquet", html=pa.array([stale.encode("windows-1251", "replace")])))
    assert not found.headers


def test_missing_and_large_rows_are_faults(tmp_path: Path) -> None:
    htmls = [b"<p>1", None, b"x" * 10_001, b"<p>4"]
    path = parquet(tmp_path / "a.parquet", rows=2, html=htmls, url=["a", "b", None, None])
    pages, faults = read(path, limits=SMALL)
    assert [(one.body, one.url) for one in pages] == [(b"<p>1", "a"), (b"<p>4", "")]
    assert pages[1].name.endswith("#row 4")
    assert [type(fault) for fault in faults] == [dehusk.SourceUnreadable, dehusk.PageTooLarge]
    assert "#row 2: nothing in its column html" in str(faults[0])


def test_times_of_any_type(tmp_path: Path) -> None:
    time = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    for value in (pa.array([time]), pa.array(["2024-05-06T07:08:09Z"])):
        (found,), _ = read(parquet(tmp_path / "a.parquet", html=["x"], date=value))
        assert found.fetched_at.startswith("2024-05-06")
    (found,), _ = read(parquet(tmp_path / "a.parquet", html=["x"], date=[17]))
    assert found.fetched_at == ""


def test_columns_of_other_things_are_faults(tmp_path: Path) -> None:
    pages, (fault,) = read(parquet(tmp_path / "a.parquet", html=[[1, 2]]))
    assert not pages
    assert "holds list" in str(fault)


def test_text_that_is_none_is_read(tmp_path: Path) -> None:
    wrong = pa.array([b"\xff\xfe<p>"]).view(pa.string())
    (found,), faults = read(parquet(tmp_path / "a.parquet", html=wrong, url=wrong))
    assert found.body == b"\xff\xfe<p>"
    assert not faults


def test_a_damaged_row_group_costs_itself(tmp_path: Path) -> None:
    htmls = [hashlib.sha256(bytes([number])).hexdigest().encode() * 9 for number in range(30)]
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"html": htmls}), path, row_group_size=10, compression="gzip", use_dictionary=False)
    column = pq.read_metadata(path).row_group(1).column(0)
    end = column.data_page_offset + column.total_compressed_size
    data = bytearray(path.read_bytes())
    data[end - 150 : end - 50] = bytes(100)
    bodies, (fault,) = read_bytes(tmp_path, "a.parquet", bytes(data))
    assert bodies == htmls[:10] + htmls[20:]
    assert fault.startswith("a.parquet#row 11: ")


def test_memory_stays_flat(tmp_path: Path) -> None:
    lines = [json.dumps({"html": str(number) * 50_000}) for number in range(400)]
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode(), 1))
    del lines
    tracemalloc.start()
    assert sum(1 for _ in dehusk.open_source(tmp_path / "a.jsonl.gz")) == 400
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3_000_000


LINES = (
    b'{"html": "<p>1", "url": "a"}\n\nrubbish\n[1]\n{"html": 7}\n{"text": "x"}\n{"html": "<p>\\ud800"}\n' + b"[" * 9000
)


@pytest.mark.parametrize(
    ("suffix", "compress"), [("", bytes), (".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress)]
)
def test_lines_that_hold_no_page_are_faults(suffix: str, compress: object, tmp_path: Path) -> None:
    bodies, faults = read_bytes(tmp_path, f"a.jsonl{suffix}", compress(LINES))  # type: ignore[operator]
    assert bodies == [b"<p>1", b"<p>?"]
    places = [fault.partition(": ")[0] for fault in faults]
    assert places == [f"a.jsonl{suffix}#line {number}" for number in (3, 4, 5, 6, 8)]


def test_long_lines_are_passed_over(tmp_path: Path) -> None:
    lines = [{"html": "x" * 10_001}, {"html": "x" * 5_000_000}, {"html": "<p>short"}]
    bodies, faults = read_bytes(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines)).encode(), limits=SMALL)
    assert bodies == [b"<p>short"]
    assert [fault.partition(":")[0] for fault in faults] == ["a.jsonl#line 1", "a.jsonl#line 2"]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_what_is_before_a_cut_is_read(suffix: str, tmp_path: Path) -> None:
    lines = b"".join(b'{"html": "<p>%d"}\n' % number for number in range(3000))
    data = gzip.compress(lines) if suffix == ".gz" else zstandard.ZstdCompressor().compress(lines)
    for end in range(1, len(data) - 1, len(data) // 10):
        bodies, faults = read_bytes(tmp_path, f"a.jsonl{suffix}", data[:end])
        assert bodies == [b"<p>%d" % number for number in range(len(bodies))]
        assert faults or suffix == ".zst"


def test_addresses_of_a_list(tmp_path: Path) -> None:
    lines = (
        "\ufeffhttps://tea.example/\r\n\n# none\n  https://tea.example/ü \n" + "x" * 20_000 + "\nhttps://last.example/"
    )
    (tmp_path / "urls.txt").write_text(lines, "utf-8", newline="")
    (tmp_path / "urls.txt.gz").write_bytes(gzip.compress(lines.encode()))
    for name in ("urls.txt", "urls.txt.gz"):
        expected = ["https://tea.example/", "https://tea.example/ü", "https://last.example/"]
        assert list(read_urls(str(tmp_path / name))) == expected
    (tmp_path / "urls.txt.gz").write_bytes(b"rubbish")
    with pytest.raises(dehusk.SourceUnreadable, match="check that it is whole"):
        list(read_urls(str(tmp_path / "urls.txt.gz")))


@pytest.mark.parametrize(
    "headers",
    [
        [{"name": "Content-Type", "value": "text/html; charset=koi8-r"}, {"name": "ETag", "value": "1"}],
        [["Content-Type", "text/html; charset=koi8-r"], ["ETag", "1"]],
        {"Content-Type": "text/html; charset=koi8-r", "ETag": "1"},
    ],
)
def test_headers_are_read_as_they_are_stored(headers: object, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": "<p>ä", "headers": headers}))
    ((found,), _) = read(tmp_path / "a.jsonl")
    assert found.header("etag") == "1"
    assert "utf-8" in found.header("content-type"), "what was true before it was decoded"
    kind = pa.map_(pa.string(), pa.string()) if isinstance(headers, dict) else None
    column = pa.array([list(headers.items()) if isinstance(headers, dict) else headers], kind)
    ((found,), _) = read(parquet(tmp_path / "a.parquet", html=[b"<p>"], headers=column))
    assert found.header("etag") == "1"
    assert "koi8-r" in found.header("content-type")


@pytest.mark.parametrize(
    "column",
    [
        [None],
        ["text"],
        [7],
        [[1, 2]],
        [[["a", None]]],
        [[["a", "b", "c"]]],
        [[["a", "b" * 70_000]]],
        pa.array([[[b"a", b"\xff"]]]).cast(pa.list_(pa.list_(pa.binary()))),
    ],
)
def test_headers_that_are_none_do_no_harm(column: object, tmp_path: Path) -> None:
    ((found,), faults) = read(parquet(tmp_path / "a.parquet", html=[b"<p>"], headers=column))
    assert found.headers == ()
    assert not faults


BIG = b"<p>" + b"a" * 60_000_000
"""A page within the limit, which many rows have."""
MOST_MEGABYTES = 1000
"""More than twice what is taken; decoded in batches of rows, as it was, the first bomb alone took 4,300."""

MEASURE = """
import re, sys, dehusk
for path in sys.argv[1:]:
    faults = []
    pages = sum(1 for _ in dehusk.open_source(path, on_error=faults.append))
    print(pages, *faults, sep="|")
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1000)
"""


def shared_value(value: bytes | str, count: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), pa.array([value]))


def write_bomb(path: Path, **columns: object) -> Path:
    pq.write_table(pa.table(columns), path, compression="zstd", store_schema=False)
    return path


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell what memory was taken")
def test_small_files_that_say_gigabytes_take_little_memory(tmp_path: Path) -> None:
    dictionary = write_bomb(tmp_path / "dictionary.parquet", html=shared_value(BIG, 40))
    pair = shared_value("x" * 1_000_000, 100_000)
    entries = pa.StructArray.from_arrays([pair, pair], ["name", "value"])
    listed = pa.ListArray.from_arrays(pa.array([0, len(pair)], pa.int32()), entries)
    nested = write_bomb(tmp_path / "nested.parquet", html=["<p>a"], headers=listed)
    assert all(path.stat().st_size < 10_000 for path in (dictionary, nested))
    command = [sys.executable, "-c", MEASURE, str(dictionary), str(nested)]
    of_dictionary, of_nested, megabytes = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert int(megabytes) < MOST_MEGABYTES
    assert "its pages come to more than 100,000,000 bytes" in of_dictionary
    assert of_nested == "1"  # the page itself, without what its headers say


def test_what_is_decompressed_at_once_has_a_limit(tmp_path: Path) -> None:
    table = pa.table({"html": pa.array([b"a" * 9_000] * 9, pa.large_binary())})
    pq.write_table(table, tmp_path / "a.parquet", compression="zstd", use_dictionary=False, store_schema=False)
    pages, (fault,) = read(tmp_path / "a.parquet", limits=SMALL)
    assert not pages
    assert "a.parquet#row 1: html expands to 81,0" in str(fault)
    assert len(read(tmp_path / "a.parquet")[0]) == 9
    # The path that is stored with a column is not what pyarrow finds it by.
    before, name, behind = (tmp_path / "a.parquet").read_bytes().rpartition(b"html")
    (tmp_path / "b.parquet").write_bytes(before + name[::-1] + behind)
    assert len(read(tmp_path / "b.parquet")[0]) == 9
    assert len(read(tmp_path / "b.parquet", limits=SMALL)[1]) == 1


def test_rows_without_end_are_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.source_opening._ALWAYS_ALLOWED", 0)
    path = write_bomb(tmp_path / "a.parquet", html=shared_value("<p>a", 5000))
    pages, (fault,) = read(path)
    assert len(pages) == path.stat().st_size // 10  # a row counts as a thousand bytes at least
    assert f"its pages come to more than {100 * path.stat().st_size:,} bytes" in str(fault)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("settings", [{}, {"use_dictionary": False}, {"compression": "none"}, {"data_page_size": 100}])
def test_sizes_are_found_in_whatever_way_a_file_is_written(
    version: str, settings: dict[str, object], tmp_path: Path
) -> None:
    headers = [[("Content-Type", "text/html"), ("X-Number", str(number))] for number in range(50)]
    kind = pa.map_(pa.string(), pa.string())
    table = pa.table({"html": [page(number) for number in range(50)], "headers": pa.array(headers, kind)})
    pq.write_table(table, tmp_path / "a.parquet", data_page_version=version, row_group_size=20, **settings)
    pages, faults = read(tmp_path / "a.parquet")
    assert not faults
    assert [one.body for one in pages] == [page(number) for number in range(50)]
    assert pages[7].header("X-Number") == "7"
    metadata = pq.ParquetFile(tmp_path / "a.parquet").metadata
    with open(tmp_path / "a.parquet", "rb") as stream:
        groups = column_chunks(stream, dict(enumerate(["html", "headers.key", "headers.value"])))
        assert len(groups) == metadata.num_row_groups
        for number, chunks in enumerate(groups):
            columns = list(map(metadata.row_group(number).column, range(3)))
            assert [chunk.path for chunk in chunks] == ["html", "headers.key", "headers.value"]
            sizes = [list(page_sizes(stream, chunk)) for chunk in chunks]
            values = [sum(size.values for size in pages) for pages in sizes]
            assert values == [column.num_values for column in columns]


def test_a_line_of_countless_values_is_refused_and_commas_in_a_page_are_not_counted(tmp_path: Path) -> None:
    commas = json.dumps({"html": "<p>" + 'one, "two" ' * 1_100_000})
    values = '{"html": "<p>a", "x": [' + "{}," * 1_000_001 + "{}]}"
    (tmp_path / "a.jsonl").write_text(f"{values}\n{commas}\n")
    (found,), (fault,) = read(tmp_path / "a.jsonl")
    assert found.name.endswith("#line 2")
    assert "#line 1: more than 1,000,000 values in it" in str(fault)


DOCUMENT = {"text": "<html><p>tea", "id": "1", "media": [], "metadata": {"url": "https://tea.example/", "date": "2024"}}


def test_what_datatrove_writes_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(DOCUMENT))
    pq.write_table(pa.Table.from_pylist([DOCUMENT, {**DOCUMENT, "metadata": None}]), tmp_path / "a.parquet")
    (line,), _ = read(tmp_path / "a.jsonl")
    (row, without), _ = read(tmp_path / "a.parquet")
    for found in (line, row):
        assert (found.body, found.url, found.fetched_at) == (b"<html><p>tea", "https://tea.example/", "2024")
    assert (without.body, without.url) == (b"<html><p>tea", "")


def test_extracted_text_is_no_html_unless_asked_for(tmp_path: Path) -> None:
    extracted = {**DOCUMENT, "text": "Tea & <milk>\n\nis all."}
    (tmp_path / "a.jsonl").write_text(json.dumps(extracted))
    pq.write_table(pa.Table.from_pylist([extracted]), tmp_path / "a.parquet")
    for path in (tmp_path / "a.jsonl", tmp_path / "a.parquet"):
        _, (fault,) = read(path)
        assert "--text-field" in str(fault)
        (found,), _ = read(path, text_field="text")
        assert found.body == b"<p>Tea &amp; &lt;milk&gt;</p>\n<p>is all.</p>\n"
        assert found.url == "https://tea.example/"
        _, (fault,) = read(path, url_field="metadata.nowhere")
        assert "has no field metadata.nowhere" in str(fault)
