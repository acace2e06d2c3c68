"""Folders of this machine and others: files appear whole, and a batch ends with the same output in all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_pages import PATIENT, write_pages
from reading_here import Backwards
from test_batches import results, run_here

from dehusk.batch.batch_running import Batch, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import (
    LocalStorage,
    RemoteStorage,
    Storage,
    open_storage,
    read_json,
    write_json,
    write_text,
)
from dehusk.batch.engines import LocalEngine
from dehusk.errors import AddressRefused, MissingExtra, OutputError, SourceNotFound, SourceUnreadable
from dehusk.sources.raw_page import RawPage
from dehusk.sources.remote import open_filesystem
from dehusk.sources.source_opening import open_source, pages_in, source_files

S3_KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """A server that speaks S3, on this machine, with a bucket in it."""
    moto = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**S3_KEYS, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
            patch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir("corpus")
        yield "s3://corpus"
    server.stop()


@pytest.fixture(params=["local", "file", "memory", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    addresses = {"local": tmp_path / "here", "file": f"file://{tmp_path}/there", "memory": f"memory://{tmp_path.name}"}
    if request.param == "s3":
        return open_storage(f"{request.getfixturevalue('s3')}/{tmp_path.name}")
    (tmp_path / "here").mkdir()
    return open_storage(addresses[request.param])


def test_an_address_tells_its_kind(tmp_path: Path) -> None:
    assert isinstance(open_storage(tmp_path), LocalStorage)
    assert isinstance(open_storage("out/of/s3:file"), LocalStorage)
    assert isinstance(open_storage("s3://bucket/out"), RemoteStorage)


def test_what_is_written_is_read(storage: Storage, tmp_path: Path) -> None:
    assert storage.read("a/b.json") is None
    assert read_json(storage, "a/b.json") is None
    assert storage.names("a") == []
    write_json(storage, "a/b.json", {"c": 1})
    write_text(storage, "a/a.txt", "\ud800é")
    write_text(storage, "a/deeper/x.txt", "x")
    again = open_storage(storage.address)
    assert read_json(again, "a/b.json") == {"c": 1}
    assert again.read("a/a.txt") == "?é".encode()
    assert again.names("a") == ["a/a.txt", "a/b.json"]
    (tmp_path / "copies").mkdir()
    for _ in range(2):
        assert again.fetched("a/b.json", tmp_path / "copies").read_bytes() == b'{\n "c": 1\n}\n'
    write_text(storage, "a/b.json", "{")
    with pytest.raises(OutputError, match="--fresh"):
        read_json(storage, "a/b.json")


def test_files_appear_whole_or_not_at_all(storage: Storage) -> None:
    write_text(storage, "a.txt", "before")
    with suppress(ZeroDivisionError), storage.written("a.txt") as file:
        file.write_text("half")
        raise ZeroDivisionError
    assert storage.read("a.txt") == b"before"
    with storage.written("a.txt") as file:
        file.write_text("after")
        assert storage.read("a.txt") == b"before"
    assert storage.read("a.txt") == b"after"
    assert storage.names("") == ["a.txt"]


def test_what_is_removed_is_gone(storage: Storage) -> None:
    for name in ("a/b.txt", "a/c/d.txt", "e.txt"):
        write_text(storage, name, name)
    storage.remove("e.txt")
    storage.remove("e.txt")
    storage.remove_folder("a")
    storage.remove_folder("a")
    assert [storage.read(name) for name in ("a/b.txt", "a/c/d.txt", "e.txt")] == [None] * 3


def test_leftovers_are_swept(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / ".dehusk-1-x.txt").write_text("half")
    storage = LocalStorage(tmp_path)
    assert storage.names("a/b") == []
    storage.sweep("a")
    assert not list(tmp_path.rglob(".dehusk-*"))


def test_a_storage_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(OutputError, match="not a directory; choose another OUT"):
        write_text(LocalStorage(tmp_path / "file"), "a.txt", "x")
    with pytest.raises(OutputError, match="file exists; choose another OUT"), LocalStorage(tmp_path / "file").alone():
        pass
    with pytest.raises(OutputError, match=r"file://.*check the address"):
        write_text(RemoteStorage(f"file://{tmp_path}/file"), "a.txt", "x")
    with pytest.raises(SourceNotFound, match="abacus"):
        open_storage("abacus://out").read("a.txt")


def test_pages_of_the_web_are_no_storage() -> None:
    with pytest.raises(AddressRefused, match="dehusk crawl"):
        open_filesystem("https://a.example/pages/")
    with pytest.raises(SourceNotFound, match="abacus"):
        open_filesystem("abacus://pages/")


def test_without_fsspec_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match=r"dehusk\[remote\]"):
        open_filesystem("s3://bucket/pages/")


def test_sources_may_be_elsewhere(s3: str, tmp_path: Path) -> None:
    storage = open_storage(f"{s3}/crawl")
    lines = [{"url": f"https://a.example/{number}", "html": f"<p>Page {number}"} for number in range(3)]
    write_text(storage, "deep/pages.jsonl", "\n".join(map(json.dumps, lines)) + "\n{broken\n")
    write_text(storage, "one.html", "<p>One")
    write_text(storage, "notes.txt", "no page")
    write_text(storage, ".hidden/two.html", "<p>Two")
    assert [file.relative for file in source_files(storage.address)] == ["deep/pages.jsonl", "one.html"]
    faults: list[Exception] = []
    pages = list(open_source(storage.address, on_error=faults.append))
    assert [page.url for page in pages] == [*(line["url"] for line in lines), ""]
    assert pages[-1].name == f"{storage.address}/one.html"
    assert [str(fault).startswith(f"{storage.address}/deep/pages.jsonl") for fault in faults] == [True]
    assert [page.body for page in open_source(f"{storage.address}/one.html")] == [b"<p>One"]
    given = [page for file in source_files(storage.address) for page in pages_in(file)]
    assert [page.body for _, page in given if isinstance(page, RawPage)] == [p.body for p in pages]
    with pytest.raises(SourceNotFound):
        list(open_source(f"{s3}/crawl/absent.html"))
    with pytest.raises((SourceNotFound, SourceUnreadable)):
        list(open_source("s3://no-such-bucket/absent.html"))


def test_a_batch_from_and_into_s3_is_the_same_as_here(s3: str, tmp_path: Path) -> None:
    import fsspec

    write_pages(tmp_path / "source", 2, 8)
    run_here(tmp_path / "source", tmp_path / "here", buckets=2)
    batch = Batch((str(tmp_path / "source"),), f"{s3}/{tmp_path.name}", BatchSettings(buckets=2, limits=PATIENT))
    done = run_batch(batch, LocalEngine())
    assert (done.total.count.pages, done.total.learnt, done.failures) == (8, 2, ())
    filesystem, path = fsspec.core.url_to_fs(str(batch.out))
    filesystem.get(path, str(tmp_path / "fetched"), recursive=True)
    assert results(tmp_path / "fetched") == results(tmp_path / "here")
    run_batch(batch, Backwards())
    fetched = {name: storage_read(str(batch.out), name) for name in ("sites.jsonl", "report.html")}
    assert fetched["sites.jsonl"] == (tmp_path / "here" / "sites.jsonl").read_bytes()
    assert b"site-1.example" in fetched["report.html"]


def storage_read(address: str, name: str) -> bytes:
    return open_storage(address).read(name) or b""
