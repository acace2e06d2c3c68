"""A command without help fails: every command and every option says what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from dehusk.cli import app
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
