"""Fixtures: workspaces of the web app, each with a tab."""

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
    """Open a workspace; tabs of the same state are tabs of one browser."""
    states: list[AppState] = []

    def opening(folder: Path = tmp_path / "work", bounds: Bounds = DEFAULT_BOUNDS, **options: Any) -> Tab:
        states.append(AppState(Workspace(folder, bounds), bounds, **options))
        return Tab(states[-1])

    yield opening
    for state in states:
        state.close()


@pytest.fixture
def tab(open_tab: Callable[..., Tab]) -> Tab:
    """An empty workspace."""
    return open_tab()


@pytest.fixture(scope="session")
def cleaned_sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """The sample site, cleaned. For read-only tests."""
    state = AppState(Workspace(tmp_path_factory.mktemp("work")))
    tab = Tab(state)
    tab.post("/api/pages/sample")
    assert tab.eliminate()["state"] == "done"
    yield tab
    state.close()
