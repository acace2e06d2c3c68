"""Workspaces of the web app, each with a tab that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_tab import Tab

from dehusk.webapp.app_state import Desk
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds
from dehusk.webapp.workspace import Workspace


@pytest.fixture
def open_tab(tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """Opens a workspace; several tabs of the same desk are two tabs of one browser."""
    desks: list[Desk] = []

    def opening(folder: Path = tmp_path / "work", bounds: Bounds = DEFAULT_BOUNDS, **options: Any) -> Tab:
        desks.append(Desk(Workspace(folder, bounds), bounds, **options))
        return Tab(desks[-1])

    yield opening
    for desk in desks:
        desk.close()


@pytest.fixture
def tab(open_tab: Callable[..., Tab]) -> Tab:
    """An empty workspace."""
    return open_tab()


@pytest.fixture(scope="session")
def cleaned_sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """The sample site, cleaned. For tests that change nothing."""
    desk = Desk(Workspace(tmp_path_factory.mktemp("work")))
    tab = Tab(desk)
    tab.post("/api/pages/sample")
    assert tab.eliminate()["state"] == "done"
    yield tab
    desk.close()
