"""Run the app: a socket on 127.0.0.1, a browser that opens, an end at Ctrl-C."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import closing
from typing import Final

import uvicorn

from dehusk.errors import SourceUnreadable
from dehusk.webapp.access import Access
from dehusk.webapp.app_state import Desk
from dehusk.webapp.asgi_app import create_app

HOST: Final = "127.0.0.1"
_GRACE: Final = 3
"""Seconds that answers under way have when the server ends."""
_KEPT_OPEN: Final = 75
"""Seconds that connections are kept for the next request. One that is closed just when a program uses it again is an
error to the program; all of them are of this machine, and cost nothing."""
_BACKLOG: Final = 1024
"""Connections that may wait: 500 programs that ask at once are none too many."""


def listen(port: int) -> socket.socket:
    """A socket of this machine alone; port 0 takes any that is free."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        cause = (error.strerror or str(error)).lower()
        raise SourceUnreadable(f"port {port}", cause, "choose another with --port, or 0 for any") from error
    listening.listen(_BACKLOG)
    return listening


def address_of(access: Access) -> str:
    """What to open: the page, with the token that is exchanged for a cookie."""
    return f"http://{HOST}:{access.port}/?token={access.token}"


def serve(desk: Desk, listening: socket.socket, access: Access, tell: Callable[[str], None], is_opened: bool) -> None:
    """Serve until somebody ends it."""
    # No log of requests: the first one has the token in it.
    config = uvicorn.Config(
        create_app(desk, access),
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=_KEPT_OPEN,
        server_header=False,
        date_header=False,
    )
    tell(address_of(access))
    if is_opened:
        # Some browsers keep the call until they end.
        threading.Thread(target=webbrowser.open, args=(address_of(access),), daemon=True).start()
    with closing(listening):
        uvicorn.Server(config).run(sockets=[listening])
