"""Chunks, front matter and pages without titles, by `clean`, `batch` and `crawl --clean`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import dehusk
from local_server import serving
from small_web_site import answer

import dehusk as library
from dehusk.cli.shared_options import CHUNK_WORDS
from dehusk.outputs.chunks import CHUNK_FIELDS, MAX_WORDS


def page(name: str) -> str:
    story = " ".join(f"Steep {name} leaves for {number} minutes, then pour {name} tea." for number in range(20))
    return f"<title>{name} tea leaves</title><h1>{name} tea leaves</h1><p>{story}<h2>Milk</h2><p>{story}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("Black", "Green"):
        (folder / f"{name}.html").write_text(page(name))
    return folder


def lines(text: str | bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_default_is_that_of_the_library() -> None:
    assert CHUNK_WORDS == MAX_WORDS


def test_chunks_of_one_page_and_of_several(site: Path, tmp_path: Path) -> None:
    one = dehusk("clean", str(site / "Green.html"), "-f", "chunks", "--chunk-words", "60", "--chunk-overlap", "12")
    options = library.ChunkOptions(60, 12)
    raw = next(iter(library.open_source(site / "Green.html")))
    assert one.stdout.decode() == library.clean(raw).render("chunks", options)
    both = dehusk("clean", str(site), "-f", "chunks")
    assert {tuple(line) for line in lines(both.stdout)} == {CHUNK_FIELDS}
    target = tmp_path / "all.jsonl.gz"
    written = dehusk("clean", str(site), "-f", "chunks", "-o", str(target))
    assert written.returncode == 0
    assert gzip.decompress(target.read_bytes()) == both.stdout
    named = dehusk("clean", str(site), "-o", str(tmp_path / "all.chunks.jsonl"))
    assert named.returncode == 0
    assert (tmp_path / "all.chunks.jsonl").read_bytes() == both.stdout


def test_an_interrupted_file_of_chunks_is_continued(site: Path, tmp_path: Path) -> None:
    """Of the last page in the partial file nobody knows whether it has all its chunks: it is cleaned again."""
    target = tmp_path / "all.jsonl"
    command = ("clean", str(site), "-f", "chunks", "-o", str(target), "--chunk-words", "50")
    assert dehusk(*command).returncode == 0
    whole = target.read_bytes()
    target.unlink()
    rows = whole.splitlines(keepends=True)
    black = [number for number, row in enumerate(rows) if b"Black.html" in row]
    for kept in (rows[:1], rows[: black[-1] + 1], rows[: black[-1] + 2], [*rows[:-1], rows[-1][:9]]):
        (tmp_path / ".all.jsonl.part").write_bytes(b"".join(kept))
        assert dehusk(*command, "--resume").returncode == 0
        assert target.read_bytes() == whole
        target.unlink()


@pytest.mark.usefixtures("no_processes")
@pytest.mark.parametrize("further", [(), ("--drop-duplicates",)], ids=["all", "without duplicates"])
def test_chunks_of_a_batch(site: Path, tmp_path: Path, further: tuple[str, ...]) -> None:
    (site / "a.pdf.html").write_bytes(b"%PDF-1.4\n1 0 obj")
    (site / "Green-again.html").write_text(page("Green"))
    out = tmp_path / "out"
    done = dehusk("batch", str(site), "-o", str(out), "-f", "chunks", "--chunk-words", "50", "--no-title", *further)
    assert done.returncode == 0, done.stderr
    found = [line for path in out.glob("pages/*.chunks.jsonl") for line in lines(path.read_bytes())]
    assert {tuple(line) for line in found} == {("site", *CHUNK_FIELDS, "problem", "error")}
    failed = [line for line in found if line["error"]]
    assert [(Path(line["name"]).name, line["problem"], line["text"]) for line in failed] == [
        ("a.pdf.html", "not-html", None)
    ]
    texts = [line["text"] for line in found if not line["error"]]
    pages = {line["name"] for line in found if not line["error"]}
    assert len(pages) == (2 if further else 3)
    assert len(texts) > 2 * len(pages)
    assert not any("tea leaves" in text for text in texts)
    assert sum(line["order"] == 0 for line in found) == len(pages)


@pytest.mark.usefixtures("no_processes")
def test_front_matter_in_every_command(site: Path, tmp_path: Path) -> None:
    single = dehusk("clean", str(site / "Green.html"), "-f", "markdown", "--front-matter", "--no-title").stdout.decode()
    _, above, text = single.split("---\n", 2)
    assert yaml.safe_load(above)["title"] == "Green tea leaves"
    assert text.startswith("\nSteep")
    options = ("--content", "markdown", "--front-matter", "--no-title")
    (record,) = lines(dehusk("clean", str(site / "Green.html"), "-f", "jsonl", *options).stdout)
    assert record["text"] == single
    assert dehusk("batch", str(site), "-o", str(tmp_path / "out"), *options).returncode == 0
    records = [line for path in (tmp_path / "out").glob("pages/*") for line in lines(path.read_bytes())]
    assert all(record["text"].startswith("---\ntitle: ") for record in records)
    with serving(answer) as server:
        command = ("crawl", server.url, "-o", str(tmp_path / "web"), "--delay", "0", "--allow-private", "--pages", "3")
        assert dehusk(*command, "--clean", "--front-matter").returncode == 0
        assert dehusk(*command, "--resume", "--front-matter").returncode == 2
    cleaned = list((tmp_path / "web.cleaned").rglob("*.md"))
    assert cleaned
    assert all(path.read_text().startswith("---\n") for path in cleaned if path.read_text())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--front-matter",), b"--front-matter: only Markdown has front matter"),
        (("-f", "json", "--front-matter"), b"only Markdown has front matter"),
        (("-f", "jsonl", "--front-matter"), b"--content markdown"),
        (("-f", "chunks", "--front-matter"), b"--front-matter: chunks have none"),
        (("-f", "chunks", "--chunk-words", "9", "--chunk-overlap", "5"), b"--chunk-overlap: 5 is not between"),
    ],
)
def test_what_makes_no_sense_is_refused(site: Path, arguments: tuple[str, ...], message: bytes) -> None:
    result = dehusk("clean", str(site), *arguments)
    assert result.returncode == 2
    assert message in result.stderr
