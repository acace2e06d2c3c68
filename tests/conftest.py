"""Shared by all tests."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from slow_files import group_of, place_of
from thoroughness import examples

TESTS = Path(__file__).parent
REPOSITORY = TESTS.parent

# Several processes test at once: threads of one would only stand in the way of the others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Machines are noisy: no deadline per example. Derandomised, so that a red run is red for everybody.
settings.register_profile(
    "dehusk",
    deadline=None,
    derandomize=True,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dehusk")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files start first: no worker is left with one of them at the end."""
    files = {path: Path(os.path.relpath(path, TESTS)).as_posix() for path in {item.path for item in items}}
    items.sort(key=lambda item: place_of(files[item.path]))


@pytest.hookimpl(optionalhook=True)  # of xdist, which need not be there
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadfile`, files of a group go to one worker. (Marks and `loadgroup` do nothing with pytest 9.2.)"""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Grouped(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return group_of(super()._split_scope(nodeid).removeprefix("tests/"))

    return Grouped(config, log)


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test asks for a name or connects to anything but this machine; one that tries fails, and nothing is sent."""
    tried: list[str] = []

    def guarded(function: Callable[..., Any], host_of: Callable[[Any], str]) -> Callable[..., Any]:
        def call(target: Any, *arguments: Any, **options: Any) -> Any:
            if host_of(target) not in {"127.0.0.1", "localhost", "::1"}:
                tried.append(host_of(target))
                raise OSError("tests connect to nothing but loopback")
            return function(target, *arguments, **options)

        return call

    monkeypatch.setattr(socket, "getaddrinfo", guarded(socket.getaddrinfo, str))
    monkeypatch.setattr(socket, "create_connection", guarded(socket.create_connection, lambda address: str(address[0])))
    yield
    assert tried == []


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
