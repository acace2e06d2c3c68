"""Instead of the network: names that are made up, and connections that are noted and lead to loopback or nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpcore


class NotingBackend(httpcore.NetworkBackend):
    """Notes what it is asked to connect to, and connects to the test's own server or to nothing."""

    def __init__(self, port: int = 0) -> None:
        self.asked: list[tuple[str, int]] = []
        self._port = port

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.NetworkStream:
        self.asked.append((host, port))
        if not self._port:
            raise httpcore.ConnectError("nothing is connected to in tests")
        return httpcore.SyncBackend().connect_tcp("127.0.0.1", self._port, timeout=2, socket_options=[])


class ScriptedStream(httpcore.NetworkStream):
    """A connection to nobody: what is read comes from a function."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self.written = b""
        self.server_hostname: str | None = None

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._read()

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.written += buffer

    def close(self) -> None:
        """Nothing to close."""

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        assert ssl_context.check_hostname
        self.server_hostname = server_hostname
        return self

    def get_extra_info(self, info: str) -> Any:
        return None


class ScriptedBackend(NotingBackend):
    """Notes what it is asked to connect to, and gives the same stream each time."""

    def __init__(self, stream: ScriptedStream) -> None:
        super().__init__()
        self._stream = stream

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.NetworkStream:
        self.asked.append((host, port))
        return self._stream


def invented(names: dict[str, list[str]]) -> Callable[[str], list[str]]:
    """A resolver that knows these names, and numbers as they are; never the system's."""

    def resolver(host: str) -> list[str]:
        if host in names:
            return names[host]
        if host.replace(".", "").isdigit() or ":" in host:
            return [host]
        raise OSError(f"unknown name {host}")

    return resolver
