"""Processor time from the start of a process to the first cleaned page, beside that of importing numpy alone.

    python benchmarks/import_time.py

Every measurement is a fresh process, the start of Python included; the lines take turns, and the median of them counts.
All import compiled byte code, as from an installed package. Exit code 1 if cleaning one page, or `dehusk --help`,
imports numpy.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from labelled_pages import run

import dehusk

ROUNDS = 7
PAGE = Path(dehusk.__file__).parent / "sample_site" / "magazine" / "hard-water-soft-tea.html"
CLEAN_ONE = f"import dehusk; dehusk.clean(open({str(PAGE)!r}, 'rb').read()).text"
LINES = {
    "python, nothing imported": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import dehusk; clean(page).text": ["-c", CLEAN_ONE],
    "dehusk clean page.html": ["-m", "dehusk", "clean", str(PAGE)],
    "dehusk --help": ["-m", "dehusk", "--help"],
}
TARGETS = {"import dehusk; clean(page).text": 150, "dehusk clean page.html": 250}
"""Milliseconds."""
_HELP = """
import contextlib, io, sys
from dehusk.cli import main
sys.argv = ["dehusk", "--help"]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
"""
_LOADED = "\nimport sys; print('numpy' in sys.modules)"


def main() -> int:
    with TemporaryDirectory() as byte_code:
        rounds = [
            {name: seconds_of(arguments, byte_code) for name, arguments in LINES.items()} for _ in range(ROUNDS + 1)
        ]
        heavy = [
            name
            for name, program in (("cleaning a page", CLEAN_ONE), ("dehusk --help", _HELP))
            if _output_of(["-c", program + _LOADED], byte_code).strip() == "True"
        ]
    for name in LINES:
        spent = 1000 * median(one[name] for one in rounds[1:])  # the first round compiles
        target = TARGETS.get(name)
        verdict = f"(target <= {target}) {'met' if spent <= target else 'MISSED'}" if target else ""
        print(f"{name:<34} {spent:6.0f} ms {verdict}".rstrip())
    print(f"numpy is imported by {' and '.join(heavy) if heavy else 'neither cleaning a page nor dehusk --help'}")
    return int(bool(heavy))


def seconds_of(arguments: list[str], byte_code: str) -> float:
    """Processor time of a process of its own."""
    before = getrusage(RUSAGE_CHILDREN)
    _output_of(arguments, byte_code)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _output_of(arguments: list[str], byte_code: str) -> str:
    """What a process prints; its byte code is kept in a folder of our own, so that only the first round compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = byte_code
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


if __name__ == "__main__":
    run(main)
