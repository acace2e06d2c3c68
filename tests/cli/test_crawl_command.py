"""`dehusk crawl`, and `dehusk clean` with an address, against a server on this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from command_line import dehusk
from local_server import Answer, LocalSite, serving
from pyarrow.parquet import read_table
from small_web_site import answer
from typer.testing import CliRunner
from usual_signals import usual_signals

from dehusk.cli import app
from dehusk.cli.given_pages import file_name
from dehusk.sinks.page_keeping import FolderKeeper, ParquetKeeper, WarcKeeper, journal_of

ARTICLE = (
    "<title>Tea</title><nav><a href=/>Home</a></nav><div><p>" + "Steep the leaves for three minutes. " * 6 + "</p>"
)


@pytest.fixture
def site() -> Iterator[LocalSite]:
    with serving(answer) as site:
        yield site


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, [*arguments], env={"COLUMNS": "300"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def crawl(site: LocalSite, output: Path, *options: str) -> Result:
    return run("crawl", site.url, "-o", str(output), "--delay", "0", "--allow-private", *options)


def test_a_crawl_into_a_folder_and_on_from_there(site: LocalSite, tmp_path: Path) -> None:
    output = tmp_path / "site"
    result = crawl(site, output, "--pages", "5")
    assert result.exit_code == 0, result.output
    assert "5 pages" in result.output
    entries = [json.loads(line) for line in (output / "index.json-lines").read_text().splitlines()]
    assert len(list(output.glob("*.html"))) == len(entries) == 5
    assert all(entry["url"].startswith(site.url) for entry in entries)

    again = crawl(site, output, "--pages", "9")
    assert again.exit_code == 2
    assert "use --resume" in again.output
    site.asked.clear()
    resumed = crawl(site, output, "--pages", "9", "--resume")
    assert resumed.exit_code == 0, resumed.output
    assert "4 pages, 5 already there" in resumed.output
    assert len(list(output.glob("*.html"))) == 9
    assert not {entry["url"].removeprefix(site.url) for entry in entries} & set(site.asked)


def test_an_interrupted_crawl_leaves_whole_pages_and_goes_on(site: LocalSite, tmp_path: Path) -> None:
    output = tmp_path / "site"
    command = [sys.executable, "-m", "dehusk", "crawl", site.url, "-o", str(output), "--allow-private", "--pages", "12"]
    process = subprocess.Popen([*command, "--delay", "0.1"], stderr=subprocess.PIPE, preexec_fn=usual_signals)
    give_up, index = time.monotonic() + 60, output / "index.json-lines"
    # A page counts when the index names it, which is after its file is there.
    while not (index.exists() and index.read_bytes().count(b"\n") >= 3) and time.monotonic() < give_up:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"--resume continues from here" in told
    fetched = {page.name for page in FolderKeeper(output).pages()}
    assert 3 <= len(fetched) < 12
    site.asked.clear()
    assert crawl(site, output, "--pages", "12", "--resume").exit_code == 0
    assert len(list(FolderKeeper(output).pages())) == 12
    assert not {url.removeprefix(site.url) for url in fetched} & set(site.asked)


def test_a_crawl_into_parquet_that_is_killed_goes_on(site: LocalSite, tmp_path: Path) -> None:
    output = tmp_path / "site.parquet"
    command = [sys.executable, "-m", "dehusk", "crawl", site.url, "-o", str(output), "--allow-private", "--pages", "12"]
    process = subprocess.Popen([*command, "--delay", "0.1"], stderr=subprocess.PIPE)
    give_up = time.monotonic() + 60
    while len(list(WarcKeeper(journal_of(output)).pages())) < 3 and time.monotonic() < give_up:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    assert not output.exists()
    with journal_of(output).open("ab") as journal:
        journal.write(b"\x1f\x8b\x08half a record")
    fetched = {page.name for page in ParquetKeeper(output).pages()}
    assert 3 <= len(fetched) < 12
    assert crawl(site, output, "--pages", "12").exit_code == 2, "not without --resume"
    site.asked.clear()
    assert crawl(site, output, "--pages", "12", "--resume").exit_code == 0
    assert list(tmp_path.iterdir()) == [output]
    assert len({page.name for page in ParquetKeeper(output).pages()}) == 12
    assert not {url.removeprefix(site.url) for url in fetched} & set(site.asked)
    again = crawl(site, output, "--pages", "12", "--resume")
    assert "0 pages, 12 already there" in again.output


def test_a_crawl_into_parquet_is_cleaned_from_there(site: LocalSite, tmp_path: Path) -> None:
    output = tmp_path / "site.parquet"
    assert crawl(site, output, "--pages", "8").exit_code == 0
    result = dehusk("clean", str(output), "--learn", "--format", "jsonl")
    assert result.returncode == 0, result.stderr
    urls = [json.loads(line)["url"] for line in result.stdout.splitlines()]
    assert len(set(urls)) == 8
    assert all(url.startswith(site.url) for url in urls)
    assert crawl(site, output, "--refresh").exit_code == 2


def test_the_summary_tells_what_was_left_out(site: LocalSite, tmp_path: Path) -> None:
    result = crawl(site, tmp_path / "site.warc.gz", "--pages", "40", "--sample", "--contact", "you@a.example")
    for what in ("1 refused by robots.txt", "1 not pages", "duplicates", "1 server errors"):
        assert what in result.output
    assert result.exit_code == 1  # fewer than asked for, and the server had failed
    assert site.headers[0]["user-agent"].endswith("(you@a.example)")
    assert (tmp_path / "site.warc.gz").stat().st_size > 1000


def test_pages_are_asked_for_again_and_replaced_if_they_have_changed(tmp_path: Path) -> None:
    body = {"/": b"<p>Home <a href=/tea>tea</a>", "/tea": b"<p>Three minutes"}

    def answers(path: str) -> Answer | None:
        if path not in body:
            return None
        etag = f'"{len(body[path])}"'
        if site.headers[-1].get("if-none-match") == etag:
            return Answer(b"", 304)
        return Answer(body[path], headers={"ETag": etag})

    output = tmp_path / "site"
    with serving(lambda path: None) as site:
        site.routes = answers
        assert "2 pages" in crawl(site, output).output
        body["/tea"] = b"<p>Four minutes are better"
        result = crawl(site, output, "--refresh")
    assert "0 pages, 2 already there, 1 of these replaced, 1 not changed" in result.output
    assert sorted(path.read_bytes() for path in output.glob("*.html")) == sorted(body.values())
    assert crawl(site, tmp_path / "site.warc.gz", "--refresh").exit_code == 2


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://a.example/", "not an address of the web"),
        ("http://127.0.0.1:9/", "not a public address"),
        ("nonsense", "not an address of the web"),
    ],
)
def test_what_cannot_be_crawled(tmp_path: Path, url: str, message: str) -> None:
    result = run("crawl", url, "-o", str(tmp_path / "site"), "--delay", "0")
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "site").exists()


def test_a_page_is_cleaned_from_its_address() -> None:
    with serving({"/tea": Answer(ARTICLE.encode())}.get) as site:
        result = run("clean", f"{site.url}/tea", "--allow-private")
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("Steep the leaves")
        as_json = run("clean", f"{site.url}/tea", "--allow-private", "--format", "json")
        assert json.loads(as_json.stdout)["name"] == f"{site.url}/tea"


def test_addresses_and_files_together(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(ARTICLE)
    with serving({"/tea": Answer(ARTICLE.encode())}.get) as site:
        missing, output = f"{site.url}/coffee", tmp_path / "cleaned"
        found = run(
            "clean", f"{site.url}/tea", str(tmp_path / "page.html"), missing, "--allow-private", "-o", str(output)
        )
    assert found.exit_code == 1
    assert "status 404" in found.output
    assert sorted(path.name for path in output.iterdir()) == [
        f"127.0.0.1-{site.url.rpartition(':')[2]}-tea.txt",
        "page.txt",
    ]


@pytest.mark.parametrize("robots", [Answer(b"User-agent: *\nDisallow: /"), Answer(b"", 500)])
def test_a_page_is_not_fetched_where_robots_forbid_it(robots: Answer) -> None:
    with serving({"/tea": Answer(ARTICLE.encode()), "/robots.txt": robots}.get) as site:
        result = run("clean", f"{site.url}/tea", "--allow-private")
        assert result.exit_code == 2
        assert "robots.txt" in result.output
        assert site.asked == ["/robots.txt"]


def test_private_addresses_are_not_fetched_unless_allowed() -> None:
    with serving({"/tea": Answer(ARTICLE.encode())}.get) as site:
        result = run("clean", f"{site.url}/tea")
        assert result.exit_code == 2
        assert "not a public address" in result.output
        assert site.asked == []


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/news/story.html#x", "a.example-news-story.html.html"),
        ("https://a.example/../../etc/passwd", "a.example-..-..-etc-passwd.html"),
        ("http://a.example/?q=ä", "a.example-q.html"),
        ("http://" + "a" * 500, "a" * 120 + ".html"),
        ("http://..", "page.html"),
    ],
)
def test_names_of_files_are_harmless(url: str, name: str) -> None:
    assert file_name(url) == name


def test_options_narrow_a_crawl_down_and_the_summary_says_so(site: LocalSite, tmp_path: Path) -> None:
    options = ("--all", "--include", "/news/*", "--exclude", "/news/1?", "--depth", "1")
    result = crawl(site, tmp_path / "site", *options)
    assert result.exit_code == 0, result.output
    assert "7 pages" not in result.output
    assert "6 pages" in result.output
    assert "excluded (--exclude)" in result.output
    assert "not included (--include)" in result.output
    assert "too deep (--depth)" in result.output


def test_a_crawl_is_cleaned_at_once(site: LocalSite, tmp_path: Path) -> None:
    options = ("--pages", "9", "--include", "/news/*", "--clean")
    result = crawl(site, tmp_path / "site", *options, "--min-words", "5")
    assert result.exit_code == 0, result.output
    cleaned = list((tmp_path / "site.cleaned").glob("*.md"))
    raw = {path.stem for path in (tmp_path / "site").glob("*.html")}
    assert {path.stem for path in cleaned} <= raw
    assert any("Story of" in path.read_text() for path in cleaned)
    assert "read 9 = " in result.output or len(cleaned) == 9
    archived = crawl(site, tmp_path / "site.parquet", *options, "--content", "text")
    assert archived.exit_code == 0, archived.output
    assert read_table(tmp_path / "site.cleaned.parquet").num_rows == 9
    assert crawl(site, tmp_path / "other", "--min-words", "5").exit_code == 2, "there is nothing to filter"


def test_private_addresses_name_the_option_that_allows_them() -> None:
    assert "--allow-private" in run("crawl", "http://127.0.0.1:9/", "-o", "nowhere").output


FEED = "<rss><channel><item><link>/news/1</link></item><item><link>/news/2</link></item></channel></rss>"


def test_links_of_sites_feeds_and_sitemaps(site: LocalSite, tmp_path: Path) -> None:
    home = Answer(b"<link rel=alternate type=application/rss+xml href=/feed><p>Home")
    routes = {"/": home, "/feed": Answer(FEED.encode(), content_type="text/xml")}
    base = f"<urlset><url><loc>{site.url}/hidden</loc></url><url><loc>{site.url}/news/2</loc></url></urlset>"
    routes["/sitemap.xml"] = Answer(base.encode(), content_type="text/xml")
    site.routes = routes.get
    listed = {
        "": ["/hidden", "/news/2", "/news/1"],
        "/feed": ["/news/1", "/news/2"],
        "/sitemap.xml": ["/hidden", "/news/2"],
    }
    for path, found in listed.items():
        result = run("links", site.url + path, "--delay", "0", "--allow-private")
        assert result.exit_code == 0, result.output
        assert result.stdout.splitlines() == [site.url + one for one in found]
    (tmp_path / "feed.xml").write_text(FEED)
    assert run("links", str(tmp_path / "feed.xml"), "--exclude", "*/2").stdout == "/news/1\n"
    (tmp_path / "page.html").write_text("<p>tea")
    nothing = run("links", str(tmp_path / "page.html"))
    assert nothing.exit_code == 2
    assert "neither a feed nor a sitemap" in nothing.output
