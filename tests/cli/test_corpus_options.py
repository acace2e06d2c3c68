"""Options of `dehusk clean` and `dehusk batch` for building a corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dehusk
from local_server import Answer, serving

from dehusk.cleaning import clean
from dehusk.learning import load_model
from dehusk.methods.page_network.hybrid import HybridModel

SENTENCE = "The kettle of the old house was on the stove, and the tea in it was as black as the night was long. "
GERMAN = "Der Kessel des alten Hauses stand auf dem Herd, und der Tee darin war so schwarz wie die lange Nacht. "


def article(title: str, text: str) -> str:
    return f"<title>{title}</title><nav><a href=/>Home</a></nav><article><h1>{title}</h1><p>{text}</p></article>"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """An article, the same again, one in German, a short one, and a file that is no page."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.html").write_text(article("Tea", SENTENCE * 6))
    (folder / "b.html").write_text(article("Tea", SENTENCE * 6).replace("Home", "Start"))
    (folder / "c.html").write_text(article("Tee", GERMAN * 6))
    (folder / "d.html").write_text(article("Short", "Only this."))
    (folder / "e.html").write_bytes(b"%PDF-1.4\n")
    return folder


FILTERS = ("--language", "en", "--min-words", "20", "--drop-duplicates")
BALANCE = (
    b"dropped: 1 duplicates, 1 other language, 1 too short\nread 5 = 1 written + 3 dropped + 0 failed + 1 skipped\n"
)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_filters_leave_pages_out_and_the_counts_add_up(pages: Path, tmp_path: Path, jobs: str) -> None:
    result = dehusk("clean", str(pages), "-o", str(tmp_path / "out"), *FILTERS, "-j", jobs)
    assert result.returncode == 0, result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]
    assert BALANCE in result.stderr


def test_filters_apply_to_records(pages: Path, tmp_path: Path) -> None:
    target = tmp_path / "pages.jsonl"
    result = dehusk("clean", str(pages), "-f", "jsonl", "-o", str(target), *FILTERS)
    assert BALANCE in result.stderr
    assert [json.loads(line)["title"] for line in target.read_text().splitlines()] == ["Tea"]
    resumed = dehusk("clean", str(pages), "-f", "jsonl", "-o", str(target), *FILTERS, "--resume")
    assert resumed.returncode == 2
    assert b"use dehusk batch, which resumes" in resumed.stderr


def test_one_page_that_is_dropped(pages: Path) -> None:
    result = dehusk("clean", str(pages / "d.html"), "--min-words", "20")
    assert (result.returncode, result.stdout) == (0, b"")
    assert b"the page was dropped: too short" in result.stderr


@pytest.mark.usefixtures("no_processes")
def test_filters_of_a_batch_are_the_same(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("batch", str(pages), "-o", str(out), "--buckets", "2", *FILTERS)
    result = dehusk(*command)
    assert result.returncode == 0, result.stderr
    assert BALANCE in result.stderr
    records = [json.loads(line) for path in out.glob("pages/*.jsonl") for line in path.read_text().splitlines()]
    assert [record["title"] for record in records if not record["error"]] == ["Tea"]
    report = json.loads((out / "report.json").read_text())
    assert report["dropped"] == {"duplicates": 1, "other language": 1, "too short": 1}
    assert (report["pages"], report["written"], report["failed"], report["skipped"]) == (5, 1, 0, 1)
    assert "Dropped, by reason" in (out / "report.html").read_text()
    (site,) = map(json.loads, (out / "sites.jsonl").read_text().splitlines())
    assert (site["dropped"], site["size_after"]) == (3, report["size_after"])
    assert b"already complete" in dehusk(*command).stderr
    next(out.glob("pages/*.jsonl")).unlink()
    again = dehusk(*command)
    assert BALANCE in again.stderr
    assert len(list(out.glob("pages/*.jsonl"))) == 1


def test_filters_that_make_no_sense(pages: Path) -> None:
    result = dehusk("clean", str(pages), "--only-type", "novel")
    assert result.returncode == 2
    assert b"--only-type: 'novel' is unknown; choose from article" in result.stderr


def test_one_page_goes_into_the_file_named(pages: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "page.md"
    assert dehusk("clean", str(pages / "a.html"), "-o", str(target)).returncode == 0
    assert target.read_text().startswith("# Tea\n")
    assert [path.name for path in target.parent.iterdir()] == ["page.md"]
    as_text = tmp_path / "page.html"
    dehusk("clean", str(pages / "a.html"), "-o", str(as_text), "-f", "text")
    assert as_text.read_text().startswith("Tea\n"), "the format named counts"
    several = dehusk("clean", str(pages), "-o", str(tmp_path / "all.md"))
    assert several.returncode == 2
    assert b"several pages do not fit into it; name a folder, or a .jsonl" in several.stderr
    folder = tmp_path / "folder.md"
    folder.mkdir()
    dehusk("clean", str(pages / "a.html"), "-o", str(folder))
    assert [path.name for path in folder.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.gz", "pages.csv", "pages.parquet"])
def test_the_name_of_a_file_of_records_says_its_format(name: str, pages: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    target = tmp_path / name
    assert dehusk("clean", str(pages), "-o", str(target)).returncode == 0
    readers = {"jsonl": lambda path: pandas.read_json(path, lines=True), "csv": pandas.read_csv}
    table = readers.get(name.split(".")[1], pandas.read_parquet)(target)
    assert list(table["title"]) == ["Tea", "Tea", "Tee", "Short"]


def test_explanations_are_written(pages: Path, tmp_path: Path) -> None:
    shown = dehusk("clean", str(pages / "a.html"), "--explain").stdout.decode()
    assert dehusk("clean", str(pages / "a.html"), "--explain", "-o", str(tmp_path / "why.txt")).stdout == b""
    assert (tmp_path / "why.txt").read_text().split() == shown.split()
    dehusk("clean", str(pages), "--explain", "-o", str(tmp_path / "why"))
    assert sorted(path.name for path in (tmp_path / "why").iterdir()) == [f"{name}.explain.txt" for name in "abcd"]


def test_lists_of_urls(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("# two\nBASE/tea\n\nBASE/gone\n")
    with serving({"/tea": Answer(article("Tea", SENTENCE * 3).encode())}.get) as site:
        listed = (tmp_path / "urls.txt").read_text().replace("BASE", site.url)
        (tmp_path / "urls.txt").write_text(listed)
        result = dehusk("clean", "--urls", str(tmp_path / "urls.txt"), "--allow-private", "-f", "jsonl")
    assert result.returncode == 1
    assert b"status 404" in result.stderr
    (record,) = map(json.loads, result.stdout.splitlines())
    assert (record["url"], record["title"]) == (f"{site.url}/tea", "Tea")
    assert b"no pages given" in dehusk("clean").stderr


LINKED = article("Tea", SENTENCE * 6 + "<a href=https://a.example/more>More of it</a>.")


@pytest.mark.usefixtures("no_processes")
def test_records_keep_links(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(LINKED)
    options = ("-f", "jsonl", "--content", "markdown", "--links")
    cleaned = dehusk("clean", str(tmp_path / "page.html"), *options)
    assert "[More of it](https://a.example/more)" in json.loads(cleaned.stdout)["text"]
    out = tmp_path / "out"
    assert dehusk("batch", str(tmp_path / "page.html"), "-o", str(out), *options).returncode == 0
    (record,) = map(json.loads, next(out.glob("pages/*.jsonl")).read_text().splitlines())
    assert record["text"] == json.loads(cleaned.stdout)["text"]
    without = dehusk("clean", str(tmp_path / "page.html"), "-f", "jsonl", "--content", "html", "--no-links")
    assert "a.example" not in json.loads(without.stdout)["text"]


@pytest.mark.usefixtures("no_processes")
def test_fields_are_named_on_the_command_line(tmp_path: Path) -> None:
    line = {"html": "no", "stuff": {"page": LINKED, "at": "https://a.example/1"}}
    (tmp_path / "pages.jsonl").write_text(json.dumps(line))
    fields = ("--html-field", "stuff.page", "--url-field", "stuff.at")
    (record,) = map(
        json.loads, dehusk("clean", str(tmp_path / "pages.jsonl"), "-f", "jsonl", *fields).stdout.splitlines()
    )
    assert (record["url"], record["title"]) == ("https://a.example/1", "Tea")
    out = tmp_path / "out"
    assert dehusk("batch", str(tmp_path / "pages.jsonl"), "-o", str(out), *fields).returncode == 0
    assert [site["site"] for site in map(json.loads, (out / "sites.jsonl").read_text().splitlines())] == ["a.example"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("learn", "-m", "style-tree"), b"3 pages learnt"),
        (("weigh",), b"3 pages"),
        (("thresholds",), b"3 pages cleaned; learnt from 3"),
    ],
)
def test_other_commands_take_the_same_fields(command: tuple[str, ...], told: bytes, tmp_path: Path) -> None:
    stuff = [{"page": article(f"Tea {n}", f"{n} {SENTENCE * n}"), "at": f"https://a.example/{n}"} for n in range(1, 4)]
    file = tmp_path / "pages.jsonl"
    file.write_text("".join(json.dumps({"html": "no", "stuff": one}) + "\n" for one in stuff))
    output = () if command == ("thresholds",) else ("-o", str(tmp_path / "out.npz"))
    named = ("--html-field", "stuff.page", "--url-field", "stuff.at")
    done = dehusk(*command, str(file), *output, *named)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout + done.stderr


MARKED = article("Tea", SENTENCE * 6 + "<span class=ad>Buy our tea</span>").replace(
    "</nav>", "</nav><div class=box><p>Brewed in 1808.</p></div>"
)


def test_selectors_drop_and_keep(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(MARKED)
    command = ("clean", str(tmp_path / "page.html"))
    assert b"Buy our tea" in dehusk(*command).stdout
    chosen = ("--drop", ".ad", "--drop", "footer", "--keep", "nav, .box")
    text = dehusk(*command, *chosen).stdout.decode()
    assert text.startswith("Home\n\nBrewed in 1808.")
    assert "Buy our tea" not in text
    listing = dehusk(*command, *chosen, "--explain").stdout.decode()
    assert "kept by the selector nav, .box" in listing
    assert "x      span.ad      Buy our tea\n         taken out by the selector .ad" in listing
    other = dehusk(*command, "-m", "satisfiable-subtree", "--keep", "nav")
    assert b"Home" in other.stdout
    wrong = dehusk(*command, "--drop", "p >")
    assert wrong.returncode == 2
    assert b"not a CSS selector" in wrong.stderr


@pytest.mark.usefixtures("no_processes")
def test_selectors_of_a_batch(tmp_path: Path) -> None:
    for number in range(3):
        own = " ".join(f"word{number * 100 + index} of tea" for index in range(60))
        (tmp_path / f"{number}.html").write_text(MARKED.replace(SENTENCE * 6, f"{own}."))
    result = dehusk("batch", str(tmp_path), "-o", str(tmp_path / "out"), "--drop", ".ad", "--keep", ".box")
    assert result.returncode == 0, result.stderr
    (file,) = (tmp_path / "out").glob("pages/*.jsonl")
    texts = [json.loads(line)["text"] for line in file.read_text().splitlines()]
    assert all("Brewed in 1808." in text and "Buy our tea" not in text for text in texts)
    (site,) = map(json.loads, (tmp_path / "out" / "sites.jsonl").read_text().splitlines())
    assert 0 < site["template_share"] < 0.5
    assert 0 < site["trust"] < 1
    assert site["blocks_changed"] <= site["blocks_compared"]
    assert f"{site['trust']:.2f}" in (tmp_path / "out" / "report.html").read_text()
    models = [load_model(path) for path in (tmp_path / "out").glob("models/*")]
    assert [model.pages for model in models if isinstance(model, HybridModel)] == [3]


def test_an_explanation_has_each_path_once(pages: Path) -> None:
    listing = dehusk("clean", str(pages / "a.html"), "--explain").stdout.decode()
    blocks = [line for line in listing.splitlines() if line.startswith(("+ ", "- "))]
    reasons = [line for line in listing.splitlines() if " · html" in line]
    assert len(reasons) == len(blocks)
    assert all(line.count(" · ") == 1 for line in reasons)


def test_a_page_shows_itself_in_one_line(pages: Path) -> None:
    page = clean((pages / "a.html").read_bytes(), url="https://a.example/tea")
    assert "\n" not in repr(page)
    assert repr(page).startswith("<CleanedPage https://a.example/tea: ")
    assert repr(page.labelled).startswith("<LabelledBlocks of https://a.example/tea: ")


def test_tables_do_not_collapse_on_a_narrow_screen(sample_site: Path) -> None:
    shown = dehusk("thresholds", str(sample_site / "magazine"), "--samples", "3", columns=80).stdout.decode()
    table = [line for line in shown.splitlines() if "block" in line and "0.05" in line]
    assert all(value in table[0] for value in ("0.05", "0.1", "0.15", "0.2", "0.3", "0.4", "0.6", "page"))
