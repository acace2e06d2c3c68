"""Build the package and try it as users get it: `make release-check`.

The source distribution is built, and a wheel from it. The wheel is installed into a new environment without extras, and
into one for each extra alone, and `smoke_tests.py` runs there. In the first, a program that uses dehusk is type-checked
with mypy. Environments are removed one after the other; pip's cache makes later runs faster. What fails is named at the
end: one broken extra does not hide another.

`--skip train,ray` leaves extras out (those in HEAVY take hundreds of megabytes: `--skip heavy`), `--only ''` checks the
package without extras, `--keep FOLDER` keeps what was built. An environment of a version that is not here is not made:
`--python python3.13` chooses another one.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parents[2]
HEAVY: Final = frozenset("train ray eval eval-more datatrove dev all docs".split())
"""Extras that bring hundreds of megabytes: PyTorch, Ray, browsers' drivers, whole tool chains."""


def extras() -> list[str]:
    """All extras of the package, in the order of pyproject.toml; the empty name stands for none."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    return ["", *project["optional-dependencies"]]


def build(python: str, target: Path) -> Path:
    """Build the source distribution and, from it, the wheel; returns the wheel."""
    tools = target / "build-tools"
    run(python, "-m", "venv", str(tools))
    run(_python_of(tools), "-m", "pip", "install", "--quiet", "build")
    run(_python_of(tools), "-m", "build", "--outdir", str(target / "dist"), str(REPOSITORY))
    (wheel,) = (target / "dist").glob("*.whl")
    return wheel


def try_extra(python: str, wheel: Path, extra: str, folder: Path) -> str:
    """Try an extra in an environment of its own, which is removed; returns what failed, or nothing."""
    environment = folder / (extra or "plain")
    try:
        install_and_test(python, wheel, extra, environment)
    except CommandFailed as failure:
        return f"{extra or 'without extras'}: {failure}"
    finally:
        shutil.rmtree(environment, ignore_errors=True)
    return ""


def install_and_test(python: str, wheel: Path, extra: str, environment: Path) -> None:
    """Install the wheel with an extra into a new environment, and run the smoke tests in it."""
    run(python, "-m", "venv", str(environment))
    inside = _python_of(environment)
    run(inside, "-m", "pip", "install", "--quiet", f"{wheel}[{extra}]" if extra else str(wheel))
    # -I: neither the folder of the script nor that of the repository may provide what the package lacks.
    run(inside, "-I", str(REPOSITORY / "tests" / "release" / "smoke_tests.py"), extra)
    if not extra:
        run(inside, "-m", "pip", "install", "--quiet", "mypy")
        run(
            inside, "-m", "mypy", "--strict", str(REPOSITORY / "tests" / "release" / "user_program.py"), cwd=environment
        )


class CommandFailed(Exception):
    """A command that ended with another code than 0."""


def run(*command: str, cwd: Path | None = None) -> None:
    """Run a command, which must succeed."""
    print("+", " ".join(command), flush=True)
    if code := subprocess.run(command, cwd=cwd, check=False).returncode:
        raise CommandFailed(f"code {code} of {' '.join(command)}")


def _python_of(environment: Path) -> str:
    windows = environment / "Scripts" / "python.exe"
    return str(windows if windows.exists() else environment / "bin" / "python")


def chosen(skip: str, only: str | None) -> list[str]:
    """The extras to try."""
    skipped = {part.strip() for part in skip.split(",")} - {""}
    if "heavy" in skipped:
        skipped |= HEAVY
    known = extras()
    wanted = known if only is None else [part.strip() for part in only.split(",")]
    if unknown := sorted(({*wanted, *skipped} - {"heavy"}) - set(known)):
        sys.exit(f"check_release: no such extra: {', '.join(unknown)}")
    return [extra for extra in wanted if extra not in skipped]


def main() -> None:
    """Build, install, try."""
    parser = argparse.ArgumentParser(description="Build the package and try it in clean environments.")
    parser.add_argument("--skip", default="", help="extras to leave out, comma-separated; 'heavy' for the large ones")
    parser.add_argument("--only", help="extras to try, comma-separated; '' is the package without extras")
    parser.add_argument("--python", default=sys.executable, help="the Python that makes the environments")
    parser.add_argument("--keep", type=Path, help="a folder for what is built; else it is removed")
    options = parser.parse_args()
    wanted = chosen(options.skip, options.only)
    with tempfile.TemporaryDirectory(prefix="dehusk-release-") as folder:
        target = options.keep or Path(folder)
        wheel = build(options.python, target)
        tried = [try_extra(options.python, wheel, extra, Path(folder)) for extra in wanted]
    if failures := [failure for failure in tried if failure]:
        sys.exit("release check failed:\n" + "\n".join(failures))
    print("release check: all of it works")


if __name__ == "__main__":
    main()
