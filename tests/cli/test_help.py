"""A command without help fails: every command and every option says what it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from dehusk.cli import app
from dehusk.methods import METHODS
from dehusk.outputs import OUTPUTS
from dehusk.version import __version__


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its path. Any: what a command is differs between versions of typer."""
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, (*path, name))


ALL = list(commands(typer.main.get_command(app)))


@pytest.mark.parametrize(("path", "command"), ALL, ids=["-".join(path) or "dehusk" for path, _ in ALL])
def test_every_command_and_option_is_explained(path: tuple[str, ...], command: Any) -> None:
    assert command.help, path
    for parameter in command.params:
        assert getattr(parameter, "help", None), (path, parameter.name)
    result = CliRunner().invoke(app, [*path, "--help"])
    assert result.exit_code == 0


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).output == f"dehusk {__version__}\n"


def help_at(columns: int, *path: str) -> str:
    return CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": str(columns)}).output


def test_paragraphs_fit_any_screen() -> None:
    """No line ends early because the source was wrapped there."""
    for columns in (80, 120):
        lines = help_at(columns, "clean").splitlines()
        start = next(number for number, line in enumerate(lines) if "A single page goes" in line)
        end = next(number for number, line in enumerate(lines) if number > start and not line.strip())
        for line, following in pairwise(lines[start:end]):
            first_word = following.split()[0]
            assert len(line.rstrip()) + 1 + len(first_word) >= columns - 1, line
    assert "Needs `dehusk[train]`" in " ".join(help_at(80, "train", "hybrid").split())


def test_every_method_and_format_is_named() -> None:
    text = "".join(help_at(300, "clean").split())
    assert all(name in text for name in (*METHODS, *OUTPUTS))


def test_examples_fit_a_narrow_screen() -> None:
    for path, command in (one for one in ALL if one[0] in {("clean",), ("crawl",), ("links",), ("batch",)}):
        examples = [line for line in (command.help or "").splitlines() if line.startswith("  dehusk")]
        assert [line for line in examples if len(line) > 78] == [], path
