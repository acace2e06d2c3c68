"""What is not html is told by its bytes and content type, and nothing that is html is refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from stored_pages import archive, http, page, record

import dehusk
from dehusk.sources.file_types import other_type


def zipped(name: str, content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def tarred() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.html"))
    return stream.getvalue()


def parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"a": [1]}), stream)
    return stream.getvalue()


def numpy_array() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.zeros(2))
    return stream.getvalue()


PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"


def packed_four_times(body: bytes) -> bytes:
    """Compressed once more than anything is unpacked."""
    for _ in range(4):
        body = gzip.compress(body, mtime=0)
    return body


OTHERS = {
    "a PDF": PDF,
    "a PNG image": PNG,
    "a JPEG image": JPEG,
    "a GIF image": b"GIF89a\x01\x00\x01\x00\x80\x00\x00",
    "a WebP image": b"RIFF\x24\x00\x00\x00WEBPVP8 ",
    "a BMP image": b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00",
    "a TIFF image": b"II*\x00\x08\x00\x00\x00",
    "an icon": b"\x00\x00\x01\x00\x01\x00\x10\x10\x00\x00\x01\x00",
    "an AVIF or HEIF image": b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00",
    "an MP4 file": b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00",
    "an MP3 file": b"ID3\x04\x00\x00\x00\x00\x00\x23TSSE",
    "an Ogg file": b"OggS\x00\x02\x00\x00",
    "a Matroska or WebM file": b"\x1aE\xdf\xa3\x9fB\x86\x81",
    "a WAV file": b"RIFF\x24\x08\x00\x00WAVEfmt \x10",
    "a Flash file": b"CWS\x0a\x10\x27\x00\x00",
    "a gzip file": packed_four_times(b"<p>x"),
    "a bzip2 file": bz2.compress(b"<p>x"),
    "an xz file": lzma.compress(b"<p>x"),
    "a zstd file": zstandard.compress(b"<p>x"),
    "a zip archive": zipped("a.html", b"<p>x"),
    "an EPUB book": zipped("mimetype", b"application/epub+zip"),
    "an Office document": zipped("[Content_Types].xml", b"<Types/>"),
    "an Office document of before 2007": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00",
    "an RTF document": rb"{\rtf1\ansi Tea}",
    "a 7z archive": b"7z\xbc\xaf\x27\x1c\x00\x04",
    "a RAR archive": b"Rar!\x1a\x07\x01\x00",
    "a tar archive": tarred(),
    "a WARC file": b"WARC/1.0\r\nWARC-Type: warcinfo\r\n",
    "a program (ELF)": b"\x7fELF\x02\x01\x01\x00",
    "a Windows program": b"MZ\x90\x00" + bytes(100) + b"PE\x00\x00",
    "a WebAssembly module": b"\x00asm\x01\x00\x00\x00",
    "a font": b"wOF2\x00\x01\x00\x00\x00\x00",
    "an SQLite database": b"SQLite format 3\x00\x10\x00",
    "a Parquet file": parquet(),
    "a numpy array": numpy_array(),
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_formats_are_named_and_not_read(what: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(OTHERS[what])
    with pytest.raises(dehusk.NotHtml) as refused:
        list(dehusk.open_source(path))
    assert str(refused.value) == f"{path}: is {what}, not html; convert it to html, or leave it out"
    for source in (OTHERS[what], dehusk.RawPage(OTHERS[what], "https://tea.example/")):
        with pytest.raises(dehusk.NotHtml, match="not html"):
            dehusk.clean(source)


@pytest.mark.parametrize("before", [b"\n \r\n", b"\xef\xbb\xbf", b"HTTP/1.1 200 OK\nServer: tea\n\n", b"\x00\x01junk"])
def test_a_pdf_may_stand_behind_something_else(before: bytes) -> None:
    assert other_type(before + PDF) == "a PDF"


HTML = {
    "letters of a bitmap": b"BMW and other cars: a list of what they cost.",
    "letters of a zip archive": b"PK is the code of a country <p>and of much else",
    "letters of a program": b"MZ was a magazine. " + b"It ran in DOS for years. " * 9,
    "letters of a GIF": b"GIF89a is a format of images.",
    "letters of Parquet": b"PAR1 is the second hole of the course.",
    "letters of sound": b"ID3 tags and RIFF files, explained",
    "letters of Flash": b"FWS 2024: the future of work summit <p>in Lisbon",
    "letters of fonts": b"OTTO the dog <p>is true to ttcf",
    "letters of bzip2": b"BZh9 <p>a number plate",
    "a page about PDF": b"<p>A file begins with %PDF-1.4 and 1 0 obj",
    "a text about PDF": b"Files begin with %PDF-1.4 or, later, with %PDF-2.0; then objects follow.",
    "UTF-16": "\ufeff<p>Tea".encode("utf-16le"),
    "UTF-16 without mark": "<p>Tea and more tea".encode("utf-16be"),
    "only text": b"Steep the leaves for three minutes.",
    "windows-1252": b"\xff is a letter, and so is \xd8",
    "stray NUL": b"\x00\x00<p>Tea",
    "cut": b"<",
    "nothing": b"",
}


@pytest.mark.parametrize("content_type", ["", "text/html", "text/plain", "application/octet-stream", "application/xml"])
@pytest.mark.parametrize("name", HTML)
def test_nothing_is_refused_by_chance(name: str, content_type: str) -> None:
    assert other_type(HTML[name], content_type) == ""


@pytest.mark.parametrize(
    ("content_type", "body", "what"),
    [
        ("application/pdf", b"\x93odd bytes", "a PDF"),
        ("IMAGE/X-ODD; q=1", b"\x93odd bytes", "an image"),
        ("image/svg+xml", b"<?xml version='1.0'?><svg><text>Tea</text></svg>", "an image"),
        ("video/odd", b"\x93odd bytes", "a video"),
        ("application/vnd.ms-excel", b"\x93odd bytes", "an Office document"),
        ("application/json", b'{"html": "<html><p>Tea"}', "JSON"),
        ("application/json; charset=utf-8", b"[1, 2]", "JSON"),
        ("text/css", b"p { color: red }", "a style sheet"),
        ("text/javascript", b"document.write('<p>')", "a script"),
        ("application/pdf", b"\xef\xbb\xbf\n<!DOCTYPE html><p>Not found", ""),
        ("image/png", b"<html><body>Forbidden", ""),
        ("application/json", b"<p>Tea", ""),
        ("application/json", b"Warning: no tea\n<html><body>", ""),
        ("application/pdf", "<html><p>Tea".encode("utf-16le"), ""),
    ],
)
def test_a_content_type_is_believed_unless_the_bytes_are_html(content_type: str, body: bytes, what: str) -> None:
    assert other_type(body, content_type) == what


@pytest.mark.parametrize(
    ("body", "cause"), [(b"", "is empty"), (b"\xef\xbb\xbf" + b" \r\n\t" * 999, "nothing but white space")]
)
def test_an_empty_file_says_so(body: bytes, cause: str, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(body)
    with pytest.raises(dehusk.EmptyPage, match=cause):
        list(dehusk.open_source(path))
    assert dehusk.clean(body).text == ""  # to the library, no text is a page without content


def test_what_is_skipped_in_a_folder_or_archive_does_not_stop_those_who_read_it(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "b.html").write_bytes(PDF)
    (tmp_path / "c.html").write_bytes(b"")
    records = [record(http(body), number=number) for number, body in enumerate((b"", PNG, page(2)))]
    (tmp_path / "d.warc").write_bytes(archive(records))
    assert [raw.body for raw in dehusk.open_source(tmp_path)] == [page(1), page(2)]
    assert [raw.body for raw in dehusk.open_source(tmp_path / "d.warc")] == [page(2)]
    skipped: list[Exception] = []
    assert len(list(dehusk.open_source(tmp_path, on_error=skipped.append))) == 2
    kinds = [dehusk.NotHtml, dehusk.EmptyPage, dehusk.EmptyPage, dehusk.NotHtml]
    assert [type(error) for error in skipped] == kinds
