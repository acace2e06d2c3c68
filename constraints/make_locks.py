"""Lock the tools of a release: write `build.txt` and `audit.txt`, with the hashes of all files of each version.

Run it before a release, and after a change to a `.in` file; `tests/test_release.py` notices when a lock does not fit.
The locks hold for every system, and for Python 3.11 and later: pip installs nothing else with `--require-hashes`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
LOCKED: Final = ("build", "audit")
HEADER: Final = "# {name}.in, locked by make_locks.py. Install it with pip's --require-hashes.\n"
_FIRST_PYTHON: Final = "3.11"


def lock(uv: str, name: str) -> None:
    """Write the newest versions that a `.in` file allows."""
    options = ["--universal", "--python-version", _FIRST_PYTHON, "--generate-hashes", "--no-header"]
    command = [uv, "pip", "compile", *options, f"{name}.in"]
    found = subprocess.run(command, cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True)
    (FOLDER / f"{name}.txt").write_text(HEADER.format(name=name) + found.stdout, "utf-8")


def main() -> None:
    """Install uv for the time being, and lock."""
    with tempfile.TemporaryDirectory(prefix="dehusk-locks-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        programs = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
        for name in LOCKED:
            lock(str(programs / "uv"), name)


if __name__ == "__main__":
    main()
