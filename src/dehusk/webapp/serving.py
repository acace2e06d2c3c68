"""Run the web app on 127.0.0.1 and open a browser."""

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
from dehusk.webapp.app_state import AppState
from dehusk.webapp.asgi_app import create_app

HOST: Final = "127.0.0.1"
_GRACE: Final = 3
"""Seconds that open requests have to finish when the server shuts down."""
_KEEP_ALIVE: Final = 75
"""Seconds that idle connections are kept open. Closing one just as a client reuses it is an error for the client; all
clients are on this machine, so open connections cost nothing."""
_BACKLOG: Final = 1024
"""Connections that may wait to be accepted: enough for 500 concurrent clients."""


def listen(port: int) -> socket.socket:
    """A listening socket on 127.0.0.1; port 0 picks a free port."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        cause = (error.strerror or str(error)).lower()
        raise SourceUnreadable(f"port {port}", cause, "choose another with --port, or 0 for any free port") from error
    listening.listen(_BACKLOG)
    return listening


def address_of(access: Access) -> str:
    """The URL to open: it carries the token, which is exchanged for a cookie."""
    return f"http://{HOST}:{access.port}/?token={access.token}"


def serve(
    state: AppState, listening: socket.socket, access: Access, announce: Callable[[str], None], is_opened: bool
) -> None:
    """Serve until interrupted; `announce` gets the URL."""
    # No access log: the first request contains the token.
    config = uvicorn.Config(
        create_app(state, access),
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=_KEEP_ALIVE,
        server_header=False,
        date_header=False,
    )
    announce(address_of(access))
    if is_opened:
        # With some browsers the call returns only when they exit.
        threading.Thread(target=webbrowser.open, args=(address_of(access),), daemon=True).start()
    with closing(listening):
        uvicorn.Server(config).run(sockets=[listening])
