"""Who may ask: the token, the cookie it is exchanged for, and the headers that browsers tell the truth in.

A web site in another tab can make a browser send requests to 127.0.0.1, with cookies of other ports of this machine
among them (sites are told apart without their port), and can make a name of its own resolve to 127.0.0.1. What it
cannot do is forge `Host`, `Origin` and `Sec-Fetch-Site`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final

from dehusk.webapp.api_errors import Refusal

_CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_NAMES_OF_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "[::1]")
_OF_OTHERS: Final = frozenset({"cross-site", "same-site"})
"""`same-site` is another port of this machine."""
OPEN_PATHS: Final = ("/static/",)
"""What needs no login: it holds nothing of anybody."""


def new_token() -> str:
    """256 bits by chance."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Access:
    """The rules for one server."""

    port: int
    token: str = field(default_factory=new_token, repr=False)

    @property
    def cookie(self) -> str:
        """Its name: cookies are shared between ports, so each has its own."""
        return f"dehusk-{self.port}"

    @property
    def session(self) -> str:
        """What the cookie holds: proof of the token, but not the token."""
        return hashlib.sha256(f"session of {self.token}".encode()).hexdigest()

    @property
    def hosts(self) -> frozenset[str]:
        """What `Host` may say."""
        return frozenset(f"{name}:{self.port}" for name in _NAMES_OF_THIS_MACHINE)

    def is_token(self, given: str) -> bool:
        """Whether it is ours, in a time that does not tell how much of it is right."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def check(self, verb: str, path: str, headers: Mapping[str, str]) -> None:
        """Raise a `Refusal` if this is not to be answered. `/` shows strangers how to log in, so it is open."""
        host = headers.get("host", "").lower()
        if host not in self.hosts:
            raise Refusal(403, "host", "asked for under a name that is not this machine's", "use 127.0.0.1")
        self._check_origin(verb, path, host, headers)
        if path != "/" and not path.startswith(OPEN_PATHS) and not self.is_known(headers):
            raise Refusal(401, "login", "not logged in", "open the address that `dehusk serve` printed")

    def is_known(self, headers: Mapping[str, str]) -> bool:
        """Whether the request has the token or the cookie."""
        return self._has_token(headers) or self._has_cookie(headers)

    def _check_origin(self, verb: str, path: str, host: str, headers: Mapping[str, str]) -> None:
        is_ours = headers.get("origin") == f"http://{host}"
        if verb in _CHANGING and not is_ours and ("origin" in headers or not self._has_token(headers)):
            raise Refusal(403, "origin", "asked by another site", "use the page of `dehusk serve` itself")
        # Links to the start page are harmless: it shows nothing before a script of ours has run.
        if path != "/" and headers.get("sec-fetch-site", "") in _OF_OTHERS:
            raise Refusal(403, "origin", "asked by another site", "use the page of `dehusk serve` itself")

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
