"""A tab of the web app without a network: a logged-in client, and pages of a small site."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the web app needs dehusk[web]")

from starlette.testclient import TestClient

from dehusk.webapp.access import Access
from dehusk.webapp.app_state import AppState
from dehusk.webapp.asgi_app import create_app

PORT = 8765
HERE = f"http://127.0.0.1:{PORT}"
TOKEN = "the token of these tests"


@dataclass
class Tab:
    """A browser tab: its client sends the cookie and the `Origin` header."""

    state: AppState
    access: Access = field(default_factory=lambda: Access(PORT, TOKEN))

    def __post_init__(self) -> None:
        # As in a server: errors are responses, not exceptions.
        app = create_app(self.state, self.access)
        self.client = TestClient(app, HERE, raise_server_exceptions=False, headers={"Origin": HERE})
        assert self.client.get("/", params={"token": TOKEN}).status_code == 200

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        return self._value(self.client.get(path, params=query or None), status)

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        return self._value(self.client.post(path, json=body), status)

    def put(self, path: str, body: Any, status: int = 200) -> Any:
        return self._value(self.client.put(path, json=body), status)

    def patch(self, path: str, body: Any, status: int = 200) -> Any:
        return self._value(self.client.patch(path, json=body), status)

    def delete(self, path: str, status: int = 200) -> Any:
        return self._value(self.client.delete(path), status)

    def send(self, *files: tuple[str, bytes], status: int = 200, **fields: str) -> Any:
        parts = [("file", (name, content)) for name, content in files]
        return self._value(self.client.post("/api/pages", files=parts, data=fields), status)

    def workspace(self) -> Any:
        return self.get("/api/workspace")

    def finish(self, job: Any) -> Any:
        """Wait for a job to end."""
        deadline = time.monotonic() + 60
        while (job := self.get(f"/api/jobs/{job['id']}"))["state"] in {"waiting", "running"}:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return job

    def eliminate(self, **body: Any) -> Any:
        return self.finish(self.post("/api/eliminate", body, 202)["job"])

    def _value(self, answer: Any, status: int) -> Any:
        assert answer.status_code == status, answer.text[:500]
        return answer.json() if "json" in answer.headers.get("content-type", "") else answer


def story(number: int, site: str = "tea.example") -> bytes:
    """A page of a small site: a menu, its own text, and a notice."""
    words = " ".join(f"word{number}x{place}" for place in range(40))
    return (
        f"<html><head><title>Story {number}</title><link rel=canonical href='https://{site}/{number}'></head><body>"
        "<nav><ul><li><a href=/a>Home page</a></li><li><a href=/b>Our shop of teas</a></li></ul></nav>"
        f"<main><h1>Story number {number}</h1><p>It begins here. {words}.</p><p>And goes on. {words[::-1]}.</p></main>"
        "<div class=notice>Free delivery on all orders over forty pounds</div></body></html>"
    ).encode()
