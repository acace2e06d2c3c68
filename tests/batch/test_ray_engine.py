"""Batches on a real Ray: a cluster of two nodes that runs already. `test_engines` has those on a Ray of our own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from hostile_pages import write_pages
from small_steps import double
from test_batches import results, run_here
from test_killed_batches import MOMENTS, is_gone, start, wait_for

from dehusk.batch.engines import open_engine
from dehusk.batch.ray_engine import _run_step, _try_connecting
from dehusk.errors import EngineError, InvalidSetting, MissingExtra
from dehusk.version import __version__

pytestmark = pytest.mark.skipif(find_spec("ray") is None or sys.platform == "win32", reason="needs ray, and signals")

HERE = Path(__file__).parent.parent / "support"


@dataclass(frozen=True)
class Cluster:
    """Where it is, and what processes that connect to it need in their environment."""

    address: str
    environment: dict[str, str]

    def python(self, *arguments: str, folder: Path = HERE) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=folder, env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )


@pytest.fixture(scope="module")
def cluster(modules_for_all: None) -> Iterator[Cluster]:
    """Loopback alone, no token: it must not matter what is in anybody's home folder."""
    chosen = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    # The path of a socket must be short, and pytest's folders are long.
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")} | chosen
    started = subprocess.Popen(
        [sys.executable, str(HERE / "two_ray_nodes.py")],
        env=environment | {"RAY_TMPDIR": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
    )
    assert started.stdin is not None
    assert started.stdout is not None
    try:
        yield Cluster(started.stdout.readline().strip(), environment)
    finally:
        started.stdin.close()
        started.wait(60)
        started.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def test_a_cluster_gives_the_same_bytes_from_names_relative_to_here(cluster: Cluster, tmp_path: Path) -> None:
    """Its nodes were started in another folder."""
    write_pages(tmp_path / "source", 3, 24, {5: "DIE"})
    for name, engine in (("local", ["local"]), ("ray", ["ray", cluster.address])):
        done = cluster.python(str(HERE / "hostile_pages.py"), "source", name, *engine, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    assert results(tmp_path / "ray") == results(tmp_path / "local")


def test_all_processors_of_a_cluster_are_used(cluster: Cluster) -> None:
    code = (
        "import sys; from dehusk.batch.engines import open_engine; from small_steps import node_of\n"
        "with open_engine('ray', None, sys.argv[1]) as engine:\n"
        "    print(engine.jobs, len(set(engine.run(node_of, range(8), int))))"
    )
    done = cluster.python("-c", code, cluster.address)
    assert done.stdout.split() == ["2", "2"], done.stderr


def test_a_job_that_is_killed_leaves_the_cluster_as_it_was(cluster: Cluster, tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "killed"
    write_pages(source, 6, 60, {31: "DIE"})
    run_here(source, tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patched:
        for name, value in cluster.environment.items():
            patched.setenv(name, value)
        patched.delenv("RAY_AUTH_TOKEN", raising=False)
        running = start(source, out, "ray", cluster.address)
        assert wait_for(lambda: MOMENTS["while pages are cleaned"](out), 300)
        running.kill()
        assert running.wait() < 0
        assert start(source, out, "ray", cluster.address).wait(300) == 0
    assert is_gone(running.pid)
    assert results(out) == results(tmp_path / "whole")


def test_an_address_where_there_is_no_ray_is_said_in_time(cluster: Cluster, tmp_path: Path) -> None:
    code = (
        "import sys; from dehusk.batch import ray_engine; ray_engine._CONNECT_SECONDS = 2.0\n"
        f"sys.argv = ['dehusk', 'batch', {str(HERE)!r}, '-o', {str(tmp_path / 'out')!r}, '--engine', 'ray',"
        " '--ray-address', sys.argv[1]]; from dehusk.cli import main; main()"
    )
    unused = cluster.python("-c", code, "127.0.0.1:9")
    assert unused.returncode == 2
    assert "ray at 127.0.0.1:9: no answer within 2 seconds; give --ray-address" in " ".join(unused.stderr.split())
    assert "Traceback" not in unused.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["nonsense", "\0"])
def test_what_is_no_address_is_said(address: str) -> None:
    with pytest.raises(EngineError, match=r"ray at .*give --ray-address"):
        _try_connecting(address)


def test_nodes_must_be_like_this_one(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"has dehusk .*, not 0\.0\.0-other; install the same on all nodes"):
        _run_step(double, 1, str(tmp_path), "0.0.0-other")
    with pytest.raises(EngineError, match=r"has no folder .*absent; start the batch in one that all nodes share"):
        _run_step(double, 1, str(tmp_path / "absent"), __version__)


def test_jobs_are_checked_before_ray_starts() -> None:
    with pytest.raises(InvalidSetting, match="jobs"), open_engine("ray", 0):
        pass


def test_without_ray_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for address in ("", "auto"):
        with pytest.raises(MissingExtra, match=r"pip install 'dehusk\[ray\]'"), open_engine("ray", 1, address):
            pass
