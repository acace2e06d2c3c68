"""Uploads in every form, and what is refused."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from app_tab import Tab, story

from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds

SMALL = replace(DEFAULT_BOUNDS, request_bytes=200_000, page_bytes=50_000, files=20, pages=10, zip_bytes=100_000)


def zipped(members: dict[str, bytes], level: int = 9) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def names(answer: dict[str, list[dict[str, str]]]) -> list[str]:
    return [page["name"] for page in answer["added"]]


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_files_of_a_folder_keep_their_names(tab: Tab) -> None:
    answer = tab.send(("site/a.html", story(1)), ("site/sub/b.htm", story(2)))
    assert names(answer) == ["site/a.html", "site/sub/b.htm"]
    assert answer["skipped"] == []
    workspace = tab.workspace()
    assert workspace["version"] == answer["version"] == 1
    assert [site["name"] for site in workspace["sites"]] == ["tea.example"]
    assert workspace["pages"] == answer["added"]
    assert workspace["pages"][0]["bytes"] == len(story(1))


def test_the_site_is_what_pages_say_or_their_folder(tab: Tab) -> None:
    tab.send(("x/a.html", story(1)), ("blog/b.html", b"<p>text"), ("c.html", b"<p>text"))
    assert [site["name"] for site in tab.workspace()["sites"]] == ["tea.example", "blog", "unsorted pages"]
    tab.send(("x/d.html", story(1)), site="  mine\n ")
    assert tab.workspace()["sites"][-1]["name"] == "mine"


def test_the_same_page_is_stored_once(tab: Tab) -> None:
    first = tab.send(("a.html", story(1)), ("a.html", story(1)))
    again = tab.send(("a.html", story(1)), ("b.html", story(1)))
    assert len(first["added"]) == 1
    assert again["known"] == [first["added"][0]["id"]]
    assert names(again) == ["b.html"]


def test_other_files_are_skipped_and_listed(tab: Tab) -> None:
    answer = tab.send(
        ("a.html", b"x"), ("notes.pdf", b"%PDF"), ("x.zip", b"no zip"), ("y.mhtml", b"no mail"), ("noname", b"x")
    )
    assert names(answer) == ["a.html"]
    assert {skipped["name"]: bool(skipped["reason"]) for skipped in answer["skipped"]} == {
        "notes.pdf": True,
        "x.zip": True,
        "y.mhtml": True,
        "noname": True,
    }


def test_a_zip_is_opened_and_zips_in_it_are_not(tab: Tab) -> None:
    inner = zipped({"deep.html": story(3)})
    answer = tab.send(
        ("pages.zip", zipped({"a.html": story(1), "sub/b.html": story(2), "inner.zip": inner, "x.txt": b"x"}))
    )
    assert names(answer) == ["pages/a.html", "pages/sub/b.html"]


def test_a_saved_page_is_opened(tab: Tab) -> None:
    saved = (
        b"From: <Saved>\r\nSnapshot-Content-Location: https://tea.example/7\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related; boundary="----B"\r\n\r\n------B\r\nContent-Type: text/html\r\n'
        b"Content-Location: https://tea.example/7\r\n\r\n" + story(7) + b"\r\n------B--\r\n"
    )
    page = tab.send(("saved.mhtml", saved))["added"][0]
    assert page["url"] == "https://tea.example/7"
    assert "Story number 7" in tab.get(f"/api/pages/{page['id']}/result")["content"]


@pytest.mark.parametrize(
    "name",
    [
        *("../../../etc/passwd.html", "/etc/cron.d/x.html", "C:\\Windows\\x.html", "..\\..\\x.html", "a/../../b.html"),
        *(
            "\u202e.html",
            "x" * 1000 + ".html",
            ".lock.html",
            "workspace.sqlite.html",
            "con.html",
            "a\r\nb.html",
            "~/x.html",
        ),
    ],
)
def test_no_name_touches_the_disk(open_tab: Callable[..., Tab], tmp_path: Path, name: str) -> None:
    work = tmp_path / "a" / "b" / "work"
    tab = open_tab(work)
    before = files_of(tmp_path)
    added = tab.send((name, story(1)))["added"] + tab.send(("z.zip", zipped({name: story(2)})))["added"]
    assert added  # names that begin with a dot are passed over
    new = set(files_of(tmp_path)) - set(before)
    assert new == {f"a/b/work/pages/{page['id']}" for page in added}
    for page in added:
        assert ".." not in page["name"].split("/")
        assert not page["name"].startswith("/")
        assert len(page["name"]) <= 300
    archive = zipfile.ZipFile(io.BytesIO(tab.get("/api/download.zip").content))
    for member in archive.namelist():
        assert not member.startswith(("/", "\\", "."))
        assert ".." not in member.split("/")
        assert "\\" not in member
        assert ":" not in member


@pytest.mark.parametrize("path", ["../workspace.sqlite", "..%2fworkspace.sqlite", "%2e%2e", "0" * 20, "x", "."])
def test_no_id_touches_the_disk(tab: Tab, path: str) -> None:
    tab.send(("a.html", story(1)))
    for address in (f"/api/pages/{path}/result", f"/view/{path}/original", f"/api/pages/{path}/gold"):
        assert tab.client.get(address).status_code in {401, 404, 405}
    assert tab.client.get(f"/api/sites/{path}/model").status_code in {401, 404, 405}
    assert len(tab.workspace()["pages"]) == 1


def test_one_page_too_large_is_skipped(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(bounds=SMALL)
    answer = tab.send(
        ("a.html", b"<p>" + b"x" * 50_000), ("b.html", story(1)), ("c.zip", zipped({"d.html": b"y" * 60_000}))
    )
    assert names(answer) == ["b.html"]
    assert len(answer["skipped"]) == 2


def error_of(tab: Tab, *files: tuple[str, bytes]) -> str:
    before = tab.workspace()
    message = tab.send(*files, status=413)["error"]
    assert message["code"] == "too-large"
    assert tab.workspace() == before
    return str(message["message"])


def test_too_many_pages_are_refused_as_a_whole(open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    tab = open_tab(bounds=SMALL)
    assert "10 pages" in error_of(tab, *((f"{number}.html", story(number)) for number in range(11)))
    assert files_of(tmp_path / "work" / "pages") == []
    assert "10 pages" in error_of(tab, ("z.zip", zipped({f"{number}.html": story(number) for number in range(11)})))
    assert len(tab.send(*((f"{number}.html", story(number)) for number in range(10)))["added"]) == 10


def test_zip_bombs_are_refused(open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    tab = open_tab(bounds=replace(SMALL, zip_ratio=10))
    assert "unpacked size over the limit" in error_of(tab, ("z.zip", zipped({"a.html": b"\n" * 40_000})))
    large = zipped({f"{number}.html": (b"%d" % number) * 20_000 for number in range(4)}, level=0)
    assert "unpacked size over the limit" in error_of(
        open_tab(tmp_path / "other", replace(SMALL, zip_bytes=50_000)), ("z.zip", large)
    )


def test_a_bomb_of_many_pages_is_refused(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(bounds=replace(SMALL, files=5))
    assert "more than 5 pages" in error_of(
        tab, ("z.zip", zipped({f"{number}.html": b"%d" % number for number in range(9)}))
    )


def test_a_zip_with_an_endless_list_of_members_is_refused(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(bounds=replace(SMALL, zip_directory_bytes=1_000))
    many = zipped({f"{number}.txt": b"" for number in range(100)})
    assert "too many files" in error_of(tab, ("z.zip", many))
    claimed = bytearray(zipped({"a.html": b"x"}))
    at = claimed.rfind(b"PK\x05\x06")
    struct.pack_into("<L", claimed, at + 12, 0xFFFFFFFF)
    assert "too many files" in error_of(tab, ("z.zip", bytes(claimed)))


def test_members_that_share_their_bytes_are_skipped(tab: Tab) -> None:
    whole = bytearray(zipped({"a.html": story(1)}))
    at = whole.rfind(b"PK\x05\x06")
    start = whole.find(b"PK\x01\x02")
    entry = bytes(whole[start:at]).replace(b"a.html", b"b.html")
    overlapping = bytes(whole[:at]) + entry + bytes(whole[at:])
    end = overlapping.rfind(b"PK\x05\x06")
    fixed = bytearray(overlapping)
    struct.pack_into("<HHL", fixed, end + 8, 2, 2, end - start)
    answer = tab.send(("z.zip", bytes(fixed)))
    assert len(answer["added"]) == 1
    assert "overlaps" in answer["skipped"][0]["reason"]


def test_damaged_zips_never_break_the_server(tab: Tab) -> None:
    whole = zipped({f"{number}.html": story(number) for number in range(3)})
    for cut in range(0, len(whole), 97):
        damaged = bytearray(whole)
        damaged[cut : cut + 4] = b"\xff\x00\xff\x00"
        for content in (bytes(damaged), whole[:cut]):
            assert tab.client.post("/api/pages", files=[("file", ("z.zip", content))]).status_code in {200, 413}


@pytest.mark.parametrize("length", [True, False])
def test_requests_too_large_are_refused(open_tab: Callable[..., Tab], length: bool) -> None:
    tab = open_tab(bounds=SMALL)
    begin = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n\r\n'
    body = begin + b"x" * 300_000
    for address in ("/api/pages", "/api/clean", "/api/learn"):
        content = body if length else iter([body[:150_000], body[150_000:]])
        form = {"Content-Type": "multipart/form-data; boundary=x"}
        answer = tab.client.post(address, content=content, headers=form)
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "too-large"


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"--x\r\nbroken"),
        ("multipart/form-data; boundary=x", b"--x--\r\n"),
        ("multipart/form-data; boundary=" + "x" * 5000, b"--x\r\n"),
        ("application/json", b"{}"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nno file\r\n--x--',
        ),
    ],
)
def test_malformed_forms_are_refused(tab: Tab, content_type: str, body: bytes) -> None:
    answer = tab.client.post("/api/pages", content=body, headers={"Content-Type": content_type})
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["code"] == "invalid"


def test_a_form_of_too_many_files_is_refused(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(bounds=SMALL)
    parts = [("file", (f"{number}.html", b"x")) for number in range(30)]
    assert tab.client.post("/api/pages", files=parts).status_code in {400, 413}


def test_any_bytes_make_a_page_and_a_row(tab: Tab) -> None:
    odd = [
        b"",
        b"\0" * 100,
        b"\xff\xfe" + b"<p>a".ljust(9, b"\0"),
        b"<" * 5000,
        b"<p>a" + bytes(range(128, 256)) * 20,
        b"<svg><![CDATA[",
    ]
    pages = tab.send(*((f"{number}.html", body) for number, body in enumerate(odd)))["added"]
    rows = tab.eliminate()["rows"]
    assert [row["page"] for row in rows] == [page["id"] for page in pages]
    for page in pages:
        for path in ("result", "blocks", "decision"):
            assert tab.client.get(f"/api/pages/{page['id']}/{path}").status_code == 200
        for kind in ("original", "cleaned"):
            assert tab.client.get(f"/view/{page['id']}/{kind}").status_code == 200


def test_binary_data_is_told(tab: Tab) -> None:
    [page] = tab.send(("a.html", bytes(range(256)) * 20))["added"]
    answer = tab.client.get(f"/api/pages/{page['id']}/result")
    assert answer.status_code == 422
    assert "binary data, not html" in answer.json()["error"]["message"]


def test_the_sample_site_comes_with_the_package(tab: Tab) -> None:
    answer = tab.post("/api/pages/sample")
    assert len(answer["added"]) == 31
    assert tab.post("/api/pages/sample")["added"] == []
    assert [site["pages"] for site in tab.workspace()["sites"]] == [31]


def test_the_workspace_lists_the_limits(tab: Tab) -> None:
    limits = tab.workspace()["limits"]
    assert limits == {name: getattr(Bounds(), name) for name in limits}
    assert json.dumps(limits)


def test_what_is_not_a_page_is_reported_and_not_stored(tab: Tab) -> None:
    pdf = b"%PDF-1.4\n1 0 obj"
    answer = tab.send(("a.html", pdf), ("b.html", b""), ("c.html", story(1)), ("d.zip", zipped({"e.html": pdf})))
    assert names(answer) == ["c.html"]
    reasons = {skipped["name"]: skipped["reason"] for skipped in answer["skipped"]}
    assert reasons == {"a.html": "is a PDF, not html", "b.html": "is empty", "d/e.html": "is a PDF, not html"}


def test_a_zip_without_pages_says_so(tab: Tab) -> None:
    answer = tab.send(("a.zip", zipped({"notes.txt": b"x"})), ("b.html", story(1)))
    assert answer["skipped"] == [{"name": "a.zip", "reason": "holds no pages"}]


def test_members_that_are_passed_over_are_named(tab: Tab) -> None:
    inner = zipped({"a.html": story(1)})
    members = {"page.html": story(2), "inner.zip": inner, "..\\..\\x.html": story(3), "style.css": b"p {}"}
    told = tab.send(("outer.zip", zipped(members)))
    assert len(told["added"]) == 1
    assert [(one["name"], one["reason"].split(":")[0]) for one in told["skipped"]] == [
        ("outer.zip/inner.zip", "a zip file in a zip file is not opened"),
        ("outer.zip/x.html", "its name begins with a dot"),
    ]
