"""Run steps that publish files in forks of a process that are killed while they do, one rename later each time.

Run as a program, of one thread, that has imported everything: a fork of a process of pytest might stop at a lock that
another thread held, and each new process would import for a second.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
_KILLED_AT: Final = "killed-at"
"""The file beside a folder that has the moment."""


def killed_at_renames(step: str, folder: Path, *arguments: str, every: int = 1) -> dict[str, Path]:
    """Run a step of `publishing_steps` in a folder, killed before or after a rename, and there again, undisturbed.

    Returns the folders by the moments; by "never" the one where it was not killed. `every` leaves out moments.
    """
    command = [sys.executable, str(HERE / "killed_forks.py"), str(every), str(folder), step, *arguments]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return {moment: Path(place) for moment, place in json.loads(done.stdout).items()}


def files_in(folder: Path) -> dict[str, bytes]:
    """The content of all files, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _try_all(step: Callable[..., object], folder: Path, arguments: list[str], every: int) -> dict[str, str]:
    places: dict[str, str] = {}
    for number in count(0, every):
        place = folder / str(number)
        place.mkdir(parents=True)
        status = _forked(lambda place=place, number=number: (_arm(number, place), step(place, *arguments)))
        if status not in {0, -signal.SIGKILL}:
            sys.exit(f"{step.__name__} ended with {status} before it could be killed")
        if _forked(lambda place=place: step(place, *arguments)):
            sys.exit(f"{step.__name__} did not go on in {place}")
        moment = place.with_name(f"{_KILLED_AT}-{number}").read_text() if status else "never"
        places[f"{number}: {moment}" if status else moment] = str(place)
        if not status:
            break
    return places


def _forked(work: Callable[[], object]) -> int:
    """Do this in another process: its exit status, negative for a signal."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    with suppress(SystemExit):
        try:
            work()
            status = 0
        finally:
            if status:
                sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
            os._exit(status)
    raise AssertionError


def _arm(moment: int, place: Path) -> None:
    """Make this process kill itself at a moment: before rename 0, after it, before rename 1, ..."""
    rename, moments = os.replace, count()

    def come(when: str, target: Any) -> None:
        if next(moments) == moment:
            name = os.path.relpath(target, place)
            place.with_name(f"{_KILLED_AT}-{moment}").write_text(f"{when} {name}")
            os.kill(os.getpid(), signal.SIGKILL)

    def replace(source: Any, target: Any, **options: Any) -> None:
        come("before", target)
        rename(source, target, **options)
        come("after", target)

    os.replace = replace


if __name__ == "__main__":
    import publishing_steps

    every, folder, step, *arguments = sys.argv[1:]
    print(json.dumps(_try_all(getattr(publishing_steps, step), Path(folder), arguments, int(every))))
