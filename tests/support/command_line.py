"""`dehusk` with arguments, in this process; in one of its own where a test is about processes."""

from __future__ import annotations

import contextlib
import inspect
import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

from typer.testing import CliRunner

from dehusk.cli import app

_WIDE = 300
"""Columns of a screen on which no message is wrapped where a test looks for it."""


def runner() -> CliRunner:
    """What runs commands in this process and keeps standard error apart; click before 8.2 does so only if asked to."""
    if "mix_stderr" in inspect.signature(CliRunner).parameters:
        return CliRunner(mix_stderr=False)
    return CliRunner()


def dehusk(
    *arguments: str, stdin: bytes = b"", cwd: Path | None = None, columns: int = _WIDE
) -> CompletedProcess[bytes]:
    """Run a command in this process, which saves the second or two that starting another takes."""
    with contextlib.chdir(cwd or "."):
        result = runner().invoke(app, [*arguments], input=stdin, env={"COLUMNS": str(columns)})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return CompletedProcess(arguments, result.exit_code, result.stdout_bytes, result.stderr_bytes)


def dehusk_process(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> CompletedProcess[bytes]:
    """The same in a real process, through real pipes."""
    command = [sys.executable, "-m", "dehusk", *arguments]
    environment = {**os.environ, "COLUMNS": str(_WIDE)}
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment, timeout=120, check=False)
