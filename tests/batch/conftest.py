"""Engines for the tests of batches."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hostile_pages import EngineOf

from dehusk.batch.engines import Engine, LocalEngine, open_engine
from dehusk.batch.ray_engine import RayEngine


@pytest.fixture(scope="module")
def modules_for_all() -> Iterator[None]:
    """Steps of tests are functions of modules, which processes that are started by others must find, too."""
    with pytest.MonkeyPatch.context() as patched:
        here = str(Path(__file__).parent.parent / "support")
        patched.setenv("PYTHONPATH", os.pathsep.join([here, *filter(None, sys.path)]))
        yield


@pytest.fixture(scope="module")
def private_ray(modules_for_all: None) -> Iterator[Engine]:
    """A Ray of two jobs, which takes some seconds to start."""
    if find_spec("ray") is None:  # not imported here, as it then has chosen how private it is
        pytest.skip("no ray")
    with open_engine("ray", 2) as engine:
        yield engine


@pytest.fixture(scope="module", params=["local", "ray"])
def engine_of(request: pytest.FixtureRequest) -> EngineOf:
    """Each engine in turn."""
    if request.param == "local":
        return LocalEngine
    request.getfixturevalue("private_ray")
    return RayEngine
