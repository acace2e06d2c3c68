"""Bodies that are compressed, whatever names and headers say, wherever they come in."""

from __future__ import annotations

import gzip
import random
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli
import pyarrow
import pyarrow.parquet
import pytest
from stored_pages import archive, http, read, record

import dehusk
from dehusk.sources.page_bodies import page_to_clean

HTML = b"<html><title>Tea</title><article><h1>Tea</h1>" + b"".join(
    b"<p>Steep leaf %d for three minutes, pour the water, and drink it in small sips.</p>" % number
    for number in range(20)
)


def deflated(body: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return compressor.compress(body) + compressor.flush()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "gzip twice": lambda body: gzip.compress(gzip.compress(body)),
    "zlib": zlib.compress,
    "deflate": deflated,
    "brotli": brotli.compress,
    "gzip in brotli": lambda body: brotli.compress(gzip.compress(body)),
}
EXPECTED = dehusk.clean(HTML).text


@pytest.mark.parametrize("coding", PACKED)
def test_bytes_that_a_program_gives_are_unpacked(coding: str) -> None:
    body = PACKED[coding](HTML)
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "identity"))
    for source in (body, bytearray(body), dehusk.RawPage(body), dehusk.RawPage(body, headers=headers)):
        assert dehusk.clean(source).text == EXPECTED  # type: ignore[arg-type]
    assert "leaf 19" in EXPECTED


@pytest.mark.parametrize("coding", PACKED)
def test_every_source_unpacks(coding: str, tmp_path: Path) -> None:
    body = PACKED[coding](HTML)
    (tmp_path / "a.html").write_bytes(body)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as zipped:
        zipped.writestr("page.html", body)
    records = [
        record(http(body, *headers), number=number)
        for number, headers in enumerate(((), ("Content-Encoding: br",), ("Content-Encoding: deflate",)))
    ]
    (tmp_path / "c.warc").write_bytes(archive(records))
    pyarrow.parquet.write_table(
        pyarrow.table({"html": [body], "url": ["https://tea.example/"]}), tmp_path / "d.parquet"
    )
    pages, faults = read(tmp_path)
    assert not faults
    assert [page.body for page in pages] == [HTML] * 6


@pytest.mark.parametrize("coding", PACKED)
def test_bombs_are_not_unpacked_beyond_the_limit(coding: str) -> None:
    bomb = PACKED[coding](b" " * 30_000_000)
    limits = dehusk.Limits(bytes=1_000_000)
    tracemalloc.start()
    with pytest.raises(dehusk.PageTooLarge, match=r"more than 1,000,000 bytes when unpacked; raise Limits\.bytes"):
        dehusk.clean(bomb, limits=limits)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert isinstance(page_to_clean(dehusk.RawPage(bomb), limits), dehusk.PageTooLarge)


def test_what_was_cut_off_is_not_taken_for_a_page() -> None:
    with pytest.raises(dehusk.NotHtml, match=r"a gzip file that cannot be unpacked .*end too early"):
        dehusk.clean(gzip.compress(HTML)[:-20])
    for pack in (zlib.compress, deflated, brotli.compress):
        for changed in (pack(HTML)[:-20], pack(HTML) + b"more"):
            with pytest.raises(dehusk.NotHtml, match="binary data"):
                dehusk.clean(changed)


def test_what_is_inside_is_judged() -> None:
    with pytest.raises(dehusk.NotHtml, match="is a PDF"):
        dehusk.clean(gzip.compress(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"))
    with pytest.raises(dehusk.NotHtml, match="is JSON"):
        dehusk.clean(zlib.compress(b'{"html": "<p>Tea"}'))
    assert isinstance(page_to_clean(dehusk.RawPage(gzip.compress(b"  \n")), dehusk.Limits()), dehusk.EmptyPage)
    with pytest.raises(dehusk.PageTooLarge, match="tags"):
        dehusk.clean(gzip.compress(b"<p>" * 1_000), limits=dehusk.Limits(tags=999))


@pytest.mark.parametrize("text", ["x^2 + y^2 = z^2 in every such triangle", "h\x05 is a letter", "Чай с мёдом"])
def test_text_is_not_unpacked_by_chance(text: str) -> None:
    for encoding in ("utf-8", "utf-16"):
        raw = dehusk.RawPage(text.encode(encoding))
        assert page_to_clean(raw, dehusk.Limits()) is raw


def test_random_bytes_are_no_page_whatever_their_name() -> None:
    for seed in range(40):
        body = random.Random(seed).randbytes(200 + 100 * seed)
        for name in ("page.html", "page.txt", ""):
            with pytest.raises(dehusk.NotHtml):
                dehusk.clean(dehusk.RawPage(body, name=name))
