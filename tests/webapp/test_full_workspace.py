"""A workspace where there is no room, that is read-only, or whose server is killed: errors that say what to do, and
nothing that the records do not know."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_tab import Tab, story
from killed_forks import files_in, killed_at_renames
from small_disks import CRAMPED, LOCKED, cramped, locked

from dehusk.errors import OutputError
from dehusk.webapp.workspace import Workspace

ROOM = 300
"""Kilobytes: of those, an empty workspace takes a hundred."""


def large(number: int) -> tuple[str, bytes]:
    return f"{number}.html", story(number) + b"<!-- " + b"x" * 20_000 + b" -->"


def refused(answer: Any) -> Any:
    """What is said to somebody who asks for something that cannot be written."""
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert error["code"] == "refused"
    assert error["remedy"] in {"free some space and try again", "check the disk, or choose another --workdir"}
    return error


def test_without_room_everything_asked_for_is_refused_and_nothing_is_lost(
    open_tab: Callable[..., Tab], tmp_path: Path
) -> None:
    with cramped("full disk", tmp_path / "disk", ROOM) as disk:
        tab = open_tab(disk.folder / "work")
        sent = 0
        while (answer := tab.client.post("/api/pages", files=[("file", large(sent))])).status_code == 200:
            sent += 1
        refused(answer)
        (first, *_), before = tab.workspace()["pages"], tab.workspace()
        site, page = f"/api/sites/{first['site']}", f"/api/pages/{first['id']}"
        for _ in range(20):  # some are so small that they find room yet
            texts = {"text": "kept " * 4_000}
            if tab.client.put(f"{page}/gold", json=texts).status_code == 422:
                break
        fill(disk.folder)
        asked = [
            ("PUT", f"{page}/gold", texts),
            ("PUT", f"{site}/settings", {"method": "style-tree"}),
            ("POST", f"{site}/corrections", {"page": first["id"], "block": 1, "keep": True}),
            ("DELETE", page, None),
            ("DELETE", site, None),
        ]
        for verb, path, body in asked:
            refused(tab.client.request(verb, path, json=body))
        job = tab.eliminate()
        assert job["state"] == "failed"
        assert "free some space" in job["error"]
        assert len(tab.workspace()["pages"]) == sent == len(before["pages"])
        (disk.folder / "filler").unlink()
        disk.make_room()
        assert tab.eliminate()["state"] == "done"
        for verb, path, body in asked[:4]:
            assert tab.client.request(verb, path, json=body).status_code == 200
        tab.state.close()
        again = open_tab(disk.folder / "work")
        stored = {path.name for path in (disk.folder / "work" / "pages").iterdir()}
        assert stored == {one["id"] for one in again.workspace()["pages"]}
        assert len(stored) == sent - 1
        again.state.close()


def fill(folder: Path) -> None:
    """Take the room that is left."""
    try:
        with open(folder / "filler", "wb") as filler:
            while True:
                filler.write(bytes(1_000))
                filler.flush()
    except OSError:
        return


@pytest.mark.parametrize("kind", CRAMPED)
def test_a_workspace_that_has_no_room_to_begin(kind: str, tmp_path: Path) -> None:
    with cramped(kind, tmp_path / "disk", 40) as disk:
        with pytest.raises(OutputError, match=r"free some space and try again|check the disk, or choose another"):
            Workspace(disk.folder / "work")
        disk.make_room()
        Workspace(disk.folder / "work").close()


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_workspace_that_cannot_be_written_to(kind: str, is_begun: bool, tmp_path: Path) -> None:
    def begin(folder: Path) -> None:
        if is_begun:
            Workspace(folder / "work").close()
            if kind == "no permission":
                for path in (folder / "work", *(folder / "work").iterdir()):
                    path.chmod(0o500)

    with (
        locked(kind, tmp_path / "disk", begin) as folder,
        pytest.raises(OutputError, match="make it writable, or choose another --workdir"),
    ):
        Workspace(folder / "work")


def test_no_room_for_what_is_sent(tab: Tab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large files are copied to temporary ones before they are read."""
    with cramped("largest file", tmp_path / "disk"):
        answer = tab.client.post("/api/pages", files=[("file", ("a.zip", b"x" * 3_000_000))])
    assert answer.status_code == 422
    assert answer.json()["error"]["remedy"].startswith("allow larger files")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks")
def test_killed_at_any_rename_the_records_know_all_files(tmp_path: Path) -> None:
    places = killed_at_renames("change_workspace", tmp_path)
    assert len(places) > 8
    whole = {name: data for name, data in files_in(places["never"]).items() if "sqlite" not in name}
    for moment, place in places.items():
        found = {name: data for name, data in files_in(place).items() if "sqlite" not in name}
        assert found == whole, moment
        workspace = Workspace(place / "work")
        pages = list(workspace.state.pages.values())
        assert len(pages) == 3
        assert [workspace.raw(page).body for page in pages]
        assert workspace.gold(pages[0]) == "what is to be kept"
        workspace.close()
