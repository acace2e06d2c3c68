"""ASGI middleware: access control, a limit on request bodies, and security headers."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dehusk.webapp.access import OPEN_PATHS, Access
from dehusk.webapp.api_errors import ApiError, too_large
from dehusk.webapp.responses import error_response
from dehusk.webapp.server_limits import Bounds

APP_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": APP_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_MOST_DRAINED: Final = 1 << 30
"""Bytes of an oversized body that are still read and discarded: clients read the response only after sending all they
have. Beyond that the connection is closed."""


class SecurityMiddleware:
    """Checks every request before the app sees it, and adds headers to every response."""

    def __init__(self, app: ASGIApp, access: Access, bounds: Bounds) -> None:
        self._app = app
        self._access = access
        self._most = bounds.request_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, _with_headers(scope, send))
        else:
            await send({"type": "websocket.close"})

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._access.check(scope["method"], scope["path"], headers)
            await self._check_length(headers, receive)
        except ApiError as error:
            await error_response(error)(scope, receive, send)
            return
        await self._app(scope, self._counting(receive), send)

    async def _check_length(self, headers: Headers, receive: Receive) -> None:
        declared = headers.get("content-length", "0")
        if declared.isascii() and declared.isdigit() and int(declared) > self._most:
            if "expect" not in headers:  # a client that asks before sending needs only the response
                await _drain(receive)
            raise self._too_large()

    def _counting(self, receive: Receive) -> Receive:
        """Pass messages on until there are too many bytes: the declared length may be missing or wrong."""
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                if message.get("more_body"):
                    await _drain(receive)
                raise self._too_large()
            return message

        return counted

    def _too_large(self) -> ApiError:
        remedy = "send less at once, or use the command line"
        return too_large(f"request over {self._most >> 20} MB", remedy)


async def _drain(receive: Receive) -> None:
    left = _MOST_DRAINED
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def _with_headers(scope: Scope, send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                if name == "Cache-Control" and scope["path"].startswith(OPEN_PATHS):
                    value = "no-cache"
                headers.setdefault(name, value)
        await send(message)

    return sending
