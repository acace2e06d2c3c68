"""What the tutorials show works as shown: commands and programs run in their order, and print what the page says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import dehusk
from running_app import running_app

TUTORIALS = Path(__file__).parents[1] / "docs" / "tutorials"
_BLOCK = re.compile(r"^```(console|python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NEEDED = {"mining": ("scipy", "sklearn"), "own-labels": ("scipy", "rapidfuzz"), "teaching": ("starlette", "uvicorn")}

pytestmark = pytest.mark.filterwarnings("ignore")  # what other packages warn of at import is not ours to mend


def blocks(name: str) -> Iterator[tuple[str, str]]:
    """(language, text) of every block of code."""
    for match in _BLOCK.finditer((TUTORIALS / f"{name}.md").read_text("utf-8")):
        yield match[1], match[2]


def run_tutorial(name: str, variables: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a tutorial from top to bottom; programs share their variables."""
    printed = ""
    for language, text in blocks(name):
        if language == "text":
            assert printed == text
        elif language == "python":
            capsys.readouterr()
            exec(compile(text, f"{name}.md", "exec"), variables)
            variables |= variables.get("FORCED", {})
            printed = capsys.readouterr().out
        else:
            for line in text.splitlines():
                result = dehusk(*shlex.split(line.removeprefix("$ dehusk ")))
                assert result.returncode == 0, result.stderr.decode()


def test_every_tutorial_is_run() -> None:
    assert {path.stem for path in TUTORIALS.glob("*.md")} == {*ALONE, "teaching"}


ALONE = ("language-model", "site", "mining", "own-labels")


@pytest.mark.parametrize("name", ALONE)
def test_tutorials(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in _NEEDED.get(name, ()):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    run_tutorial(name, {}, capsys)


def test_teaching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for package in _NEEDED["teaching"]:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    with running_app("--workdir", str(tmp_path / "work")) as app:
        address = {"ADDRESS": app.origin, "TOKEN": app.address.partition("token=")[2]}
        run_tutorial("teaching", {"FORCED": address}, capsys)
