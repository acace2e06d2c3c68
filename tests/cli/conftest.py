"""Shared by the tests of commands."""

from __future__ import annotations

import pytest
from reading_here import batch_here


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """`dehusk batch` does its work in this process, for tests that are not about processes."""
    batch_here(monkeypatch)
