"""`dehusk serve` in its own process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from usual_signals import usual_signals


@dataclass
class RunningServer:
    """A server process and its output."""

    process: subprocess.Popen[str]
    url: str
    token: str
    output: list[str] = field(default_factory=list)

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def end(self) -> str:
        """Send Ctrl-C; returns everything printed after the URL."""
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=30)
        self.output.append(output)
        return output


@contextmanager
def running(*options: str, **variables: str) -> Iterator[RunningServer]:
    """Start a server on a free port, and stop it at the end."""
    command = [sys.executable, "-m", "dehusk", "serve", "--no-open", "--port", "0", *options]
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", **variables}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        preexec_fn=usual_signals,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", first)
    try:
        assert found, first
        yield RunningServer(process, found[1], found[2])
    finally:
        process.terminate()
        process.communicate(timeout=30)
