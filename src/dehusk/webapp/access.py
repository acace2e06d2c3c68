"""Access control: the token, the session cookie, and the headers that a browser does not let a page forge.

A web site in another tab can make the browser send requests to 127.0.0.1, including cookies set by other ports of this
machine (cookies ignore the port), and can make its own host name resolve to 127.0.0.1. It cannot forge `Host`, `Origin`
or `Sec-Fetch-Site`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final

from dehusk.webapp.api_errors import ApiError

_WRITING_VERBS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_LOCAL_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
_FOREIGN_SITES: Final = frozenset({"cross-site", "same-site"})
"""Values of `Sec-Fetch-Site` that are refused. `same-site` is another port of this machine."""
OPEN_PATHS: Final = ("/static/",)
"""Paths that need no login: they hold no user data."""


def new_token() -> str:
    """A random token of 256 bits."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Access:
    """Access rules for one server."""

    port: int
    token: str = field(default_factory=new_token, repr=False)

    @property
    def cookie(self) -> str:
        """Name of the cookie. Cookies are shared between ports, so each port has its own."""
        return f"dehusk-{self.port}"

    @property
    def session(self) -> str:
        """Value of the cookie: proves knowledge of the token without containing it."""
        return hashlib.sha256(f"session of {self.token}".encode()).hexdigest()

    @property
    def hosts(self) -> frozenset[str]:
        """Allowed values of `Host`."""
        return frozenset(f"{name}:{self.port}" for name in _LOCAL_NAMES)

    def is_token(self, given: str) -> bool:
        """Whether this is our token, compared in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def check(self, verb: str, path: str, headers: Mapping[str, str]) -> None:
        """Raise `ApiError` if the request is not allowed. `/` is open: it explains how to log in."""
        host = headers.get("host", "").lower()
        if host not in self.hosts:
            raise ApiError(403, "host", "the Host header does not name this machine", "use 127.0.0.1")
        self._check_origin(verb, path, host, headers)
        if path != "/" and not path.startswith(OPEN_PATHS) and not self.is_known(headers):
            raise ApiError(401, "login", "not logged in", "open the URL that `dehusk serve` printed")

    def is_known(self, headers: Mapping[str, str]) -> bool:
        """Whether the request has the token or the cookie."""
        return self._has_token(headers) or self._has_cookie(headers)

    def _check_origin(self, verb: str, path: str, host: str, headers: Mapping[str, str]) -> None:
        is_ours = headers.get("origin") == f"http://{host}"
        if verb in _WRITING_VERBS and not is_ours and ("origin" in headers or not self._has_token(headers)):
            raise ApiError(403, "origin", "request from another site", "use the web app's own page")
        # Links to the start page are harmless: it shows nothing until our own script has run.
        if path != "/" and headers.get("sec-fetch-site", "") in _FOREIGN_SITES:
            raise ApiError(403, "origin", "request from another site", "use the web app's own page")

    def _has_token(self, headers: Mapping[str, str]) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.is_token(given.strip())

    def _has_cookie(self, headers: Mapping[str, str]) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        given = cookies[self.cookie].value if self.cookie in cookies else ""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.session.encode())
