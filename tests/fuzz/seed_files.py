"""What mutation starts from: the pages in `seeds/`, and files of pages and models that are made of them here."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tempfile
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import dehusk
from dehusk.methods.model_files import read_model_file, write_model_file

_FOLDER = Path(__file__).parent / "seeds"
_MODELS = Path(dehusk.__file__).parent / "models"
_EMPTY = (b"", b"x", b"<p>A sentence that somebody might want to read, of no great length.")


@cache
def pages() -> tuple[bytes, ...]:
    """Pages written for this, and next to nothing."""
    return (*(path.read_bytes() for path in sorted(_FOLDER.glob("*.html"))), *_EMPTY)


@cache
def encoded_pages() -> tuple[bytes, ...]:
    """The same in other encodings, declared or not."""
    chinese, article = ((_FOLDER / f"{name}.html").read_text("utf-8") for name in ("chinese", "article"))
    japanese = "<meta charset=iso-2022-jp><title>お茶</title><p>お湯が沸いたら、三分間待ちます。"
    return (
        *pages(),
        *(chinese.encode(name, "ignore") for name in ("gb18030", "big5", "utf-16", "utf-16-le", "hz")),
        *(article.replace("soft", "weich für").encode(name, "ignore") for name in ("latin-1", "utf-16-be", "utf-32")),
        *(japanese.encode(name, "ignore") for name in ("iso2022_jp", "shift_jis", "euc-jp")),
        "<meta charset=koi8-r><p>Чай заваривают три минуты.".encode("koi8-r"),
        "<p>Чай заваривают три минуты, и вода должна быть мягкой.".encode("cp1251"),
    )


def _members() -> dict[str, bytes]:
    return {f"site/page{number}.html": body for number, body in enumerate(pages()[:4])}


@cache
def zips() -> tuple[bytes, ...]:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in (*_members().items(), ("readme.txt", b"text")):
            archive.writestr(zipfile.ZipInfo(name), body)
    return (written.getvalue(),)


@cache
def tars() -> tuple[bytes, ...]:
    made = []
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        written = io.BytesIO()
        with tarfile.open(fileobj=written, mode="w", format=form) as archive:
            for name, body in (*_members().items(), (f"{'long/' * 40}é.html", b"<p>x")):
                member = tarfile.TarInfo(name)
                member.size = len(body)
                if form != tarfile.USTAR_FORMAT or len(name) < 100:
                    archive.addfile(member, io.BytesIO(body))
        made.append(written.getvalue())
    return tuple(made)


@cache
def tar_gzs() -> tuple[bytes, ...]:
    return tuple(gzip.compress(data, mtime=0) for data in tars())


def _record(kind: str, media_type: str, block: bytes, number: int) -> bytes:
    lines = (
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{number:032x}>",
        "WARC-Date: 2024-05-06T07:08:09Z",
        f"WARC-Target-URI: https://tea.example/{number}",
        f"Content-Type: {media_type}",
        f"Content-Length: {len(block)}",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def _response(body: bytes, *headers: str) -> bytes:
    lines = ("HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", *headers)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _records() -> list[bytes]:
    http = "application/http; msgtype=response"
    article, soup = pages()[0], pages()[1]
    return [
        _record("warcinfo", "application/warc-fields", b"software: none\r\n", 0),
        _record("response", http, _response(article), 1),
        _record("response", http, _response(gzip.compress(soup, mtime=0), "Content-Encoding: gzip"), 2),
        _record("response", http, _response(b"4\r\n<p>x\r\n0\r\n\r\n", "Transfer-Encoding: chunked"), 3),
        _record("resource", "text/html", soup, 4),
    ]


@cache
def warcs() -> tuple[bytes, ...]:
    return (b"".join(_records()), *_records()[1:3])


@cache
def warc_gzs() -> tuple[bytes, ...]:
    return (b"".join(gzip.compress(record, mtime=0) for record in _records()), gzip.compress(warcs()[0], mtime=0))


@cache
def json_lines() -> tuple[bytes, ...]:
    rows = [
        {"html": body.decode(), "url": f"https://a.example/{number}", "date": "2024-05-06", "headers": {"A": "b"}}
        for number, body in enumerate(pages()[:3])
    ]
    rows += [{"content": "<p>x", "headers": [["Content-Type", "text/html"], {"name": "a", "value": "b"}]}]
    return ("\n".join(map(json.dumps, rows)).encode(), json.dumps(rows[-1]).encode() + b"\n")


@cache
def json_lines_gz() -> tuple[bytes, ...]:
    return tuple(gzip.compress(data, mtime=0) for data in json_lines())


@cache
def parquets() -> tuple[bytes, ...]:
    import pyarrow
    import pyarrow.parquet

    bodies, made = list(pages()[:4]), []
    urls = [f"https://a.example/{number}" for number in range(4)]
    heads = [[{"name": "Content-Type", "value": "text/html"}]] * 4
    for html in (pyarrow.array(bodies, pyarrow.binary()), pyarrow.array([body.decode() for body in bodies])):
        table = pyarrow.table({"html": html, "url": urls, "timestamp": [1, 2, 3, 4], "headers": heads})
        written = io.BytesIO()
        pyarrow.parquet.write_table(table, written, row_group_size=2, compression="zstd")
        made.append(written.getvalue())
    return tuple(made)


@cache
def mhtmls() -> tuple[bytes, ...]:
    head = (
        "From: <Saved by a browser>\r\nSnapshot-Content-Location: https://a.example/\r\nSubject: Tea\r\n"
        "Date: Mon, 6 May 2024 07:08:09 -0000\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="----part"\r\n\r\n'
    )
    part = (
        "------part\r\nContent-Type: text/html\r\nContent-ID: <frame@x>\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\nContent-Location: https://a.example/\r\n\r\n"
        '<p class=3D"a">Steep the leaves=\r\n for three minutes=2E</p>\r\n'
    )
    image = "------part\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
    plain = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+dGVhPC9wPg==\r\n"
    return ((head + part + image + "------part--\r\n").encode(), plain.encode())


@cache
def folders() -> tuple[bytes, ...]:
    """A crawled folder, as the zip file that it is written from."""
    written = io.BytesIO()
    entry = {"url": "https://a.example/", "final_url": "https://a.example/", "status": 200, "fetched_at": "2024-05-06"}
    lines = [json.dumps({**entry, "file": f"{number}.html", "headers": [["A", "b"]]}) for number in range(3)]
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("index.json-lines"), "\n".join(lines))
        for number, body in enumerate(pages()[:3]):
            archive.writestr(zipfile.ZipInfo(f"{number}.html"), body)
        archive.writestr(zipfile.ZipInfo("deeper.jsonl"), json_lines()[1])
    return (written.getvalue(),)


@cache
def site() -> tuple[dehusk.Page, ...]:
    """A few pages of one template."""
    article = pages()[0].decode()
    return tuple(
        dehusk.read_page(article.replace("lime", f"lime {number}").replace("soap", f"soap of {number * 7}"))
        for number in range(4)
    )


@cache
def models() -> dict[str, bytes]:
    """By method: a file of what it learnt from the site, or that it is shipped with."""
    files = {"sequence-labels": (_MODELS / "sequence-labels.dehusk").read_bytes()}
    methods = (dehusk.Hybrid(), dehusk.StyleTree(), dehusk.PageletTemplates(), dehusk.StructureWeights())
    with tempfile.TemporaryDirectory() as folder:
        for method in methods:
            method.fit(site()).save(Path(folder, method.name), site="a.example", created="2024-05-06")
            files[method.name] = Path(folder, method.name).read_bytes()
    return files


@cache
def network() -> tuple[bytes, ...]:
    """The page network that the package ships, made an eighth as wide and with few words: it is to be packed often."""
    narrow = {48: 6, 96: 12, 288: 36, 24: 3}
    file = read_model_file(_MODELS / "page-network.dehusk")
    arrays = {}
    for name, array in file.arrays.items():
        arrays[name] = array[tuple(slice(narrow.get(size, size)) for size in array.shape)].copy()
        arrays[name][1000:] = 0
    with tempfile.TemporaryDirectory() as folder:
        write_model_file(Path(folder, "network"), replace(file, arrays=arrays))
        return (Path(folder, "network").read_bytes(),)
