"""Connections to addresses that were checked, and that end when their time is over.

httpcore asks a `NetworkBackend` for connections. This one resolves the host, judges *all* its addresses, and connects
to exactly one of these: between the check and the connection nothing is resolved again. The name still goes into the
Host header and into TLS, which checks the certificate against it. A connection that is kept and used again is one that
was checked. Proxies are not used, whatever the environment says: they would resolve the name once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dehusk.errors import AddressRefused, MissingExtra, TooSlow, Unreachable
from dehusk.sources.addresses import Resolver, is_public

try:
    import httpcore
except ModuleNotFoundError as error:
    raise MissingExtra("httpx", "needed to fetch pages", "pip install 'dehusk[crawl]'") from error

MOST_ADDRESSES = 4
"""Addresses of a host that are tried, one after the other."""


class Deadline:
    """When the present request has to be over. Set anew for each."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock()

    def set(self, seconds: float) -> None:
        """So much time from now."""
        self._end = self._clock() + seconds

    def left(self, timeout: float | None) -> float:
        """Seconds that the next step may take: its own limit, or what is left if that is less."""
        left = self._end - self._clock()
        if left <= 0:
            raise httpcore.ReadTimeout("the time for the whole request is over")
        return left if timeout is None else min(timeout, left)


class CheckedBackend(httpcore.NetworkBackend):
    """Connects to public addresses only, unless private ones are allowed."""

    def __init__(
        self, resolver: Resolver, deadline: Deadline, inner: httpcore.NetworkBackend, allow_private: bool = False
    ) -> None:
        self._resolver = resolver
        self._deadline = deadline
        self._inner = inner
        self._allow_private = allow_private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address of the host that answers."""
        failure: httpcore.ConnectError | httpcore.ConnectTimeout = httpcore.ConnectError("no address")
        for address in self._checked(host)[:MOST_ADDRESSES]:
            try:
                stream = self._inner.connect_tcp(address, port, self._deadline.left(timeout), None, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _TimedStream(stream, self._deadline)
        raise failure

    def _checked(self, host: str) -> Sequence[str]:
        try:
            addresses = self._resolver(host)
        except OSError as error:
            raise httpcore.ConnectError(f"no address is known ({error.strerror or error})") from error
        private = [] if self._allow_private else [address for address in addresses if not is_public(address)]
        if private:
            cause = f"leads to {private[0]}, which is not a public address"
            raise AddressRefused(host, cause, "allow private addresses only where you trust every link")
        return addresses


class _TimedStream(httpcore.NetworkStream):
    """A connection, of which every step ends with the deadline: bytes that drip keep no single step waiting."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def open_pool(backend: CheckedBackend) -> httpcore.ConnectionPool:
    """Connections are kept for a while, so that a site is not asked for a new one at every page."""
    return httpcore.ConnectionPool(max_connections=4, keepalive_expiry=15.0, network_backend=backend)


def system_backend() -> httpcore.NetworkBackend:
    """Real sockets."""
    return httpcore.SyncBackend()


FAILURES = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)
"""What httpcore raises when a request fails."""


def as_ours(failure: Exception, url: str) -> TooSlow | Unreachable:
    """One of them as an error of ours."""
    if isinstance(failure, httpcore.TimeoutException):
        return TooSlow(url, "no answer in time", "raise FetchLimits if it is worth waiting for")
    return Unreachable(url, str(failure).lower() or "the connection broke", "check the address")
