"""Connections to checked addresses only, with a deadline.

httpcore asks a `NetworkBackend` for connections. It resolves the host, checks *all* its addresses, and connects to one
of these: nothing is resolved again between the check and the connection. The name still goes into the Host header
and into TLS, which checks the certificate against it. A reused connection has been checked. Proxies are not used,
whatever the environment says: they would resolve the name again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dehusk.errors import PrivateAddress, TooSlow, Unreachable, needed
from dehusk.sources.addresses import Resolver, is_public

with needed("httpx", "to fetch pages", "crawl"):
    import httpcore

MOST_ADDRESSES = 4
"""Addresses of a host that are tried, one by one."""


class Deadline:
    """The deadline of the current request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock()

    def set(self, seconds: float) -> None:
        """Set the deadline to so many seconds from now."""
        self._end = self._clock() + seconds

    def left(self, timeout: float | None) -> float:
        """Seconds that the next step may take: its own limit, or the time left if that is less."""
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
        """Connect to the first address of the host that answers."""
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
            raise PrivateAddress(
                host, cause, "use --allow-private (allow_private=True) only where you trust every link"
            )
        return addresses


class _TimedStream(httpcore.NetworkStream):
    """A connection whose every step respects the deadline, so that a server cannot send forever, byte by byte."""

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
    """A pool that keeps connections for a while, so that not every page of a site needs a new one."""
    return httpcore.ConnectionPool(max_connections=4, keepalive_expiry=15.0, network_backend=backend)


def system_backend() -> httpcore.NetworkBackend:
    """Real sockets."""
    return httpcore.SyncBackend()


FAILURES = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)
"""What httpcore raises when a request fails."""


def as_ours(failure: Exception, url: str) -> TooSlow | Unreachable:
    """An exception of httpcore as one of our errors."""
    if isinstance(failure, httpcore.TimeoutException):
        return TooSlow(url, "no answer in time", "raise FetchLimits if it is worth waiting for")
    return Unreachable(url, str(failure).lower() or "the connection broke", "check the address")
