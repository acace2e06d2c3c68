"""Zip and tar files, also hostile ones, and MHTML."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import zstandard
from counted_work import assert_grows_in_step
from stored_pages import page, read, read_bytes
from thoroughness import sized

import dehusk

SMALL = dehusk.Limits(bytes=100_000)
NAMES = ("a.html", "b/../../c.htm", "/etc/d.xhtml", "C:\\e.HTML", "notes.txt", "b/.hidden.html", "f\nforged: g.html")
READ = [*NAMES[:4], "f\ufffdforged: g.html"]


def zipped(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", how) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return written.getvalue()


def tarred(members: dict[str, bytes], mode: str = "w") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            described = tarfile.TarInfo(name)
            described.size = len(data)
            archive.addfile(described, io.BytesIO(data))
    return written.getvalue()


TARS = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz", ".txz": "w:xz"}


def labels(pages: list[dehusk.RawPage], path: Path) -> list[str]:
    return [one.name.removeprefix(f"{path}#") for one in pages]


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_members_are_read_and_nothing_is_written(how: int, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({name: page(number) for number, name in enumerate(NAMES)}, how))
    pages, faults = read(path)
    assert labels(pages, path) == READ
    assert [one.body for one in pages] == [page(number) for number in (0, 1, 2, 3, 6)]
    assert not faults
    assert os.listdir(tmp_path) == ["a.zip"]


@pytest.mark.parametrize("suffix", TARS)
def test_tar_members_are_read_and_nothing_is_written(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(tarred({name: page(number) for number, name in enumerate(NAMES)}, TARS[suffix]))
    pages, faults = read(path)
    assert labels(pages, path) == READ
    assert [one.body for one in pages] == [page(number) for number in (0, 1, 2, 3, 6)]
    assert not faults
    assert os.listdir(tmp_path) == [path.name]


def test_tar_with_zstd(tmp_path: Path) -> None:
    data = zstandard.ZstdCompressor().compress(tarred({"a.html": page(1)}))
    assert read_bytes(tmp_path, "a.tar.zst", data) == ([page(1)], [])


def test_links_and_devices_of_a_tar_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("secret")
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE):
            member = tarfile.TarInfo("link.html")
            member.type, member.linkname = kind, str(tmp_path / "secret.html")
            archive.addfile(member)
    data = written.getvalue()[: 5 * tarfile.BLOCKSIZE] + tarred({"a.html": page(1)})
    skipped = ["a.tar#link.html: is a link, not a page; pack the page that it leads to"] * 2  # the first two kinds
    assert read_bytes(tmp_path, "a.tar", data) == ([page(1)], skipped)


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", ".tar.xz", ".tar.bz2"])
def test_bombs_are_cut_off_with_little_memory(suffix: str, tmp_path: Path) -> None:
    members = {"bomb.html": bytes(50_000_000), "a.html": page(1)}
    path = tmp_path / f"a{suffix}"
    path.write_bytes(zipped(members) if suffix == ".zip" else tarred(members, TARS[suffix]))
    del members
    tracemalloc.start()
    pages, (fault,) = read(path, limits=SMALL)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [one.body for one in pages] == [page(1)]
    assert isinstance(fault, dehusk.PageTooLarge)
    assert str(fault).startswith(f"{path}#bomb.html: more than 100,000 bytes")
    assert most < 12_000_000  # xz needs 8 MB by itself


def test_zip_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.html", page(1))
        for number in range(50):
            again = archive.getinfo("a.html")
            copy = zipfile.ZipInfo(f"{number}.html")
            copy.header_offset, copy.CRC, copy.compress_type = again.header_offset, again.CRC, again.compress_type
            copy.compress_size, copy.file_size = again.compress_size, again.file_size
            archive.filelist.append(copy)
    bodies, faults = read_bytes(tmp_path, "a.zip", written.getvalue())
    assert bodies == [page(1)]
    assert len(faults) == 50
    assert all("overlaps another member" in fault for fault in faults)


def test_faults_of_a_zip_cost_one_member(tmp_path: Path) -> None:
    data = zipped({"a.html": page(1), "b.html": page(2), "c.html": page(3)}, zipfile.ZIP_STORED)
    changed = data.replace(page(2), page(4), 1)
    encrypted = bytearray(data)
    encrypted[data.rindex(b"PK\x01\x02") + 8] |= 1
    for damaged in (changed, bytes(encrypted)):
        bodies, (fault,) = read_bytes(tmp_path, "a.zip", damaged)
        assert len(bodies) == 2
        assert fault.startswith("a.zip#")


def test_a_tar_whose_header_would_fill_memory(tmp_path: Path) -> None:
    member = tarfile.TarInfo("x")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 8_000_000_000
    bodies, (fault,) = read_bytes(tmp_path, "a.tar", tarred({"a.html": page(1)})[:1024] + member.tobuf() + bytes(2048))
    assert bodies == [page(1)]
    assert "a header of 8,000,000,000 bytes" in fault


def test_a_tar_whose_header_is_a_million_digits(tmp_path: Path) -> None:
    member = tarfile.TarInfo("x")
    member.type, member.size = tarfile.XHDTYPE, 1_000_000
    data = tarred({"a.html": b"1" * 1000})[:1536] + member.tobuf() + b"1" * 1_000_448
    bodies, (fault,) = read_bytes(tmp_path, "a.tar", data)
    assert bodies == [b"1" * 1000]
    assert "a header of digits" in fault


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".zip"])
def test_cut_archives(suffix: str, tmp_path: Path) -> None:
    members = {f"{number}.html": Random(number).randbytes(700) for number in range(4)}
    data = zipped(members) if suffix == ".zip" else tarred(members, TARS[suffix])
    for end in range(1, min(len(data), 4 * 1536), 97):
        bodies, faults = read_bytes(tmp_path, f"a{suffix}", data[:end])
        assert bodies == list(members.values())[: len(bodies)]
        assert len(faults) <= 1
        # A tar may end behind any member; and nobody looks behind the last one for the end of the compressed file.
        assert faults or suffix == ".tar" or len(bodies) == 4


SAVED = b"""From: <Saved by Blink>
Snapshot-Content-Location: https://tea.example/page
Subject: Tea
Date: Mon, 6 May 2024 07:08:09 -0000
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="----Boundary"

------Boundary
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://tea.example/image

iVBORw0KGgo=
------Boundary
Content-Type: text/html; charset=iso-8859-7
Content-Transfer-Encoding: quoted-printable
Content-Location: https://tea.example/page

<p>Te=
a =E1
------Boundary
Content-Type: text/html

<p>frame
------Boundary--
"""


@pytest.mark.parametrize("name", ["a.mhtml", "a.MHT"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_mhtml(name: str, newline: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(SAVED.replace(b"\n", newline))
    (found,), faults = read(tmp_path / name)
    assert found.body.strip() == b"<p>Tea \xe1"
    assert found.url == "https://tea.example/page"
    assert found.header("content-type") == "text/html; charset=iso-8859-7"
    assert found.fetched_at == "2024-05-06T07:08:09"
    assert not faults


def test_mhtml_without_html_too_large_or_nested(tmp_path: Path) -> None:
    none = read_bytes(tmp_path, "a.mhtml", b"Content-Type: text/plain\n\nx")
    assert none == ([], ["a.mhtml: no html in it; leave it out"])
    large_page, large_file = SAVED.replace(b"<p>Te=", b"x" * 600), SAVED.replace(b"frame", b"x" * 1000)
    for large in (large_page, large_file):
        bodies, (fault,) = read_bytes(tmp_path, "a.mhtml", large, limits=dehusk.Limits(bytes=590))
        assert not bodies
        assert fault.startswith("a.mhtml: more than 590 bytes")


def test_mhtml_compares_no_line_with_every_boundary(tmp_path: Path) -> None:
    def nested(size: int) -> bytes:
        heads = (b"Content-Type: multipart/x; boundary=%d\n\n--%d\n" % (depth, depth) for depth in range(size // 20))
        return b"".join(heads) + b"x\n" * size

    def make_work(size: int) -> Callable[[], object]:
        return lambda: read_bytes(tmp_path, "a.mhtml", nested(size))

    assert_grows_in_step(make_work, sized(10_000))
    bodies, faults = read_bytes(tmp_path, "a.mhtml", nested(6_000) + b"x\n" * sized(500_000))
    assert not bodies
    assert len(faults) == 1


@pytest.mark.parametrize(
    "rest",
    [
        lambda size: b"\n\n" + b"--b\n" * size,
        lambda size: b";a=b" * size + b"\n\nx",
        lambda size: b"\n\n--b\nContent-Type: x" + b";a=b" * size,
    ],
)
def test_mhtml_of_nothing_but_parts_or_parameters(rest: Callable[[int], bytes], tmp_path: Path) -> None:
    def read_rest(size: int) -> tuple[list[bytes], list[str]]:
        return read_bytes(tmp_path, "a.mhtml", b"Content-Type: multipart/related; boundary=b" + rest(size))

    assert_grows_in_step(lambda size: lambda: read_rest(size), sized(20_000))
    assert read_rest(500_000) == ([], ["a.mhtml: no html in it; leave it out"])


def test_mhtml_that_is_cut_or_inside_of_other_parts(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "a.mhtml", SAVED[: SAVED.index(b"------Boundary\nContent-Type: text/html\n")])[0]
    inner = b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>in\n--b--\n"
    outer = b"Content-Type: multipart/related; boundary=a\n\npreamble\n--a\n" + inner + b"\n--a--\n--a\n\nbehind"
    assert read_bytes(tmp_path, "a.mhtml", outer) == ([b"<p>in"], [])
    assert read_bytes(tmp_path, "a.mhtml", b"Content-Type: text/html\n\n<p>alone") == ([b"<p>alone"], [])


def test_base64_is_decoded_in_little_memory_even_if_it_is_cut(tmp_path: Path) -> None:
    """The library for mail makes an object of every line."""
    head = b"Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    path = tmp_path / "a.mhtml"
    path.write_bytes(head + b"PHA+\n" * 200_000 + b"PH")
    tracemalloc.start()
    (found,) = dehusk.open_source(path, limits=dehusk.Limits(bytes=1_000_000))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.body == b"<p>" * 200_000 + b"<"
    assert most < 6 * path.stat().st_size


def test_links_in_archives_are_skipped_and_told(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.html")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.html", page(1))
        archive.writestr(link, "../../etc/passwd")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        kinds = {"soft.html": tarfile.SYMTYPE, "hard.html": tarfile.LNKTYPE, "soft.png": tarfile.SYMTYPE}
        for name, kind in kinds.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)
    (tmp_path / "b.tar").write_bytes(packed.getvalue())
    pages, skipped = read(tmp_path)
    assert [one.body for one in pages] == [page(1)]
    assert {type(fault) for fault in skipped} == {dehusk.NotFollowed}
    assert [str(fault).removeprefix(f"{tmp_path}/") for fault in skipped] == [
        f"{name}: is a link, not a page; pack the page that it leads to"
        for name in ("a.zip#link.html", "b.tar#soft.html", "b.tar#hard.html")
    ]
