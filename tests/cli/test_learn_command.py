"""`dehusk learn`, `clean --model` and `clean --learn`, in real processes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest
from command_line import dehusk, runner

from dehusk.blocks.block_columns import Blocks
from dehusk.cli import app, given_pages
from dehusk.cli.given_pages import GivenPages, PageReader
from dehusk.cli.shared_options import LearningMethod
from dehusk.cli.site_learning import learn_site
from dehusk.learning import _MODELS
from dehusk.methods import METHODS
from dehusk.methods.page_network.inference import PageNetwork
from dehusk.methods.page_network.trained_weights import Trained
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.native.calls import Outcome
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

MENU = "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li></ul></nav>"


STORIES = (
    "hares that box in March",
    "herons standing on frozen ponds",
    "otters below the old weir",
    "badgers who dig at midnight",
    "swallows back from Africa",
    "foxes crossing seven gardens",
)


def story_of(number: int) -> str:
    return f"Story {number} has words {number * 7} of its own, about {STORIES[number]}."


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(6):
        story = f"<main><div><p>{story_of(number)}</p></div></main>"
        (folder / f"{number}.html").write_text(f"<body>{MENU}{story}<footer><div><p>Imprint</p></div></footer>")
    return folder


def test_learn_then_clean(site: Path, tmp_path: Path) -> None:
    model = tmp_path / "site.dehusk"
    learnt = dehusk("learn", str(site), "-o", str(model), "--created", "2026-11-15")
    assert learnt.returncode == 0, learnt.stderr
    assert b"6 pages" in learnt.stderr
    cleaned = dehusk("clean", str(site / "3.html"), "--model", str(model))
    assert cleaned.stdout.decode() == f"{story_of(3)}\n"
    assert dehusk("learn", str(site), "-o", str(tmp_path / "again.dehusk"), "--created", "2026-11-15").returncode == 0
    assert (tmp_path / "again.dehusk").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_learn_and_clean_in_one_go(site: Path, tmp_path: Path, jobs: str) -> None:
    result = dehusk("clean", str(site), "--learn", "--output", str(tmp_path / "out"), "--jobs", jobs)
    assert result.returncode == 0, result.stderr
    texts = [path.read_text() for path in sorted((tmp_path / "out").iterdir())]
    assert texts == [f"{story_of(number)}\n" for number in range(6)]


def test_sites_do_not_spoil_each_other(site: Path, tmp_path: Path) -> None:
    # Two pages of another host, in the same folder: their common text is their own template only.
    for number in range(2):
        link = "<link rel=canonical href=https://www.other.example/>"
        (site / f"other{number}.html").write_text(f"{link}<body><main><div><p>Story {number} alone</p></div></main>")
    dehusk("clean", str(site), "--learn", "--output", str(tmp_path / "out"))
    assert (tmp_path / "out" / "2.txt").read_text() == f"{story_of(2)}\n"


def test_explain_names_the_evidence(site: Path) -> None:
    shown = dehusk("clean", str(site), "--learn", "--explain").stdout.decode()
    assert "its text is in the same place on 6 of 6 pages learnt" in shown
    assert "blocks kept by hybrid" in shown
    assert "page type: " in shown
    shown = dehusk("clean", str(site), "--learn", "--method", "style-tree", "--explain").stdout.decode()
    assert "this template position is on 6 of 6 pages, importance 0.00" in shown
    assert "blocks kept by style-tree" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clean", "site", "--learn", "--model", "x"], "exclude each other"),
        (["clean", "site", "--model", "absent.dehusk"], "absent.dehusk: cannot be read: no such file or directory"),
        (["clean", "site", "--model", "site/0.html"], "not a sound model file"),
        (["learn", "absent", "-o", "x.dehusk"], "no such file or folder"),
        (["learn", "site", "-o", "x.dehusk", "-m", "pagelet-templates", "--threshold", "0.3"], "only to style trees"),
        (["clean", "site", "--learn", "-m", "page-evidence"], "page-evidence does not learn sites"),
        (["thresholds", "site/0.html"], "need at least two different pages to choose a threshold"),
        (["thresholds", "site", "--values", "low,high"], "not numbers"),
        (["learn", "site", "-o", "nowhere/x.dehusk"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(site: Path, arguments: list[str], message: str) -> None:
    result = dehusk(*arguments, cwd=site.parent)
    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert b"Traceback" not in result.stderr


def test_small_sites_are_read_once_and_large_ones_twice(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = dict(enumerate(GivenPages([str(site)])))
    calls = counted_calls(monkeypatch)
    learn_site(files, StyleTree(), PageReader()).save(site.parent / "once.dehusk")
    assert calls == {"read": len(files)} == {"read": 6}
    monkeypatch.setattr(given_pages, "_HELD_BYTES", 1)
    learn_site(files, StyleTree(), PageReader()).save(site.parent / "twice.dehusk")
    assert calls == {"read": 3 * len(files)}
    assert (site.parent / "once.dehusk").read_bytes() == (site.parent / "twice.dehusk").read_bytes()


def counted_calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a page is read, and how often the network runs; counts from here on."""
    calls: Counter[str] = Counter()

    def read(raw: RawPage) -> Page:
        calls["read"] += 1
        return read_page(raw)

    def run(network: PageNetwork, blocks: Blocks) -> Outcome:
        calls["network"] += 1
        return run_network(network, blocks)

    def known(trained: Trained, blocks: Blocks) -> Outcome | None:
        found = measured(trained, blocks)
        calls["network"] += found is None  # it runs while the page is cleaned
        return found

    run_network, measured = PageNetwork.measure_blocks, Trained.measured
    monkeypatch.setattr(given_pages, "read_page", read)
    monkeypatch.setattr(PageNetwork, "measure_blocks", run)
    monkeypatch.setattr(Trained, "measured", known)
    return calls


def cleaned_texts(*options: str | Path) -> bytes:
    result = runner().invoke(app, ["clean", *map(str, options)])
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


@pytest.mark.parametrize("archive", [False, True])
def test_learning_and_cleaning_read_each_page_once(
    sample_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archive: bool
) -> None:
    source, pages = sample_site, 31
    if archive:
        source = tmp_path / "site.zip"
        with ZipFile(source, "w") as stored:
            for page in sorted(sample_site.rglob("*.html")):
                stored.write(page, page.relative_to(sample_site))
    calls = counted_calls(monkeypatch)
    once = cleaned_texts(source, "--learn", "--format", "jsonl")
    assert len(once.splitlines()) == pages
    assert calls == {"read": pages, "network": pages}
    calls.clear()
    # Only one page fits: the others are read to group, to compare, to learn and to clean them.
    monkeypatch.setattr(given_pages, "_HELD_BYTES", max(page.stat().st_size for page in sample_site.rglob("*.html")))
    assert cleaned_texts(source, "--learn", "--format", "jsonl") == once
    assert 3 * pages < calls["read"] < 4 * pages
    assert pages < calls["network"] < 2 * pages
    if not archive:  # how pages are stored does not matter to the processes that clean them
        assert cleaned_texts(source, "--learn", "--format", "jsonl", "--jobs", "2") == once


def test_one_page_is_kept_whole_and_said_so(site: Path) -> None:
    result = dehusk("clean", str(site / "1.html"), "--learn", "--method", "style-tree")
    assert result.returncode == 0
    assert "Imprint" in result.stdout.decode()
    assert "one page is not enough" in result.stderr.decode()


def test_one_page_is_kept_whole_and_so_are_equal_ones(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.html").write_text(f"<body>{MENU}<p>The only story.</p>")
    result = dehusk("clean", str(tmp_path), "--learn", "--method", "style-tree")
    assert "2 of 3 pages are duplicates" in result.stderr.decode()
    assert "one page is not enough to find the template" in result.stderr.decode()
    assert result.stdout.decode().count("Home") == 3
    learnt = dehusk("learn", str(tmp_path / "0.html"), "-o", str(tmp_path / "a.dehusk"), "--method", "style-tree")
    assert learnt.returncode == 0
    assert "one page is not enough to find the template" in learnt.stderr.decode()
    cleaned = dehusk("clean", str(tmp_path / "1.html"), "--model", str(tmp_path / "a.dehusk"))
    assert "Home" in cleaned.stdout.decode()


def test_pages_of_another_site_are_noticed(site: Path, tmp_path: Path) -> None:
    model = tmp_path / "site.dehusk"
    assert dehusk("learn", str(site), "-o", str(model)).returncode == 0
    other = tmp_path / "other.html"
    other.write_text("<body><table><tr><td>Somebody else's page.</td></tr></table>")
    noticed = "is it from another site?"
    assert noticed in dehusk("clean", str(other), "--model", str(model)).stderr.decode()
    assert noticed in dehusk("clean", str(other), str(site), "--model", str(model)).stderr.decode()
    assert noticed not in dehusk("clean", str(site), "--model", str(model)).stderr.decode()


def test_pagelet_templates_from_learning_to_cleaning(site: Path, tmp_path: Path) -> None:
    model = tmp_path / "site.dehusk"
    menu = "<ul>" + "".join(f"<li><a href=/{n}>Department {n}</a></li>" for n in range(5)) + "</ul>"
    for number in range(4):
        (site / f"long{number}.html").write_text(f"<body><div>{menu}</div><div><p>Story {number} is long.</p></div>")
    assert dehusk("learn", str(site), "-o", str(model), "--method", "pagelet-templates").returncode == 0
    cleaned = dehusk("clean", str(site / "long2.html"), "--model", str(model))
    assert cleaned.stdout.decode() == "Story 2 is long.\n"


def test_structure_weights_from_learning_to_cleaning(site: Path, tmp_path: Path) -> None:
    model = tmp_path / "site.dehusk"
    for options in ([], ["--matching", "exact"], ["--threshold", "0.05"]):
        learnt = dehusk("learn", str(site), "-o", str(model), "--method", "structure-weights", *options)
        assert learnt.returncode == 0, learnt.stderr
        cleaned = dehusk("clean", str(site / "2.html"), "--model", str(model))
        assert cleaned.stdout.decode() == f"{story_of(2)}\n"


def test_every_method_that_learns_can_be_named() -> None:
    learning = [name for name, method in METHODS.items() if method.learns]
    assert sorted(name.value for name in LearningMethod) == sorted(learning)
    assert set(_MODELS) == {*learning, "sequence-labels", "page-network"}, "those, and what is trained"


def test_thresholds_are_shown_side_by_side(site: Path) -> None:
    result = dehusk("thresholds", str(site), "--values", "0,0.5,1")
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    assert "6 pages cleaned; learnt from 6" in shown
    assert "chosen for the site" in shown
    assert "blocks on which they disagree" in shown
    assert "Story 3" in shown


def test_a_threshold_can_be_set(site: Path, tmp_path: Path) -> None:
    model = tmp_path / "site.dehusk"
    assert dehusk("learn", str(site), "-o", str(model), "--method", "style-tree", "--threshold", "1").returncode == 0
    assert dehusk("clean", str(site / "1.html"), "--model", str(model)).stdout == b""
    assert "set in the model" in dehusk("thresholds", str(site), "--model", str(model)).stdout.decode()


def test_words_leave_out_what_every_page_has_there(tmp_path: Path) -> None:
    texts = ["apples from Kent", "pears from Essex", "plums from Devon", "cherries from Surrey", "figs from Sussex"]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.html").write_text(f"<body><p>Today: {text}</p>")
    options = ["--learn", "--method", "style-tree", "--format", "words", "--output", str(tmp_path / "out")]
    result = dehusk("clean", str(tmp_path), *options)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "out" / "1.words.txt").read_text() == "pears essex\n"
