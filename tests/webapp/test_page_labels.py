"""Labels of pages are proposed, corrected, exported by the content policy's format, imported, and trained on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from app_tab import Tab, story
from typer.testing import CliRunner

from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.policy_labels import LABELLED_TYPES, block_keys, digest_of_page, labelled_pages, read_labels
from dehusk.learning import load_model
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.page.page_reading import read_page
from dehusk.webapp.workspace_records import Label


@pytest.fixture
def cleaned(tab: Tab) -> Tab:
    """Six pages of a site, cleaned."""
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    tab.eliminate()
    return tab


def ids(tab: Tab) -> tuple[list[str], str]:
    pages = tab.workspace()["pages"]
    return [page["id"] for page in pages], pages[0]["site"]


def number_of(tab: Tab, page: str, text: str) -> int:
    blocks = tab.get(f"/api/pages/{page}/blocks")["blocks"]
    return int(next(block["index"] for block in blocks if text in block["text"]))


def check(tab: Tab, page: str, **changes: object) -> None:
    """Check a page with the label that is proposed, and changes."""
    proposed = tab.get(f"/api/pages/{page}/label")
    names = ("page_type", "content", "comments", "doubtful")
    tab.put(f"/api/pages/{page}/label", {**{name: proposed[name] for name in names}, **changes})


def export(tab: Tab, folder: Path, site: str = "") -> Path:
    """Save the labels and the pages under the names that the server gives them; returns the file of labels."""
    folder.mkdir(exist_ok=True)
    query = {"site": site} if site else {}
    for path in ("/api/labelled.parquet", "/api/labels.jsonl"):
        answer = tab.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        name = answer.headers["content-disposition"].split('filename="')[1].split('"')[0]
        (folder / name).write_bytes(answer.content)
    return folder / name


def take(tab: Tab, content: bytes) -> dict[str, int]:
    told = tab.client.post("/api/labels", content=content).json()
    return {name: told[name] for name in ("set", "unknown", "invalid")}


def test_labels_are_proposed_corrected_and_exported_once_checked(cleaned: Tab) -> None:
    pages, site = ids(cleaned)
    proposed = cleaned.get(f"/api/pages/{pages[0]}/label")
    notice = number_of(cleaned, pages[0], "Free delivery")
    assert notice not in proposed["content"]
    assert number_of(cleaned, pages[0], "It begins") in proposed["content"]
    mine = {"page_type": "product", "content": [notice], "comments": [1], "doubtful": [2], "note": "is it tea?"}
    cleaned.put(f"/api/pages/{pages[0]}/label", {**mine, "checked": False})
    cleaned.get("/api/labels.jsonl", 409)
    assert cleaned.workspace()["pages"][0]["checked"] is False
    cleaned.put(f"/api/pages/{pages[0]}/label", mine)
    first = cleaned.workspace()["pages"][0]
    assert (first["checked"], first["page_type"]) == (True, "product")
    cleaned.put(f"/api/pages/{pages[1]}/gold", {"text": "a text is no label"})
    keys = block_keys(segment(read_page(story(0))).texts)
    assert json.loads(cleaned.client.get("/api/labels.jsonl", params={"site": site}).content) == {
        "corpus": "labelled-tea.example",
        "page": pages[0],
        "digest": digest_of_page(story(0)),
        "page_type": "product",
        "content": [keys[notice]],
        "comments": [keys[1]],
        "doubtful": [keys[2]],
        "note": "is it tea?",
    }
    compared = cleaned.get(f"/api/pages/{pages[0]}/compare", left="method:hybrid", right="gold")
    assert compared["right"]["text"].strip() == "Free delivery on all orders over forty pounds"
    assert compared["right"]["score"]["f1"] == 1
    cleaned.delete(f"/api/pages/{pages[0]}/label")
    cleaned.get("/api/labels.jsonl", 409)


def test_labels_are_imported(cleaned: Tab, open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    pages, site = ids(cleaned)
    notice = number_of(cleaned, pages[0], "Free delivery")
    mine = {"page_type": "thread", "content": [notice], "comments": [1], "doubtful": [2], "note": "Ü?"}
    cleaned.put(f"/api/pages/{pages[0]}/label", mine)
    exported = export(cleaned, tmp_path / "saved", site).read_bytes()

    other = open_tab(tmp_path / "other")
    other.send(("renamed.html", story(0)), ("b.html", story(1)))
    fields = {"corpus": "a", "page": "b", "digest": digest_of_page(story(1)), "page_type": "article"}
    wrong = [{**fields, "page_type": "poem"}, {**fields, "content": ["0000"]}, {**fields, "content": [3]}, []]
    unknown = {**fields, "digest": "x"}
    lines = "".join(json.dumps(line) + "\n" for line in (*wrong, unknown)).encode() + b"{\n\n"
    assert take(other, exported + lines) == {"set": 1, "unknown": 1, "invalid": 5}
    first = other.workspace()["pages"][0]["id"]
    stored = other.get(f"/api/pages/{first}/label")
    assert {name: stored[name] for name in mine} == mine
    assert stored["checked"]
    assert export(other, tmp_path / "again", ids(other)[1]).read_bytes() == exported.replace(
        pages[0].encode(), first.encode()
    )
    other.delete(f"/api/pages/{first}/label")
    assert other.get(f"/api/pages/{first}/label")["stored"] is False
    for change in ({"page_type": "poem"}, {"content": [999]}, {"comments": [notice]}, {"content": "x"}, {"note": 1}):
        assert other.put(f"/api/pages/{first}/label", {**mine, **change}, 400)
    assert other.client.post("/api/labels", content=b"\xff").status_code == 400


def test_predicted_types_are_types_of_labels() -> None:
    stored = {"content": [], "comments": [], "doubtful": [], "checked": True}
    found = {name: Label.from_json({**stored, "page_type": name}).page_type for name in PAGE_TYPES}
    assert set(found.values()) <= set(LABELLED_TYPES)
    assert (found["forum"], found["empty"], found["service"]) == ("thread", "nothing", "service")


def test_labels_of_a_page_with_a_header_fit_the_table(tab: Tab, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    # Sent as text, the page has the header "charset=utf-8", and declares another charset.
    html = "<meta charset=latin-1><title>Ü</title>" + "<p>Über Tee und Käse wird hier viel gesagt.</p>" * 5
    tab.post("/api/learn", {"site": "Käse & Tee/ü", "pages": [{"html": html, "url": "https://a.example/"}]})
    (page,), site = ids(tab)
    check(tab, page, content=[1, 3])
    file = export(tab, tmp_path, site)
    (labelled,) = labelled_pages(read_labels(file), tmp_path)
    assert np.flatnonzero(labelled.content).tolist() == [1, 3]
    assert "Über Tee" in labelled.gold.gold
    assert take(tab, file.read_bytes()) == {"set": 1, "unknown": 0, "invalid": 0}


def test_the_command_line_trains_with_labels_and_pages(
    cleaned: Tab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("torch")
    from dehusk.cli import app, train_commands
    from dehusk.lab.training.network_folds import HybridSettings
    from dehusk.lab.training.network_training import TrainingSettings

    small = TrainingSettings(epochs=1, pages_an_epoch=16, pages_a_batch=8, width=16, embedding=4)
    monkeypatch.setattr(train_commands.NetworkOptions, "settings", lambda _: HybridSettings(2, small, 0))
    # Of the two sites, each is in a fold of its own.
    cleaned.send(*((f"{number}.html", story(number, "pots.example")) for number in range(6, 12)))
    for page in ids(cleaned)[0]:
        check(cleaned, page, doubtful=[2])
    labels = export(cleaned, tmp_path)
    assert labels.name == "labels.jsonl"
    model, table = tmp_path / "own.dehusk", tmp_path / "labelled.parquet"
    options = ["--gold", table, "--labels", labels, "--data", tmp_path, "-o", model, "--folds", "2"]
    done = CliRunner().invoke(app, ["train", "hybrid", *map(str, options)])
    assert done.exit_code == 0, done.output
    assert "trained on 12 pages" in done.output
    assert re.search(r"labels by the content policy\W+12 pages", model.with_suffix(".md").read_text("utf-8"))
    assert load_model(model).method == "hybrid"
