"""Build the package and try it as users get it: `make release-check`.

The source distribution is built, and a wheel from it, by locked tools. The wheel is installed into a new environment
without extras, and into one for each extra alone, and `smoke_tests.py` runs there. In the first, a program that uses
dehusk is type-checked with mypy. Environments are removed one after the other; pip's cache makes later runs faster.
Then all that was installed, the tools and the crates are looked up in databases of known vulnerabilities, and
pyproject.toml must say where the project is and where faults are reported. What fails is named at the end: one broken
extra does not hide another.

`--skip train,ray` leaves extras out (those in HEAVY take hundreds of megabytes: `--skip heavy`), `--only ''` checks the
package without extras, `--keep FOLDER` keeps what was built. An environment of a version that is not here is not made:
`--python python3.13` chooses another one. `--allow no-advisories` goes on where no database can be reached, and
`--allow no-addresses` while the project has no addresses; both are told all the same.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from advisories import Audit, audit_crates, audit_packages, pins_of, pins_of_installation

REPOSITORY: Final = Path(__file__).parents[2]
LOCKS: Final = REPOSITORY / "constraints"
HEAVY: Final = frozenset("train ray eval eval-more datatrove dev all docs".split())
"""Extras that bring hundreds of megabytes: PyTorch, Ray, browsers' drivers, whole tool chains."""
ADDRESSES: Final = {"repository": ("https",), "issues": ("https",), "security": ("https", "mailto")}
"""What [project.urls] must have, and the schemes of each."""
_NOBODYS: Final = re.compile(r"(?:^|[.@])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$|\.\.")
"""Hosts that are nobody's, and never will be: RFC 2606; and dots that stand for a name."""
ALLOWED: Final = ("no-addresses", "no-advisories")


def project() -> Mapping[str, Any]:
    """The table [project] of pyproject.toml."""
    table: Mapping[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def extras() -> list[str]:
    """All extras of the package, in the order of pyproject.toml; the empty name stands for none."""
    return ["", *project()["optional-dependencies"]]


def missing_addresses(urls: Mapping[str, str]) -> list[str]:
    """What is wrong with the addresses of the project, a sentence each."""
    return [
        f"pyproject.toml: [project.urls] has no address of ours as `{name}` (it has {urls.get(name, '')!r}); write one "
        f"that begins with {' or '.join(schemes)}: people are sent there"
        for name, schemes in ADDRESSES.items()
        if not _is_address(urls.get(name, ""), schemes)
    ]


def _is_address(url: str, schemes: tuple[str, ...]) -> bool:
    parts = urlsplit(url)
    host = (parts.hostname or "") if parts.scheme == "https" else parts.path
    return parts.scheme in schemes and "." in host and not _NOBODYS.search(host)


def build(python: str, target: Path) -> Path:
    """Build the source distribution and, from it, the wheel, by locked tools; returns the wheel."""
    tools = environment_of(python, "build", target)
    # Not isolated: that would fetch the tools once more, in whatever versions there are then.
    command = (_python_of(tools), "-m", "build", "--no-isolation", "--outdir", str(target / "dist"), str(REPOSITORY))
    programs = {"PATH": os.pathsep.join([str(Path(_python_of(tools)).parent), os.environ["PATH"]])}
    run(*command, variables={**programs, "MATURIN_PEP517_ARGS": "--locked"})
    (wheel,) = (target / "dist").glob("*.whl")
    return wheel


def environment_of(python: str, lock: str, folder: Path) -> Path:
    """A new environment with what a lock in `constraints` names, and nothing else."""
    made = folder / f"{lock}-tools"
    run(python, "-m", "venv", str(made))
    locked = ("--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCKS / f"{lock}.txt"))
    run(_python_of(made), "-m", "pip", "install", "--quiet", *locked)
    return made


def audit(python: str, folder: Path) -> Audit:
    """Look up the crates, the locked tools, and all that the tried extras have brought."""
    found = Audit()
    for lock in sorted((REPOSITORY / "native").rglob("Cargo.lock")):
        if "target" not in lock.parts:
            found += audit_crates(lock)
    pins = {pin for lock in ("build", "audit") for pin in pins_of((LOCKS / f"{lock}.txt").read_text("utf-8"))}
    for report in folder.glob("*-installed.json"):
        pins |= pins_of_installation(json.loads(report.read_text("utf-8")))
    try:
        tools = Path(_python_of(environment_of(python, "audit", folder)))
    except CommandFailed as failure:
        return found + Audit(unchecked=(f"{len(pins)} packages of Python: {failure}",))
    return found + audit_packages(str(tools.with_name(f"pip-audit{tools.suffix}")), pins, folder)


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
    report = str(environment) + "-installed.json"
    run(inside, "-m", "pip", "install", "--quiet", "--report", report, f"{wheel}[{extra}]" if extra else str(wheel))
    # -I: neither the folder of the script nor that of the repository may provide what the package lacks.
    run(inside, "-I", str(REPOSITORY / "tests" / "release" / "smoke_tests.py"), extra)
    if not extra:
        run(inside, "-m", "pip", "install", "--quiet", "mypy")
        run(
            inside, "-m", "mypy", "--strict", str(REPOSITORY / "tests" / "release" / "user_program.py"), cwd=environment
        )


class CommandFailed(Exception):
    """A command that ended with another code than 0."""


def run(*command: str, cwd: Path | None = None, variables: Mapping[str, str] | None = None) -> None:
    """Run a command, which must succeed."""
    print("+", " ".join(command), flush=True)
    if code := subprocess.run(command, cwd=cwd, env={**os.environ, **(variables or {})}, check=False).returncode:
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


def judged(audit: Audit, addresses: list[str], allowed: set[str]) -> list[str]:
    """The failures among what was found; what is allowed is only told."""
    unchecked = [f"NOT CHECKED for known vulnerabilities: {what}" for what in audit.unchecked]
    told = {"no-advisories": unchecked, "no-addresses": addresses}
    for line in (line for name in sorted(allowed) for line in told[name]):
        print(f"allowed: {line}")
    vulnerable = [f"known vulnerability: {what}" for what in audit.vulnerable]
    return vulnerable + [line for name, lines in told.items() if name not in allowed for line in lines]


def parsed_options() -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(description="Build the package and try it in clean environments.")
    parser.add_argument("--skip", default="", help="extras to leave out, comma-separated; 'heavy' for the large ones")
    parser.add_argument("--only", help="extras to try, comma-separated; '' is the package without extras")
    parser.add_argument("--allow", default="", help=f"what may be missing, comma-separated: {', '.join(ALLOWED)}")
    parser.add_argument("--python", default=sys.executable, help="the Python that makes the environments")
    parser.add_argument("--keep", type=Path, help="a folder for what is built; else it is removed")
    return parser.parse_args()


def main() -> None:
    """Build, install, try, look up."""
    options = parsed_options()
    wanted, allowed = chosen(options.skip, options.only), set(filter(None, options.allow.split(",")))
    if unknown := sorted(allowed - set(ALLOWED)):
        sys.exit(f"check_release: cannot allow {', '.join(unknown)}; choose of {', '.join(ALLOWED)}")
    with tempfile.TemporaryDirectory(prefix="dehusk-release-") as folder:
        target = options.keep or Path(folder)
        wheel = build(options.python, target)
        tried = [try_extra(options.python, wheel, extra, Path(folder)) for extra in wanted]
        audited = audit(options.python, Path(folder))
    failures = [failure for failure in tried if failure]
    if failures := failures + judged(audited, missing_addresses(project().get("urls", {})), allowed):
        sys.exit("release check failed:\n" + "\n".join(failures))
    print("release check: all of it works")


if __name__ == "__main__":
    main()
