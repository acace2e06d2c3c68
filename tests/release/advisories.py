"""Known vulnerabilities of what a release is made of and brings, as pip-audit and cargo-audit find them.

Both look them up online. What they could not look up is not taken for safe, although they themselves end well then: a
mirror of the package index knows no advisories, and pip-audit skips what it knows nothing about.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_PIN: Final = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)
ACCEPTED: Final[Mapping[str, str]] = {}
"""Advisories that a release may have, each with the reason: there is no fixed version, and dehusk does not use the part
that is at fault."""
_NO_CARGO_AUDIT: Final = "cargo-audit is not installed (cargo install --locked cargo-audit)"
_MOST_NAMED: Final = 5
"""Packages that a message names."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found, and what could not be looked up: a sentence each."""

    vulnerable: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    def __add__(self, other: Audit) -> Audit:
        return Audit(self.vulnerable + other.vulnerable, self.unchecked + other.unchecked)


def pins_of(requirements: str) -> set[tuple[str, str]]:
    """The names and versions in a file of locked requirements."""
    return {(_normalized(name), version) for name, version in _PIN.findall(requirements)}


def pins_of_installation(report: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The names and versions in a report of `pip install --report`, without those of files, such as our own wheel."""
    installed = (item for item in report["install"] if not item["is_direct"])
    return {(_normalized(item["metadata"]["name"]), item["metadata"]["version"]) for item in installed}


def _normalized(name: str) -> str:
    """A name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def rounds_of(pins: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Name -> version, so that no name is there twice in one round: pip-audit takes one version of each."""
    rounds: list[dict[str, str]] = []
    for name, version in sorted(pins):
        free = next((one for one in rounds if name not in one), None)
        if free is None:
            rounds.append(free := {})
        free[name] = version
    return rounds


def audit_packages(pip_audit: str, pins: Iterable[tuple[str, str]], folder: Path) -> Audit:
    """Look up packages of Python; `folder` is for temporary files."""
    audit = Audit()
    for pinned in rounds_of(pins):
        asked, told = folder / "asked.txt", folder / "told.json"
        asked.write_text("".join(f"{name}=={version}\n" for name, version in pinned.items()), "utf-8")
        told.unlink(missing_ok=True)
        options = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json", "--output", str(told)]
        done = _run(pip_audit, "--requirement", str(asked), *options)
        if told.exists():
            audit += judged_packages(json.loads(told.read_text("utf-8")))
        else:
            audit += Audit(unchecked=(f"{len(pinned)} packages of Python: {_last_line(done)}",))
    return audit


def judged_packages(report: Mapping[str, Any]) -> Audit:
    """What a report of pip-audit says."""
    vulnerable = [
        _sentence(package, advisory["id"], advisory["fix_versions"])
        for package in report["dependencies"]
        for advisory in package.get("vulns", ())
        if advisory["id"] not in ACCEPTED
    ]
    skipped = [package["name"] for package in report["dependencies"] if "skip_reason" in package]
    if not skipped:
        return Audit(tuple(vulnerable))
    more = f" and {len(skipped) - _MOST_NAMED} more" if len(skipped) > _MOST_NAMED else ""
    named = ", ".join(skipped[:_MOST_NAMED]) + more
    return Audit(tuple(vulnerable), (f"{named}: the package index has no advisories of them",))


def audit_crates(lock: Path) -> Audit:
    """Look up the crates of a `Cargo.lock`."""
    done = _run("cargo", "audit", "--json", "--file", str(lock))
    try:
        return judged_crates(json.loads(done.stdout))
    except json.JSONDecodeError:
        reason = _NO_CARGO_AUDIT if "no such command" in done.stderr else _last_line(done)
        return Audit(unchecked=(f"crates of {lock.parent.name}/{lock.name}: {reason}",))


def judged_crates(report: Mapping[str, Any]) -> Audit:
    """What a report of cargo-audit says."""
    vulnerable = [
        _sentence(found["package"], found["advisory"]["id"], found["versions"]["patched"])
        for found in report["vulnerabilities"]["list"]
        if found["advisory"]["id"] not in ACCEPTED
    ]
    return Audit(tuple(vulnerable))


def _sentence(package: Mapping[str, Any], advisory: str, fixed: Iterable[str]) -> str:
    return f"{package['name']} {package['version']}: {advisory}, fixed in {', '.join(fixed) or 'no version'}"


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    print("+", " ".join(command), flush=True)
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    return ([line.strip() for line in done.stderr.splitlines() if line.strip()] or [f"code {done.returncode}"])[-1]
