"""The workspace survives restarts, concurrent tabs and failures."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from app_tab import Tab, story

from dehusk.errors import OutputError, SourceUnreadable
from dehusk.page.page_columns import Page
from dehusk.sources.raw_page import RawPage
from dehusk.webapp import judged_pages
from dehusk.webapp.workspace import Workspace


def test_a_restart_keeps_everything(open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    tab = open_tab()
    pages = tab.send(*((f"{number}.html", story(number)) for number in range(6)))["added"]
    site = pages[0]["site"]
    tab.put(f"/api/sites/{site}/settings", {"method": "style-tree", "threshold": 0.2})
    tab.put(f"/api/pages/{pages[0]['id']}/gold", {"text": "Gold of it"})
    tab.post(f"/api/sites/{site}/corrections", {"page": pages[1]["id"], "block": 1, "keep": True})
    tab.eliminate()
    before = tab.workspace()
    content = tab.get(f"/api/pages/{pages[2]['id']}/result")["content"]
    tab.state.close()

    again = open_tab()
    assert again.workspace() == before
    assert before["sites"][0]["learnt"]["current"]
    assert before["pages"][0]["result"]["stale"] is False
    assert again.get(f"/api/pages/{pages[2]['id']}/result")["content"] == content
    assert again.get(f"/api/pages/{pages[0]['id']}/gold") == {"text": "Gold of it"}
    assert len(again.get(f"/api/sites/{site}/corrections")["corrections"]) == 1
    assert again.get(f"/api/pages/{pages[1]['id']}/blocks")["blocks"][1]["taught"] == "keep"


def test_files_are_private_names_and_the_database_has_the_others(tab: Tab, tmp_path: Path) -> None:
    tab.send(("my secret name.html", story(1)))
    assert all("secret" not in path.name for path in (tmp_path / "work").rglob("*"))
    with closing(sqlite3.connect(tmp_path / "work" / "workspace.sqlite")) as stored:
        assert "my secret name.html" in stored.execute("SELECT record FROM pages").fetchone()[0]


def test_removing_removes_the_files(tab: Tab, tmp_path: Path) -> None:
    pages = tab.send(*((f"{number}.html", story(number)) for number in range(4)))["added"]
    tab.put(f"/api/pages/{pages[0]['id']}/gold", {"text": "x"})
    tab.eliminate()
    assert tab.delete(f"/api/pages/{pages[0]['id']}")["removed"] == 1
    assert tab.delete(f"/api/pages/{pages[0]['id']}", 404)["error"]["code"] == "not-found"
    assert tab.post("/api/pages/remove", {"pages": [pages[1]["id"], pages[0]["id"], "x"]})["removed"] == 1
    work = tmp_path / "work"
    assert sorted(path.name for path in (work / "pages").iterdir()) == sorted(page["id"] for page in pages[2:])
    assert list((work / "gold").iterdir()) == []
    assert len(list((work / "models").iterdir())) == 2  # of its method, and the tree
    assert tab.delete(f"/api/sites/{pages[0]['site']}")["removed"] == 2
    assert list((work / "pages").iterdir()) == list((work / "models").iterdir()) == []
    assert tab.workspace()["sites"] == []


def test_a_broken_workspace_says_so(tmp_path: Path) -> None:
    for stored in ("", "{}", "[]", "null", json.dumps({"format": "other"}), '{"format": "dehusk-workspace"'):
        folder = tmp_path / str(len(stored))
        folder.mkdir(exist_ok=True)
        (folder / "workspace.json").write_text(stored)
        with pytest.raises(SourceUnreadable, match="not a valid workspace"):
            Workspace(folder)


DAMAGE = [
    "UPDATE facts SET value = 99 WHERE name = 'format'",
    "UPDATE pages SET record = '{'",
    "UPDATE pages SET record = '[]'",
    "UPDATE sites SET record = '{}'",
    "DELETE FROM facts WHERE name = 'version'",
    "DROP TABLE pages; CREATE TABLE pages (other)",
]


@pytest.mark.parametrize("damage", [*DAMAGE, b"", b"x" * 5000])
def test_a_damaged_database_says_so(open_tab: Callable[..., Tab], tmp_path: Path, damage: str | bytes) -> None:
    tab = open_tab()
    tab.send(("a.html", story(1)))
    tab.state.close()
    path = tmp_path / "work" / "workspace.sqlite"
    if isinstance(damage, bytes):
        path.write_bytes(damage + path.read_bytes()[len(damage) :])
    else:
        with closing(sqlite3.connect(path)) as stored:
            stored.executescript(damage)
    if damage == b"":
        assert len(open_tab().workspace()["pages"]) == 1
    else:
        with pytest.raises(SourceUnreadable, match="not a valid workspace"):
            Workspace(tmp_path / "work")


def test_a_workspace_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    page = {"id": "ab" * 10, "name": "a.html", "url": "", "site": "cd" * 6, "size": 9, "gold": False}
    correction = {"id": 1, "keep": True, "scope": "place", "key": "1f", "text": "t", "path": "p", "page": page["id"]}
    site = {"id": "cd" * 6, "name": "tea", "settings": {}, "corrections": [correction], "next_correction": 2}
    site["learnt"] = []
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / str(page["id"])).write_bytes(b"<p>Tea</p>")
    stored = {"format": "dehusk-workspace", "format_version": 1, "version": 7, "sites": [site]}
    (tmp_path / "workspace.json").write_text(json.dumps({**stored, "pages": [{**page, "result": None}]}))
    for _ in range(2):
        workspace = Workspace(tmp_path)
        assert workspace.state.version == 7
        assert workspace.raw(workspace.page("ab" * 10)).body == b"<p>Tea</p>"
        assert len(workspace.site("cd" * 6).taught) == 1
        workspace.close()
    assert not (tmp_path / "workspace.json").exists()


def test_what_was_removed_comes_back(tab: Tab, tmp_path: Path) -> None:
    pages = tab.send(*((f"{number}.html", story(number)) for number in range(4)))["added"]
    site = pages[0]["site"]
    tab.put(f"/api/pages/{pages[0]['id']}/gold", {"text": "Gold of it"})
    tab.eliminate()
    before = tab.workspace()
    some = tab.post("/api/pages/remove", {"pages": [page["id"] for page in pages[:2]]})
    assert len(tab.workspace()["pages"]) == 2
    assert tab.get("/api/history")["history"][0] | {"text": ""} == {
        "action": some["action"],
        "kind": "remove",
        "text": "",
        "count": 2,
        "site": None,
    }
    assert tab.post("/api/history/undo", {})["undone"]["count"] == 2
    assert tab.get(f"/api/pages/{pages[0]['id']}/gold") == {"text": "Gold of it"}
    whole = tab.delete(f"/api/sites/{site}")
    assert tab.workspace()["sites"] == []
    tab.send(("2.html", story(2)))  # added again meanwhile: it stays
    assert tab.post("/api/history/undo", {"action": whole["action"]})["undone"]["kind"] == "remove-site"
    now = tab.workspace()
    assert sorted(page["id"] for page in now["pages"]) == sorted(page["id"] for page in before["pages"])
    assert now["sites"][0]["learnt"]
    assert "Story number 0" in tab.get(f"/api/pages/{pages[0]['id']}/result")["content"]
    assert tab.post("/api/history/undo", {"action": whole["action"]}, 409)["error"]["code"] == "conflict"
    assert tab.post("/api/history/undo", {}, 409)["error"]["message"] == "nothing to undo"
    tab.delete(f"/api/pages/{pages[3]['id']}")
    assert list((tmp_path / "work" / "removed").rglob(pages[3]["id"]))
    tab.state.close()
    assert not (tmp_path / "work" / "removed").exists()


def test_a_folder_that_cannot_be_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="--workdir"):
        Workspace(tmp_path / "file" / "work")


def test_two_servers_do_not_share_a_folder(tab: Tab, tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="another `dehusk serve`"):
        Workspace(tmp_path / "work")


def test_files_of_a_server_that_died_are_deleted(open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    tab = open_tab()
    tab.send(("a.html", story(1)))
    tab.state.close()
    stray = tmp_path / "work" / "pages" / ("ab" * 10)
    mine = tmp_path / "work" / "pages" / "notes of mine.txt"
    stray.write_bytes(b"x")
    mine.write_bytes(b"x")
    assert len(open_tab().workspace()["pages"]) == 1
    assert not stray.exists()
    assert mine.exists()


def test_a_model_that_is_damaged_is_learnt_again(open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    tab = open_tab()
    page = tab.send(*((f"{number}.html", story(number)) for number in range(4)))["added"][0]["id"]
    tab.eliminate()
    tab.state.close()
    model = next((tmp_path / "work" / "models").glob("*-hybrid.dehusk"))
    model.write_bytes(b"damaged")
    again = open_tab()
    assert "Story number 0" in again.get(f"/api/pages/{page}/result")["content"]
    again.eliminate(learn_again=True)
    assert model.read_bytes() != b"damaged"


def test_a_tab_sees_that_another_changed_something(tab: Tab) -> None:
    other = Tab(tab.state)
    version = tab.send(("a.html", story(1)))["version"]
    assert other.get("/api/workspace", since=version) == {"version": version, "changed": False, "job": None}
    tab.send(("b.html", story(2)))
    assert len(other.get("/api/workspace", since=version)["pages"]) == 2
    assert other.client.get("/api/jobs").headers["x-dehusk-version"] == str(version + 1)


def test_two_tabs_racing_lose_nothing(tab: Tab) -> None:
    """Pages, corrections and settings change at once: every change counts, and none undoes another."""
    first = tab.send(("0.html", story(0)), ("1.html", story(1)))["added"]
    site = first[0]["site"]
    tabs = [Tab(tab.state) for _ in range(4)]
    begin = threading.Barrier(len(tabs))

    def work(number: int) -> None:
        mine = tabs[number]
        begin.wait()
        for turn in range(8):
            name = f"{number}-{turn}.html"
            page = mine.send((name, story(100 * number + turn)))["added"][0]["id"]
            mine.put(f"/api/sites/{site}/settings", {"threshold": number / 10})
            body = {"page": first[0]["id"], "block": number, "keep": True}
            mine.post(f"/api/sites/{site}/corrections", body)
            if turn % 2:
                mine.delete(f"/api/pages/{page}")

    with ThreadPoolExecutor(len(tabs)) as pool:
        for done in [pool.submit(work, number) for number in range(len(tabs))]:
            done.result()
    workspace = tab.workspace()
    assert len(workspace["pages"]) == 2 + 4 * 4
    corrections = tab.get(f"/api/sites/{site}/corrections")["corrections"]
    assert len(corrections) == 4  # a second correction of a block replaces the first
    assert len({correction["id"] for correction in corrections}) == 4
    assert workspace["version"] == 1 + 4 * (8 * 3 + 4)


def test_pages_removed_while_they_are_cleaned_do_no_harm(tab: Tab) -> None:
    pages = tab.send(*((f"{number}.html", story(number)) for number in range(40)))["added"]
    job = tab.post("/api/eliminate", {}, 202)["job"]
    for page in pages[::2]:
        tab.delete(f"/api/pages/{page['id']}")
    told = tab.finish(job)
    assert told["state"] == "done", told["error"]
    assert len(tab.workspace()["pages"]) == 20
    assert all(page["result"] is None or page["result"]["error"] is None for page in tab.workspace()["pages"])


def test_a_page_is_shown_before_the_others_are_read(
    open_tab: Callable[..., Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart, and before anything was cleaned: a result reads one page, whatever the site has."""
    read: list[str] = []
    real = judged_pages.read_page

    def noting(raw: RawPage) -> Page:
        read.append(raw.name)
        return real(raw)

    monkeypatch.setattr(judged_pages, "read_page", noting)
    tab = open_tab()
    pages = tab.send(*((f"{number}.html", story(number)) for number in range(6)))["added"]
    first = tab.get(f"/api/pages/{pages[0]['id']}/blocks")["blocks"][3]
    assert read == ["0.html"]
    assert (first["repeats"], first["text_pages"]) == (None, None)
    assert tab.get(f"/api/pages/{pages[0]['id']}/blocks/1")["repeats"] == 5
    assert len(read) == 6
    tab.eliminate()
    tab.state.close()
    read.clear()
    again = open_tab()
    blocks = again.get(f"/api/pages/{pages[0]['id']}/blocks")["blocks"]
    assert read == ["0.html"]
    assert blocks[1]["repeats"] == 5, "the keys of all blocks are stored"
    assert again.get(f"/api/pages/{pages[0]['id']}/blocks/1")["where"]
    assert read == ["0.html"]


def test_the_same_job_is_not_started_twice(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(40)))
    first = tab.post("/api/eliminate", {}, 202)["job"]["id"]
    second = tab.post("/api/eliminate", {}, 202)["job"]["id"]
    assert tab.workspace()["job"] in {first, None}
    assert tab.get("/api/workspace", since=0)["job"] in {first, None}
    tab.finish({"id": first})
    tab.finish({"id": second})
    assert len({first, second}) == len(tab.get("/api/jobs")["jobs"])
    assert tab.workspace()["job"] is None
