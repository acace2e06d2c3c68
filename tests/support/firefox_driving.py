"""Drive an installed Firefox by Marionette, its own protocol: JSON over a local socket, no driver needed.

Playwright drives only builds of Firefox that it has patched. All addresses but 127.0.0.1 go to a proxy that is not
there, so that the browser itself cannot connect to anything either.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

_NAMES = ("firefox-esr", "firefox")
_PREFERENCES: dict[str, Any] = {
    "marionette.port": 0,  # a free one, which Firefox writes into its profile
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}
_PATIENCE = 60.0
"""Seconds: test machines are often busy."""
CONTROL = "\ue009"
"""The control key, as the WebDriver standard names it."""
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of elements in the WebDriver standard."""


def installed_firefox() -> str | None:
    """Path of the first installed Firefox."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


class Firefox:
    """A session with a running Firefox: a tab."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
        self._number = 0
        self._receive()  # its greeting
        self.command("WebDriver:NewSession")
        # Wide enough for pages with their own style: Marionette clicks beside elements of a frame that is scaled down.
        self.command("WebDriver:SetWindowRect", width=2400, height=1200)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def command(self, name: str, **parameters: Any) -> Any:
        """Send a command and wait for its answer."""
        self._number += 1
        sent = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:" % len(sent) + sent)
        _, _, error, result = self._receive()
        assert not error, f"{name}: {error['error']}: {error['message']}"
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._some(1)
        left, received = int(length[:-1]), b""
        while len(received) < left:
            received += self._some(left - len(received))
        return json.loads(received)

    def _some(self, most: int) -> bytes:
        received = self._socket.recv(most)
        if not received:
            raise ConnectionError("Firefox has closed the connection")
        return received

    def goto(self, url: str) -> None:
        """Load a page."""
        self.command("WebDriver:Navigate", url=url)

    def value(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self.command("WebDriver:ExecuteScript", script=f"return ({expression})", args=[])

    def wait(self, expression: str) -> Any:
        """Wait until an expression is true; returns its value."""
        deadline = time.monotonic() + _PATIENCE
        while not (found := self.value(expression)):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.05)
        return found

    def find(self, selector: str) -> dict[str, str]:
        """The first element of a selector, once it is there."""
        self.wait(f"document.querySelector({json.dumps(selector)}) !== null")
        found: dict[str, str] = self.command("WebDriver:FindElement", using="css selector", value=selector)
        return found

    def click(self, selector: str) -> None:
        """Click on an element with the pointer."""
        self.command("WebDriver:ElementClick", id=self.find(selector)[_ELEMENT])

    def press(self, *keys: str) -> None:
        """Press keys together, wherever the focus is."""
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.command("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    @contextmanager
    def inside(self, frame: str) -> Iterator[None]:
        """Commands are for the document of a frame."""
        self.command("WebDriver:SwitchToFrame", id=self.find(frame))
        try:
            yield
        finally:
            self.command("WebDriver:SwitchToFrame")

    def screenshot(self, path: Path) -> None:
        """Save a picture of the window."""
        path.write_bytes(base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False)))


@contextmanager
def running_firefox() -> Iterator[Firefox]:
    """A headless Firefox with a profile of its own."""
    program = installed_firefox()
    assert program is not None
    with tempfile.TemporaryDirectory(prefix="dehusk-firefox-") as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _PREFERENCES.items()]
        (Path(profile) / "user.js").write_text("".join(lines))
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with closing(Firefox(_port(Path(profile) / "MarionetteActivePort", process))) as firefox:
                yield firefox
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + _PATIENCE
    while not (file.exists() and file.read_text().strip()):
        assert process.poll() is None, "Firefox did not start"
        assert time.monotonic() < deadline, "Firefox does not answer"
        time.sleep(0.1)
    return int(file.read_text())
