"""Corrections apply to all pages with the same template position, and can be used for training."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from app_tab import Tab, story

from dehusk.lab.gold.corpora import open_corpora, open_labelled
from dehusk.lab.training.sequence_label_training import LabelledPage, label_page


@pytest.fixture
def taught(tab: Tab) -> Tab:
    """Six pages of a site, cleaned."""
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    tab.eliminate()
    return tab


def ids(tab: Tab) -> tuple[list[str], str]:
    pages = tab.workspace()["pages"]
    return [page["id"] for page in pages], pages[0]["site"]


def find(tab: Tab, page: str, text: str) -> Any:
    blocks = tab.get(f"/api/pages/{page}/blocks")["blocks"]
    return next(block for block in blocks if text in block["text"])


def correct(tab: Tab, page: str, text: str, keep: bool, scope: str = "place", status: int = 200) -> Any:
    _, site = ids(tab)
    body = {"page": page, "block": find(tab, page, text)["index"], "keep": keep, "scope": scope}
    return tab.post(f"/api/sites/{site}/corrections", body, status)


def test_a_correction_applies_to_the_same_position_on_all_pages(taught: Tab) -> None:
    pages, _ = ids(taught)
    told = correct(taught, pages[0], "Free delivery", keep=True)
    assert told["pages"] == told["correction"]["pages"] == 6
    for page in pages:
        block = find(taught, page, "Free delivery")
        assert (block["kept"], block["taught"]) == (True, "keep")
        assert "Free delivery" in taught.get(f"/api/pages/{page}/result")["content"]
    detail = taught.get(f"/api/pages/{pages[3]}/blocks/{block['index']}")
    assert detail["reasons"][-1] == "kept by a manual correction"
    assert 'dehusk-kept dehusk-taught">Free delivery' in taught.get(f"/view/{pages[2]}/original").text


def test_dropping_drops(taught: Tab) -> None:
    pages, _ = ids(taught)
    correct(taught, pages[0], "It begins here", keep=False)
    for page in pages:
        assert "It begins here" not in taught.get(f"/api/pages/{page}/result")["content"]
        assert "And goes on" in taught.get(f"/api/pages/{page}/result")["content"]


def test_a_style_covers_more_than_a_position_and_a_position_wins(taught: Tab) -> None:
    pages, _ = ids(taught)
    correct(taught, pages[0], "It begins here", keep=False, scope="look")
    content = taught.get(f"/api/pages/{pages[1]}/result")["content"]
    assert "It begins here" not in content
    assert "And goes on" not in content
    correct(taught, pages[0], "And goes on", keep=True)
    content = taught.get(f"/api/pages/{pages[1]}/result")["content"]
    assert "It begins here" not in content
    assert "And goes on" in content


def test_titles_and_hidden_blocks_can_be_corrected(tab: Tab) -> None:
    pages = [b"<title>T%d</title><p hidden>secret %d</p><p>%s</p>" % (n, n, b"text " * 40) for n in range(3)]
    tab.send(*((f"{number}.html", html) for number, html in enumerate(pages)))
    first, site = ids(tab)
    correct(tab, first[0], "T0", keep=True)
    correct(tab, first[0], "secret", keep=True)
    assert find(tab, first[2], "T2")["taught"] == "keep"
    assert find(tab, first[2], "secret")["kept"] is True
    title = {"page": first[0], "block": find(tab, first[0], "T0")["index"], "keep": True, "scope": "look"}
    assert tab.post(f"/api/sites/{site}/corrections", title, 422)["error"]["remedy"]


def test_a_new_correction_replaces_the_old_one_and_undo_removes_it(taught: Tab) -> None:
    pages, site = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    correct(taught, pages[1], "Our shop", keep=True)
    correct(taught, pages[2], "Free delivery", keep=False)
    listed = taught.get(f"/api/sites/{site}/corrections")["corrections"]
    assert [(one["text"][:8], one["keep"], one["id"]) for one in listed] == [
        ("Our shop", True, 2),
        ("Free del", False, 3),
    ]
    taught.post(f"/api/sites/{site}/corrections/undo")
    assert find(taught, pages[0], "Free delivery")["taught"] is None
    assert find(taught, pages[0], "Our shop")["taught"] == "keep"
    taught.delete(f"/api/sites/{site}/corrections/2")
    assert taught.get(f"/api/sites/{site}/corrections")["corrections"] == []
    taught.post(f"/api/sites/{site}/corrections/undo", status=409)
    assert correct(taught, pages[0], "Free delivery", keep=True)["correction"]["id"] == 4


def test_corrections_survive_learning_again_and_other_methods(taught: Tab) -> None:
    pages, site = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    assert taught.workspace()["pages"][0]["result"]["stale"] is True
    taught.send(("new.html", story(99)))
    for method in ("hybrid", "style-tree", "satisfiable-subtree"):
        taught.put(f"/api/sites/{site}/settings", {"method": method})
        taught.eliminate(learn_again=True)
        for page in ids(taught)[0]:
            assert "Free delivery" in taught.get(f"/api/pages/{page}/result")["content"]


def test_corrections_of_one_site_leave_others_alone(taught: Tab) -> None:
    other = taught.send(("x.html", story(1, "other.example")))["added"][0]
    pages, site = ids(taught)
    correct(taught, pages[0], "It begins here", keep=False)
    assert "It begins here" in taught.get(f"/api/pages/{other['id']}/result")["content"]
    body = {"page": other["id"], "block": 1, "keep": True}
    taught.post(f"/api/sites/{site}/corrections", body, 404)


def unpacked(tab: Tab, folder: Path) -> Path:
    zipfile.ZipFile(io.BytesIO(tab.get("/api/labelled.zip").content)).extractall(folder)
    return folder


def test_labelled_data_is_what_training_reads(taught: Tab, tmp_path: Path) -> None:
    pages, _ = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    taught.put(f"/api/pages/{pages[1]}/gold", {"text": "Story number 1\nOur shop of teas"})
    (corpus,) = open_labelled([str(unpacked(taught, tmp_path / "labelled"))])
    gold = list(corpus)
    assert len(gold) == 6
    assert {page.site for page in gold} == {"labelled/tea.example"}
    texts = {page.identifier: page.gold for page in gold}
    assert texts["tea.example/1.html"] == "Story number 1\nOur shop of teas"
    assert "Free delivery" in texts["tea.example/0.html"]
    assert "Home page" not in texts["tea.example/0.html"]
    assert all(isinstance(label_page(page), LabelledPage) for page in gold if page.identifier != "tea.example/1.html")


def test_the_same_as_a_table(taught: Tab, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pages, site = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    file = tmp_path / "labelled.parquet"
    file.write_bytes(taught.get("/api/labelled.parquet", site=site).content)
    (corpus,) = open_corpora([str(file)])
    gold = list(corpus)
    assert [page.raw.body for page in gold] == [story(number) for number in range(6)]
    assert all("Free delivery" in page.gold for page in gold)
    assert all(isinstance(label_page(page), LabelledPage) for page in gold)


def test_pages_of_other_encodings_are_exported_as_they_are_read(tab: Tab, tmp_path: Path) -> None:
    html = "<title>Ü</title>" + "<p>Über Tee und Käse wird hier viel gesagt, und länger noch.</p>" * 5
    pages = [{"html": html, "url": "https://a.example/"}]
    tab.post("/api/learn", {"site": "a.example", "pages": pages})
    page, _ = ids(tab)
    tab.put(f"/api/pages/{page[0]}/gold", {"text": "Über Tee"})
    (corpus,) = open_labelled([str(unpacked(tab, tmp_path / "labelled"))])
    assert "Über Tee" in next(iter(corpus)).raw.body.decode("utf-8-sig")


def test_the_command_line_trains_on_it(taught: Tab, tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite")
    from typer.testing import CliRunner

    from dehusk.cli import app

    pages, _ = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    folder = unpacked(taught, tmp_path / "labelled")
    model = tmp_path / "own.dehusk"
    command = [
        "train",
        "sequence-labels",
        "--gold",
        str(folder),
        "-o",
        str(model),
        "--iterations",
        "5",
        "--no-validate",
    ]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert model.exists()
