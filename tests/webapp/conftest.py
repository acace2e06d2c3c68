"""Workspaces of the web app, each with a tab that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_tab import Tab

from dehusk.webapp.app_state import AppState
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds
from dehusk.webapp.workspace import Workspace


@pytest.fixture
def open_tab(tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """Opens a workspace; several tabs of the same app are two tabs of one browser."""
    apps: list[AppState] = []

    def opening(folder: Path = tmp_path / "work", bounds: Bounds = DEFAULT_BOUNDS, **options: Any) -> Tab:
        apps.append(AppState(Workspace(folder, bounds), bounds, **options))
        return Tab(apps[-1])

    yield opening
    for app in apps:
        app.close()


@pytest.fixture
def tab(open_tab: Callable[..., Tab]) -> Tab:
    """An empty workspace."""
    return open_tab()


@pytest.fixture(scope="session")
def cleaned_sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """The sample site, cleaned. For tests that change nothing."""
    app = AppState(Workspace(tmp_path_factory.mktemp("work")))
    tab = Tab(app)
    tab.post("/api/pages/sample")
    assert tab.eliminate()["state"] == "done"
    yield tab
    app.close()
