"""Shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).parent.parent

# Several processes test at once: threads of one would only stand in the way of the others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Machines are noisy: no deadline per example. Derandomised, so that a red run is red for everybody.
settings.register_profile("dehusk", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dehusk")


@pytest.fixture
def sample_site() -> Path:
    """The bundled sample site."""
    return REPOSITORY / "src" / "dehusk" / "sample_site"


@pytest.fixture
def data_folder() -> Path:
    """The labelled pages beside the project; tests that need them are skipped where there are none."""
    folder = Path(os.environ.get("DEHUSK_DATA", REPOSITORY.parent / "shared"))
    if not (folder / "gold").is_dir():
        pytest.skip("no labelled pages: set DEHUSK_DATA")
    return folder
