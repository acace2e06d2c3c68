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
from dehusk.learning import load_model
from dehusk.webapp.elimination import Cleaned, Elimination
from dehusk.webapp.workspace_records import PageRecord, SiteRecord


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
    assert find(taught, pages[0], "Free delivery")["taught"] == "keep", "undoing restores what was replaced"
    assert find(taught, pages[0], "Our shop")["taught"] == "keep"
    taught.delete(f"/api/sites/{site}/corrections/2")
    taught.post(f"/api/sites/{site}/corrections/undo")
    assert find(taught, pages[0], "Free delivery")["taught"] is None
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


@pytest.mark.parametrize("method", ["hybrid", "style-tree", "pagelet-templates"])
def test_the_command_line_gives_the_taught_result(taught: Tab, tmp_path: Path, method: str) -> None:
    from typer.testing import CliRunner

    from dehusk.cli import app

    pages, site = ids(taught)
    taught.put(f"/api/sites/{site}/settings", {"method": method})
    taught.eliminate()
    correct(taught, pages[0], "Free delivery", keep=True)
    correct(taught, pages[0], "It begins here", keep=False, scope="block")
    if method == "style-tree":
        taught.put(f"/api/sites/{site}/settings", {"threshold": 0.3})
    (tmp_path / "model").write_bytes(taught.get(f"/api/sites/{site}/model").content)
    for number in range(2):
        (tmp_path / "page.html").write_bytes(story(number))
        command = ["clean", str(tmp_path / "page.html"), "--model", str(tmp_path / "model")]
        result = CliRunner().invoke(app, command)
        assert result.stdout.strip() == taught.get(f"/api/pages/{pages[number]}/result")["content"].strip()
        assert "Free delivery" in result.stdout
        assert ("It begins here" in result.stdout) is (number == 1)


def test_a_preview_counts_what_a_correction_would_change(taught: Tab) -> None:
    pages, site = ids(taught)
    body = {"page": pages[0], "block": find(taught, pages[0], "Free delivery")["index"], "keep": True}
    told = taught.post(f"/api/sites/{site}/corrections/preview", body)
    assert (told["blocks"], told["pages"], told["changed"]) == (6, 6, 6)
    assert len(told["most_changed"]) == 5
    assert {example["page"] for example in told["examples"]} == set(pages)
    assert "Free delivery" in told["examples"][0]["text"]
    assert taught.get(f"/api/sites/{site}/corrections")["corrections"] == []
    assert taught.post(f"/api/sites/{site}/corrections/preview", {**body, "keep": False})["changed"] == 0
    here = taught.post(f"/api/sites/{site}/corrections/preview", {**body, "scope": "block"})
    assert (here["blocks"], here["pages"], here["changed"]) == (1, 1, 1)
    taught.send(("new.html", story(77)))
    assert taught.post(f"/api/sites/{site}/corrections/preview", body)["changed"] is None, "not cleaned yet"


def test_a_container_and_several_blocks_are_corrected_together(taught: Tab) -> None:
    pages, site = ids(taught)
    shop = find(taught, pages[0], "Our shop")
    around = taught.get(f"/api/pages/{pages[0]}/blocks/{shop['index']}")["containers"]
    menu = next(one for one in around if one["here"] == 2)
    assert (menu["label"], menu["blocks"], menu["pages"]) == ("ul", 12, 6)
    body = {"page": pages[0], "block": shop["index"], "keep": True, "scope": "container", "container": menu["key"]}
    assert taught.post(f"/api/sites/{site}/corrections", body)["blocks"] == 12
    content = taught.get(f"/api/pages/{pages[5]}/result")["content"]
    assert "Home page" in content
    assert "Our shop" in content
    assert taught.post(f"/api/sites/{site}/corrections", {**body, "container": "1f"}, 404)
    assert taught.post(f"/api/sites/{site}/corrections", {**body, "container": "x"}, 400)

    texts = [find(taught, pages[0], text)["index"] for text in ("It begins here", "And goes on")]
    told = taught.post(f"/api/sites/{site}/corrections", {"page": pages[0], "blocks": texts, "keep": False})
    assert (told["blocks"], told["changed"]) == (12, 12)
    assert len(taught.get(f"/api/sites/{site}/corrections")["corrections"]) == 3
    history = taught.get("/api/history")["history"]
    assert [(entry["kind"], entry["count"]) for entry in history] == [("drop", 2), ("keep", 1)]
    taught.post("/api/history/undo", {"action": told["action"]})
    assert "It begins here" in taught.get(f"/api/pages/{pages[1]}/result")["content"]
    assert len(taught.get(f"/api/sites/{site}/corrections")["corrections"]) == 1


def test_only_pages_that_corrections_touch_are_cleaned_again(taught: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, _ = ids(taught)
    other = b"<title>Other</title><h2>Elsewhere</h2>" + b"<p>Another page of its own</p>" * 9
    taught.send(("other.html", other), site="tea.example")
    taught.eliminate()
    before = {page["id"]: page["result"] for page in taught.workspace()["pages"]}
    correct(taught, pages[0], "Free delivery", keep=True)
    assert all(page["result"]["stale"] for page in taught.workspace()["pages"])
    cleaned: list[str] = []
    clean = Elimination.result

    def noted(elimination: Elimination, page: PageRecord, site: SiteRecord) -> Cleaned:
        cleaned.append(page.id)
        return clean(elimination, page, site)

    monkeypatch.setattr(Elimination, "result", noted)
    taught.eliminate()
    after = {page["id"]: page["result"] for page in taught.workspace()["pages"]}
    assert not any(result["stale"] for result in after.values())
    assert sorted(cleaned) == sorted(pages)
    assert after[pages[0]]["blocks_kept"] == before[pages[0]]["blocks_kept"] + 1


def test_selected_pages_are_cleaned_alone(tab: Tab) -> None:
    pages = tab.send(*((f"{number}.html", story(number)) for number in range(6)))["added"]
    done = tab.eliminate(pages=[pages[1]["id"], pages[3]["id"]])
    assert done["result"] == {"pages": 2, "failed": 0}
    assert [bool(page["result"]) for page in tab.workspace()["pages"]] == [False, True, False, True, False, False]
    assert tab.workspace()["sites"][0]["learnt"]["pages"] == 6
    assert tab.post("/api/eliminate", {"pages": ["x"]}, 404)


def test_corrections_of_one_site_leave_others_alone(taught: Tab) -> None:
    other = taught.send(("x.html", story(1, "other.example")))["added"][0]
    pages, site = ids(taught)
    correct(taught, pages[0], "It begins here", keep=False)
    assert "It begins here" in taught.get(f"/api/pages/{other['id']}/result")["content"]
    body = {"page": other["id"], "block": 1, "keep": True}
    taught.post(f"/api/sites/{site}/corrections", body, 404)


def check_all(tab: Tab) -> None:
    """Check what is proposed for each page."""
    for page in ids(tab)[0]:
        proposed = tab.get(f"/api/pages/{page}/label")
        assert not proposed["checked"]
        tab.put(f"/api/pages/{page}/label", {name: proposed[name] for name in ("page_type", "content", "comments")})


def test_a_model_is_trained_with_the_labels(taught: Tab, tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    taught.post("/api/train", {}, 409)
    taught.get("/api/trained", 404)
    check_all(taught)
    done = taught.finish(taught.post("/api/train", {}, 202)["job"])
    assert (done["state"], done["result"]) == ("done", {"pages": 6, "unusable": []}), done["error"]
    (tmp_path / "model").write_bytes(taught.get("/api/trained").content)
    assert load_model(tmp_path / "model").method == "sequence-labels"


def unpacked(tab: Tab, folder: Path) -> Path:
    zipfile.ZipFile(io.BytesIO(tab.get("/api/labelled.zip").content)).extractall(folder)
    return folder


def test_labelled_data_is_what_training_reads(taught: Tab, tmp_path: Path) -> None:
    pages, _ = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    taught.get("/api/labelled.zip", 409)
    check_all(taught)
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
    check_all(taught)
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
    pytest.importorskip("scipy")
    from typer.testing import CliRunner

    from dehusk.cli import app

    pages, _ = ids(taught)
    correct(taught, pages[0], "Free delivery", keep=True)
    check_all(taught)
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
