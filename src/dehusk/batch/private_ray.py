"""A Ray for one job, on this machine alone, which ends when the job does, however that ends.

When the process that started a Ray is killed, most of Ray's processes end within seconds, but two agents (90 MB each)
stay for about a minute, and its files for ever (seen with Ray 2.60). So a keeper is put in between: it
starts Ray, waits until the pipe from the job closes, which a killed job cannot prevent, and shuts Ray down in order.
It is in a process group of its own, so that it outlives a job whose whole group is killed.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import secrets
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from dehusk.errors import EngineError, MissingExtra
from dehusk.workers.temporary_folders import remove_leftovers, temporary_folder

_START_SECONDS: Final = 300.0
"""Patience for a Ray that starts: some seconds, on a machine under load many."""
_END_SECONDS: Final = 30.0
"""Likewise when it ends, usually within two; if it takes longer, nobody waits for it."""
_STORE_BYTES: Final = 80 * 2**20
"""Memory for shared objects. Tasks and results are small and need none of it; Ray accepts no less than 75 MiB."""
_LONGEST_FOLDER: Final = 30
"""Characters. Ray puts sockets some 65 below it, and the path of a socket has at most 103 (macOS) or 107 (Linux)."""


def need_ray() -> Any:
    """The package; Any because its types are not looked at. Nothing is reported to its makers."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise MissingExtra("ray", "needed for --engine ray", "pip install 'dehusk[ray]'") from error
    return ray


@contextmanager
def private_ray(jobs: int) -> Iterator[str]:
    """The address of a Ray that runs so many tasks at a time."""
    _be_private()
    need_ray()
    remove_leftovers(_short_folder())
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    keeper = context.Process(target=_keep, args=(theirs, jobs))
    keeper.start()
    theirs.close()  # so that its end is the end of the pipe
    try:
        yield _address(pipe)
    finally:
        pipe.close()
        keeper.join(_END_SECONDS)
        remove_leftovers()  # of tasks that were stopped


def _be_private() -> None:
    """Settings that Ray takes from the environment: of this process, the keeper, and all that this starts.

    Ray listens on all addresses of a machine, unless it takes its system for one that has no clusters. Others on
    this machine do not know the token; without one, Ray would put one of its own into the home folder. A program that
    has imported Ray before us has chosen for itself: Ray looks at the environment when it is imported.
    """
    if "ray" in sys.modules:
        return
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _address(pipe: Connection) -> str:
    with suppress(EOFError, OSError):
        if pipe.poll(_START_SECONDS):
            return str(pipe.recv())
    raise EngineError("ray", "does not start on this machine", "use --engine local, or --ray-address of a running one")


def _keep(pipe: Connection, jobs: int) -> None:
    """Runs in the keeper. Signals to the job, or to its whole process group, must not end it before Ray."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    _ignore_signals()
    ray = need_ray()
    with temporary_folder(_short_folder()) as folder:
        try:
            started = ray.init(
                "local",  # even where the environment names a cluster
                num_cpus=jobs,
                num_gpus=0,
                object_store_memory=_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=str(folder),
            )
            _ignore_signals()  # Ray has set its own handlers
            with suppress(EOFError, OSError):  # the end of the job
                pipe.send(started.address_info["gcs_address"])
                pipe.recv()
        finally:
            ray.shutdown()


def _ignore_signals() -> None:
    """The job decides what they mean; its end is the end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Not SIG_IGN, which Ray's processes would inherit: that is how they are told to end.
    signal.signal(signal.SIGTERM, lambda number, frame: None)


def _short_folder() -> Path | None:
    """Where temporary files go, or None for the usual place."""
    return Path("/tmp") if len(tempfile.gettempdir()) > _LONGEST_FOLDER and os.path.isdir("/tmp") else None
