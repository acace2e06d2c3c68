"""`dehusk serve` in its own process, for browser tests and screenshots."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dehusk

_ADDRESS = re.compile(r"http://\S+")
_PATIENCE = 20
"""Seconds a server has to shut down."""


@dataclass(frozen=True)
class RunningApp:
    """A running server."""

    address: str
    """The printed URL, with the token."""
    log: list[str]
    """Its output, after it has ended."""

    @property
    def origin(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    def call(self, verb: str, path: str, body: Any = None) -> Any:
        """Call the API, as a program does."""
        return self._call(verb, path, None if body is None else json.dumps(body).encode(), "application/json")

    def send(self, name: str, content: bytes) -> Any:
        """Send a file with pages."""
        part = f'--part\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        body = part + content + b"\r\n--part--\r\n"
        return self._call("POST", "/api/pages", body, "multipart/form-data; boundary=part")

    def _call(self, verb: str, path: str, data: bytes | None, content_type: str) -> Any:
        headers = {"Authorization": f"Bearer {self.address.partition('token=')[2]}", "Content-Type": content_type}
        request = urllib.request.Request(self.origin + path, data, headers, method=verb)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def clear(self) -> None:
        """Remove all pages."""
        for site in self.call("GET", "/api/workspace")["sites"]:
            self.call("DELETE", f"/api/sites/{site['id']}")

    def clean_sample(self) -> None:
        """Reset the workspace to the cleaned sample site."""
        self.clear()
        self.call("POST", "/api/pages/sample", {})
        self.finish(self.call("POST", "/api/eliminate", {"sites": None})["job"])

    def finish(self, job: Any) -> None:
        """Wait until a job is done."""
        while job["state"] not in {"done", "failed", "cancelled"}:
            time.sleep(0.03)
            job = self.call("GET", f"/api/jobs/{job['id']}")
        assert job["state"] == "done", job


@contextmanager
def running_app(*arguments: str) -> Iterator[RunningApp]:
    """Start a server on a free port, and stop it at the end."""
    command = [sys.executable, "-m", "dehusk", "serve", "--no-open", "--port", "0", *arguments]
    source = str(Path(dehusk.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": source, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        found = _ADDRESS.search(first)
        if found is None:
            raise RuntimeError(f"the server did not start: {first}{process.stderr.read()}")
        app = RunningApp(found[0], [])
        yield app
    finally:
        process.terminate()
        _, output = process.communicate(timeout=_PATIENCE)
    app.log.append(output)
