"""Files, folders and standard input as streams of pages."""

from __future__ import annotations

import io
import os
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

import dehusk
from dehusk.sources.files import PageFile, find_pages, read_file
from dehusk.sources.pipes import open_pipe


def test_a_folder_is_read_in_order_with_everything_below(tmp_path: Path) -> None:
    for name in ("b.html", "a/z.htm", "a/y.XHTML", "c.txt", ".git/x.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    os.symlink(tmp_path, tmp_path / "a" / "loop")
    assert [file.relative for file in find_pages(str(tmp_path))] == ["b.html", "a/y.XHTML", "a/z.htm"]
    assert [page.body for page in dehusk.open_source(tmp_path)] == [b"b.html", b"a/y.XHTML", b"a/z.htm"]


def test_a_file_named_outright_is_read_whatever_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "page.php").write_bytes(b"<p>x")
    (page,) = dehusk.open_source(tmp_path / "page.php")
    assert page.body == b"<p>x"
    assert page.label == str(tmp_path / "page.php")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"<p>piped")))
    (page,) = dehusk.open_source("-")
    assert page.body == b"<p>piped"


def test_what_cannot_be_read_raises_or_is_handed_over(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("a")
    os.symlink("nowhere", tmp_path / "b.html")
    (tmp_path / "c.html").write_text("c")
    with pytest.raises(dehusk.SourceUnreadable, match=r"b\.html: no such file or directory"):
        list(dehusk.open_source(tmp_path))
    failures: list[dehusk.SourceError] = []
    assert [page.body for page in dehusk.open_source(tmp_path, on_error=failures.append)] == [b"a", b"c"]
    assert len(failures) == 1


def test_nothing_there() -> None:
    with pytest.raises(dehusk.SourceNotFound, match="no such file or folder"):
        list(dehusk.open_source("nowhere/at/all"))


def test_endless_input_is_cut_off_by_the_limit() -> None:
    with pytest.raises(dehusk.PageTooLarge, match="more than 1,000 bytes"):
        read_file(PageFile("/dev/zero", "zero"), dehusk.Limits(bytes=1000))


def test_headers_are_found_whatever_their_case() -> None:
    page = dehusk.RawPage(b"", headers=(("Content-TYPE", "text/html"),))
    assert page.header("content-type") == "text/html"
    assert page.header("etag") == ""


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A folder with links within it and out of it, and with things that are no files."""
    folder, outside = tmp_path / "site", tmp_path / "outside"
    for place in (folder / "sub", outside):
        place.mkdir(parents=True)
    (folder / "a.html").write_text("a")
    (outside / "secret.html").write_text("secret")
    (folder / "sub" / "within.html").symlink_to("../a.html")
    (folder / "sub" / "out.html").symlink_to(outside / "secret.html")
    (folder / "sub" / "round").symlink_to(folder)
    (folder / "other").symlink_to(outside)
    os.mkfifo(folder / "pipe.html")
    os.mkfifo(folder / "pipe.warc.gz")
    os.mkfifo(folder / "index.json-lines")
    (folder / "zero.html").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(folder / "socket.html"))
    return folder


def test_in_a_folder_only_files_of_the_folder_are_opened(linked: Path) -> None:
    skipped: list[dehusk.DehuskError] = []
    assert [page.body for page in dehusk.open_source(linked, on_error=skipped.append)] == [b"a", b"a"]
    assert {type(error) for error in skipped} == {dehusk.NotFollowed}
    assert {Path(error.subject).name: error.cause for error in skipped} == {
        "pipe.html": "is a pipe, not a file",
        "pipe.warc.gz": "is a pipe, not a file",
        "socket.html": "is a socket, not a file",
        "zero.html": "is a link that leads out of the folder",
        "out.html": "is a link that leads out of the folder",
    }
    assert len(list(dehusk.open_source(linked))) == 2


def test_links_are_followed_if_asked_and_no_folder_is_read_twice(linked: Path) -> None:
    skipped: list[dehusk.DehuskError] = []
    pages = dehusk.open_source(linked, on_error=skipped.append, follow_links=True)
    assert sorted(page.body for page in pages) == [b"a", b"a", b"secret", b"secret"]
    causes = {Path(error.subject).name: error.cause for error in skipped}
    assert causes["zero.html"] == "is a device, not a file"


def test_a_pipe_that_is_named_outright_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"<p>piped",))
    writer.start()
    (page,) = dehusk.open_source(pipe)
    writer.join()
    assert page.body == b"<p>piped"


def test_a_pipe_that_nobody_writes_to_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.pipes.PIPE_SECONDS", 0.05)
    for name in ("pipe", "pipe.html", "pipe.jsonl", "pipe.warc.gz"):
        os.mkfifo(tmp_path / name)
        cause = "is a pipe that nobody has opened to write to it within 0.05 seconds"
        with pytest.raises(dehusk.SourceUnreadable, match=f"{name}: {cause}; start the program"):
            list(dehusk.open_source(tmp_path / name))


def test_the_writer_of_a_pipe_may_take_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("dehusk.sources.pipes.PIPE_SECONDS", 0.01)
    silent = os.open(pipe, os.O_RDWR)  # opens without a reader, and counts as a writer
    opened = open_pipe(str(pipe))
    os.write(silent, b"<p>piped")
    os.close(silent)
    with opened:
        assert opened.read() == b"<p>piped"


def test_a_writer_of_nothing_is_a_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"",))
    writer.start()
    with pytest.raises(dehusk.EmptyPage):
        list(dehusk.open_source(pipe))
    writer.join()
