"""Any path: which reader it gets, folders of everything, missing libraries, and random bytes under every suffix."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from stored_pages import archive, page, read, record, small_archive
from test_archive_sources import SAVED, tarred, zipped

import dehusk
from dehusk.sources.source_opening import READERS, find_reader

SUFFIXES = sorted(suffix for suffixes in READERS for suffix in suffixes)


def test_readers_are_found_by_suffix() -> None:
    assert find_reader("folder.zip/SITE.WARC.GZ") is READERS[".warc", ".warc.gz", ".warc.zst", ".warc.lz4"]
    assert find_reader("page.html") is None
    assert find_reader("notes.gz") is None
    for suffix in SUFFIXES:
        others = [one for suffixes, one in READERS.items() if suffix not in suffixes]
        assert find_reader(f"a{suffix}") not in others


def test_a_folder_may_hold_everything(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "b.warc.gz").write_bytes(small_archive(".gz", 2))
    (tmp_path / "c.jsonl").write_text(json.dumps({"html": "<p>3", "url": "https://tea.example/"}))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "d.zip").write_bytes(zipped({"x.html": page(4)}))
    (tmp_path / "e.tar").write_bytes(b"rubbish" * 200)
    (tmp_path / "f.mht").write_bytes(SAVED)
    (tmp_path / "g.txt").write_text("not a page")
    (tmp_path / ".h.jsonl").write_text("hidden")
    pages, faults = read(tmp_path)
    found = [one.name.removeprefix(f"{tmp_path}/") for one in pages]
    assert found == [
        "a.html",
        "b.warc.gz#record 1",
        "b.warc.gz#record 2",
        "c.jsonl#line 1",
        "f.mht",
        "below/d.zip#x.html",
    ]
    assert [fault.subject for fault in faults] == [f"{tmp_path}/e.tar"]


def test_pages_that_are_too_large_go_the_way_of_faults(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"a" * 101)
    (tmp_path / "b.html").write_bytes(b"a" * 100)
    pages, faults = read(tmp_path, limits=dehusk.Limits(bytes=100))
    assert [len(one.body) for one in pages] == [100]
    assert [type(fault) for fault in faults] == [dehusk.PageTooLarge]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_cannot_be_opened_is_a_fault(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"a{suffix}").symlink_to("nowhere")
    pages, (fault,) = read(tmp_path)
    assert not pages
    assert isinstance(fault, dehusk.SourceUnreadable)
    assert "no such file or directory" in str(fault)


@pytest.mark.parametrize(
    ("name", "library", "command"),
    [
        ("a.warc", "fastwarc.warc", "pip install 'dehusk[warc]'"),
        ("a.parquet", "pyarrow.parquet", "pip install 'dehusk[parquet]'"),
        ("a.jsonl.zst", "zstandard", "pip install 'dehusk[zstd]'"),
    ],
)
def test_a_missing_library_is_named(
    name: str, library: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(b"x")
    monkeypatch.setitem(sys.modules, library, None)  # type: ignore[arg-type]
    with pytest.raises(dehusk.MissingExtra) as raised:
        list(dehusk.open_source(tmp_path / name))
    assert raised.value.remedy == command


def beginnings() -> st.SearchStrategy[bytes]:
    """What files begin with, so that random bytes get further than the first check."""
    whole = (
        *(small_archive(suffix, 2) for suffix in ("", ".gz", ".zst", ".lz4")),
        *(zipped({"a.html": page(1)}), tarred({"a.html": page(1)}), tarred({"a.html": page(1)}, "w:gz")),
        *(SAVED, b'{"html": "<p>"}\n', gzip.compress(b'{"html": "<p>"}\n'), b"PAR1\x15\x04\x15PAR1", b"\xfd7zXZ\x00"),
    )
    return st.builds(
        lambda data, at, junk, gone: data[: at % (len(data) + 1)] + junk + data[at % (len(data) + 1) + gone :],
        st.sampled_from(whole),
        st.integers(0, 20_000),
        st.binary(max_size=30),
        st.integers(0, 600),
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.binary(max_size=600) | beginnings())
@example(data=b"")
@example(data=b"\n" * 1000)
def test_any_bytes_give_pages_or_faults(suffix: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_bytes(data)
        pages, faults = read(path, check_digests=True)
        assert all(isinstance(one, dehusk.RawPage) for one in pages)
        assert all(isinstance(fault, dehusk.SourceError | dehusk.PageTooLarge | dehusk.PageSkipped) for fault in faults)
        assert all(str(fault).startswith(str(path)) and "\n" not in str(fault) for fault in faults)
        for one in pages:
            dehusk.read_page(one)


def test_changed_parquet_gives_pages_or_faults(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"html": [page(number) for number in range(9)], "url": ["u"] * 9}), tmp_path / "a.parquet")
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    for place in range(0, len(data), 7):
        changed = bytes(data[:place]) + bytes([data[place] ^ 0x5A]) + bytes(data[place + 1 :])
        (tmp_path / "b.parquet").write_bytes(changed)
        pages, faults = read(tmp_path / "b.parquet")
        assert len(pages) + len(faults) >= 1


def test_names_of_zip_members_stay_names(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "a.zip", "w") as archive:
        archive.writestr("../../evil.html", page(1))
    shutil.copy(tmp_path / "in" / "a.zip", tmp_path / "in" / "b.zip")
    assert len(list(dehusk.open_source(tmp_path / "in"))) == 2
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "b.zip", "in"]


def empty_archives(folder: Path) -> list[Path]:
    """Files that could hold pages, and hold none, in every format."""
    pq.write_table(pa.table({"html": pa.array([], pa.string())}), folder / "a.parquet")
    zipfile.ZipFile(folder / "a.zip", "w").close()
    tarfile.open(folder / "a.tar", "w").close()
    for name in ("a.warc.gz", "a.jsonl.gz"):
        (folder / name).write_bytes(gzip.compress(b""))
    (folder / "a.jsonl").write_text("\n")
    (folder / "b.warc").write_bytes(archive([record(b"software: x", kind="warcinfo", media_type="text/plain")]))
    return sorted(folder.iterdir())


def test_a_file_without_pages_says_so(tmp_path: Path) -> None:
    paths = empty_archives(tmp_path)
    pages, skipped = read(tmp_path)
    assert not pages
    assert [str(one) for one in skipped] == [f"{path}: holds no pages; leave it out" for path in paths]
    assert {type(one) for one in skipped} == {dehusk.NoPages}
    assert not list(dehusk.open_source(tmp_path))  # in a folder that is no fault; named outright it is
    for path in paths:
        with pytest.raises(dehusk.NoPages):
            list(dehusk.open_source(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_without_a_byte_is_empty(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"a{suffix}").touch()
    with pytest.raises(dehusk.PageSkipped, match="is empty; leave it out"):
        list(dehusk.open_source(tmp_path / f"a{suffix}"))
