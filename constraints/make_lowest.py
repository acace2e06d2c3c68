"""Write `lowest.txt`: the lowest versions of all dependencies that pyproject.toml allows.

Run it after a change to pyproject.toml; `tests/test_release.py` notices when it was not. `make test-lowest` installs
these versions and runs the tests of what they matter for.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
LOWEST = Path(__file__).with_name("lowest.txt")
_TOOLS = {"dev", "docs"}
"""Extras for working on dehusk. Their versions are no promise to anyone."""
_OF_THEIR_TIME = {"click": "8.1.8"}
"""Of the time of the lowest versions: with click 8.2 and later, old versions of typer show no help of arguments."""
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?\s*(?:>=|==)\s*([\w.]+)")


def lowest_versions() -> dict[str, str]:
    """Distribution -> the lowest version that all who ask for it allow."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *(one for name in extras if name not in _TOOLS for one in extras[name])]
    found: dict[str, list[str]] = {}
    for requirement in asked:
        match = _REQUIREMENT.match(requirement)
        assert match, f"{requirement}: has no lowest version"
        found.setdefault(match[1], []).append(match[2])
    lowest = {name: max(versions, key=_numbers) for name, versions in found.items()}
    return dict(sorted({**lowest, **_OF_THEIR_TIME}.items()))


def lowest_text() -> str:
    """The constraints file."""
    pins = "".join(f"{name}=={version}\n" for name, version in lowest_versions().items())
    return f"# The lowest versions that pyproject.toml allows; made by make_lowest.py.\n{pins}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


if __name__ == "__main__":
    LOWEST.write_text(lowest_text(), "utf-8")
