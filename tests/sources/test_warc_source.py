"""Web archives: which records are pages, and what is left of damaged ones."""

from __future__ import annotations

import gzip
import hashlib
import io
import tracemalloc
import zlib
from pathlib import Path

import pytest
from stored_pages import (
    WRITERS,
    archive,
    chunked,
    gzipped,
    http,
    page,
    read,
    read_bytes,
    record,
    small_archive,
    stream_io,
)

import dehusk

PAGES = [page(number) for number in range(4)]


@pytest.mark.parametrize("suffix", WRITERS)
def test_pages_come_with_address_headers_and_time(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"site.warc{suffix}"
    path.write_bytes(small_archive(suffix))
    pages, faults = read(path, check_digests=True)
    assert not faults
    assert [one.body for one in pages] == PAGES
    assert pages[2].url == "https://tea.example/2"
    assert pages[2].name == f"{path}#record 3"
    assert pages[2].fetched_at == "2024-05-06T07:08:09Z"
    assert pages[2].header("content-type") == "text/html; charset=utf-8"
    assert pages[2].header("WARC-Record-ID") == f"<urn:uuid:{2:032x}>"


def test_only_html_that_was_found_counts(tmp_path: Path) -> None:
    records = [
        record(http(b"moved", status="301 Moved Permanently")),
        record(http(b"none", status="404 Not Found")),
        record(http(b"%PDF", media_type="application/pdf")),
        record(b"tea.example. 60 IN A 192.0.2.1", media_type="text/dns"),
        record(b"GET / HTTP/1.1\r\n\r\n", kind="request", media_type="application/http; msgtype=request"),
        record(http(b"again"), kind="revisit"),
        record(b"software: x", kind="warcinfo", media_type="application/warc-fields"),
        record(http(b"<p>xhtml", media_type="application/xhtml+xml")),
        record(b"<p>stored", kind="resource", media_type="text/html"),
        record(b"body { }", kind="resource", media_type="text/css"),
        record(b"<p>converted", kind="conversion", media_type="text/html; charset=utf-8"),
        record(http(b"<p>identified", media_type=""), **{"WARC-Identified-Payload-Type": "text/html"}),
    ]
    bodies, faults = read_bytes(tmp_path, "a.warc", archive(records))
    assert bodies == [b"<p>xhtml", b"<p>stored", b"<p>converted", b"<p>identified"]
    assert not faults


def brotli(body: bytes) -> bytes:
    return compressed(stream_io.BrotliWriter, body)


def zstd(body: bytes) -> bytes:
    return compressed(stream_io.ZstdWriter, body)


class StaysOpen(io.BytesIO):
    def close(self) -> None:
        pass


def compressed(writer: type, body: bytes) -> bytes:
    written = StaysOpen()
    stream = writer(written)
    stream.write(body)
    stream.close()
    return written.getvalue()


RAW_DEFLATE = zlib.compressobj(wbits=-15)
SENT = {
    "gzip": http(gzipped(page(1)), "Content-Encoding: gzip"),
    "deflate": http(zlib.compress(page(1)), "Content-Encoding: deflate"),
    "raw deflate": http(RAW_DEFLATE.compress(page(1)) + RAW_DEFLATE.flush(), "Content-Encoding: deflate"),
    "brotli": http(brotli(page(1)), "Content-Encoding: br"),
    "zstd": http(zstd(page(1)), "Content-Encoding: zstd"),
    "chunked": http(chunked(page(1)), "Transfer-Encoding: chunked"),
    "both": http(chunked(gzipped(page(1))), "transfer-encoding: chunked", "content-encoding: GZIP"),
    "said to be": http(page(1), "Transfer-Encoding: chunked", "Content-Encoding: gzip"),
    "said to be brotli": http(page(1), "Content-Encoding: br"),
    "unknown": http(page(1), "Content-Encoding: identity"),
}


@pytest.mark.parametrize("name", SENT)
def test_bodies_are_decoded_as_they_were_sent(name: str, tmp_path: Path) -> None:
    # Two of them: fastwarc 1.1 loses all records behind a body that is both chunked and compressed.
    bodies, faults = read_bytes(tmp_path, "a.warc.gz", archive([record(SENT[name])] * 2, ".gz"))
    assert (bodies, faults) == ([page(1)] * 2, [])


@pytest.mark.parametrize(
    ("block", "cause"),
    [
        (http(gzipped(page(1))[:-20], "Content-Encoding: gzip"), "compressed data that end too early"),
        (http(b"\x1f\x8b\x08 nothing", "Content-Encoding: gzip"), "compressed data that cannot be read"),
        (http(chunked(page(1))[:-40], "Transfer-Encoding: chunked"), "its chunks end too early"),
        (b"no response at all", "no HTTP response in it"),
    ],
)
def test_damaged_bodies_are_faults_of_one_record(block: bytes, cause: str, tmp_path: Path) -> None:
    bodies, (fault,) = read_bytes(tmp_path, "a.warc", archive([record(block), record(http(page(0)))]))
    assert bodies == [page(0)]
    assert fault.startswith(f"a.warc#record 1 (https://tea.example/0): {cause}")


@pytest.mark.parametrize("suffix", WRITERS)
def test_what_is_before_a_cut_is_read_and_the_cut_reported(suffix: str, tmp_path: Path) -> None:
    data = small_archive(suffix)
    silent = 0
    for end in range(1, len(data), 10):
        bodies, faults = read_bytes(tmp_path, f"a.warc{suffix}", data[:end])
        assert bodies == PAGES[: len(bodies)]
        assert len(faults) <= 1
        silent += not faults
        if faults:
            assert faults[0].startswith(f"a.warc{suffix}#byte ")
    # Between records, and where the beginning of a frame or the empty lines behind a record are cut, nothing is lost.
    assert silent <= 8


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_one_changed_byte_costs_one_record(suffix: str, tmp_path: Path) -> None:
    data = bytearray(small_archive(suffix))
    for place in range(0, len(data), 10):
        data[place] ^= 0x5A
        bodies, faults = read_bytes(tmp_path, f"a.warc{suffix}", bytes(data), check_digests=True)
        data[place] ^= 0x5A
        assert len(bodies) >= 3
        assert all(body in PAGES for body in bodies)
        assert len(bodies) == 4 or 1 <= len(faults) <= 2


@pytest.mark.parametrize("suffix", ["", ".lz4"])
def test_without_checksums_digests_tell(suffix: str, tmp_path: Path) -> None:
    data = bytearray(small_archive(suffix))
    for place in range(0, len(data), 10):
        data[place] ^= 0x5A
        bodies, faults = read_bytes(tmp_path, f"a.warc{suffix}", bytes(data), check_digests=True)
        data[place] ^= 0x5A
        assert len(bodies) >= 3
        assert sum(body not in PAGES for body in bodies) <= 1
        assert len(faults) <= 2


@pytest.mark.parametrize("length", ["5000", "100", "99999999999999999999999", "-5", "x", "9999999999", ""])
def test_wrong_lengths_cost_little(length: str, tmp_path: Path) -> None:
    right = f"Content-Length: {len(http(page(1)))}".encode()
    before, found, after = small_archive().partition(right)
    bodies, faults = read_bytes(tmp_path, "a.warc", before + b"Content-Length: " + length.encode() + after)
    assert found
    assert bodies[-3:] == PAGES[-3:]
    assert len(faults) == 1


def test_a_record_inside_a_page_is_no_record(tmp_path: Path) -> None:
    """Not even where reading goes on behind a fault: anybody could speak for any site."""
    inner = small_archive(count=1)
    outer = archive([record(http(b"<pre>\r\n\r\n" + inner), number=7)])
    bodies, faults = read_bytes(tmp_path, "a.warc", outer + b"rubbish\r\n\r\n" + small_archive(count=2))
    assert [body[:5] for body in bodies] == [b"<pre>", *(one[:5] for one in PAGES[:2])]
    assert len(faults) == 1


def test_digests_are_checked_if_asked_for(tmp_path: Path) -> None:
    block = http(chunked(page(1)), "Transfer-Encoding: chunked")
    right = hashlib.sha256(page(1)).hexdigest()
    records = [
        record(block, **{"WARC-Payload-Digest": f"sha256:{right}"}),
        record(block, **{"WARC-Payload-Digest": f"sha256:{right[::-1]}"}),
        record(block, **{"WARC-Payload-Digest": "unheard-of:0"}),
    ]
    data = archive(records)
    assert len(read_bytes(tmp_path, "a.warc", data)[0]) == 3
    bodies, faults = read_bytes(tmp_path, "a.warc", data, check_digests=True)
    assert len(bodies) == 2
    wrong = "its payload does not have the digest it declares"
    assert faults == [f"a.warc#record 2 (https://tea.example/0): {wrong}; leave it out"]
    changed = data.replace(b"Steep", b"Sleep")
    assert len(read_bytes(tmp_path, "a.warc", changed)[0]) == 3
    assert "its block does not have the digest" in read_bytes(tmp_path, "a.warc", changed, check_digests=True)[1][0]


def test_pages_that_are_too_large_are_left_out_with_little_memory(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    records = [
        record(http(bomb, "Content-Encoding: gzip")),
        record(http(bytes(30_000_000))),
        record(bytes(1_500_000), kind="resource", media_type="text/html"),
        record(http(bytes(3_000_000), media_type="image/png")),
        record(http(page(0))),
    ]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive(records, ".gz"))
    del records, bomb
    tracemalloc.start()
    pages, faults = read(path, limits=dehusk.Limits(bytes=1_000_000))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [one.body for one in pages] == [page(0)]
    assert [type(fault) for fault in faults] == [dehusk.PageTooLarge] * 3
    assert most < 10_000_000


def test_records_in_one_gzip_member(tmp_path: Path) -> None:
    data = gzipped(small_archive())
    assert read_bytes(tmp_path, "a.warc.gz", data) == (PAGES, [])
    bodies, faults = read_bytes(tmp_path, "a.warc.gz", data[:-30])
    assert bodies == PAGES[: len(bodies)]
    assert len(faults) == 1


@pytest.mark.parametrize("start", [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\nWARC/1.0\r\n"])
def test_a_file_of_beginnings_ends(start: bytes, tmp_path: Path) -> None:
    bodies, faults = read_bytes(tmp_path, "a.warc", start * (2_000_000 // len(start)))
    assert not bodies
    assert faults


def test_without_somebody_to_hear_of_it_a_fault_raises(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"no archive")
    with pytest.raises(dehusk.SourceUnreadable, match=r"a\.warc#byte 0: damaged record"):
        list(dehusk.open_source(path))
