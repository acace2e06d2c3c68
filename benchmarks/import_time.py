"""The time of `import dehusk`, relative to its unavoidable imports.

    python benchmarks/import_time.py

Every measurement is a fresh process; the two sides take turns. Both import compiled byte code, as from an installed
package. Exit code 1 if `dehusk --help` imports numpy or turbohtml.
"""

from __future__ import annotations

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from labelled_pages import run

ROUNDS = 15
TARGET = 1.2

OURS = "import dehusk; dehusk.clean"
BARE = "import numpy, turbohtml"

_TIMED = "import time; begun = time.perf_counter(); {statement}; print(time.perf_counter() - begun)"
_HEAVY_IN_HELP = """
import contextlib, io, sys
from dehusk.cli import main
sys.argv = ["dehusk", "--help"]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(*sorted({"numpy", "turbohtml"} & set(sys.modules)))
"""


def main() -> int:
    with TemporaryDirectory() as byte_code:
        rounds = [(import_seconds(OURS, byte_code), import_seconds(BARE, byte_code)) for _ in range(ROUNDS)]
        heavy = imported_by_help(byte_code)
    ours, bare = (min(times) for times in zip(*rounds, strict=True))
    print(f"{OURS:<30} {1000 * ours:6.1f} ms")
    print(f"{BARE:<30} {1000 * bare:6.1f} ms")
    print(f"ratio {ours / bare:.2f} (target <= {TARGET}) {'met' if ours / bare <= TARGET else 'MISSED'}")
    print(f"dehusk --help imports {' and '.join(heavy) if heavy else 'neither numpy nor turbohtml'}")
    return int(bool(heavy))


def import_seconds(statement: str, byte_code: str) -> float:
    """Seconds that a statement takes in a process of its own, the start of Python not counted."""
    return float(_output_of(_TIMED.format(statement=statement), byte_code))


def imported_by_help(byte_code: str) -> list[str]:
    """Those of numpy and turbohtml that showing the help imports."""
    return _output_of(_HEAVY_IN_HELP, byte_code).split()


def _output_of(program: str, byte_code: str) -> str:
    """What a program prints; its byte code is kept in a folder of our own, so that only the first round compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = byte_code
    command = [sys.executable, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


if __name__ == "__main__":
    run(main)
