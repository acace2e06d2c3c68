"""A web server on this machine, for tests: what it answers, and what it was asked."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One response. With `steps` it is sent piece by piece, as the function likes."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html"
    headers: Mapping[str, str] = field(default_factory=dict)
    steps: Callable[[Any], None] | None = None


Routes = Callable[[str], Answer | None]


class LocalSite:
    """Answers by a function of the path; what it does not know is not found."""

    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    def pages_asked(self) -> list[str]:
        """What was asked for, without robots.txt and sitemaps."""
        return [path for path in self.asked if path != "/robots.txt" and "sitemap" not in path]


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # whoever asked has hung up
            super().handle_error(request, client_address)


@contextmanager
def serving(routes: Routes) -> Iterator[LocalSite]:
    """A server on a free port of the loopback interface."""
    site = LocalSite(routes)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else every answer waits 40 ms between its headers and its body

        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = site.routes(self.path) or Answer(b"nothing here", 404)
            try:
                _send(self, answer)
            except OSError:
                self.close_connection = True  # whoever asked has hung up

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    server = _QuietServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    handler.send_response(answer.status)
    if answer.content_type:
        handler.send_header("Content-Type", answer.content_type)
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    if answer.steps is None:
        handler.send_header("Content-Length", str(len(answer.body)))
        handler.end_headers()
        handler.wfile.write(answer.body)
    else:
        handler.close_connection = True
        handler.send_header("Connection", "close")
        handler.end_headers()
        answer.steps(handler.wfile)


def redirect(target: str) -> Answer:
    """A redirect."""
    return Answer(status=302, headers={"Location": target})
