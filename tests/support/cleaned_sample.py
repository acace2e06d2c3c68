"""A server with the cleaned sample site, which tests change and the next one finds as it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from running_app import RunningApp

_TIMES = frozenset({"ms", "seconds", "version", "job"})
"""What differs between two runs that do the same."""


@dataclass
class CleanedSample:
    """Restores the workspace by undoing what a test did: learning and cleaning the whole site takes seconds."""

    app: RunningApp
    _version: int = -1
    _wanted: Any = field(default=None)

    def restore(self) -> None:
        """Make the workspace what it was after cleaning; does nothing if nothing has changed."""
        now = self.app.call("GET", "/api/workspace")
        if now["version"] == self._version:
            return
        if self._wanted is None or not self._undone():
            self.app.clean_sample()
            self._wanted = _comparable(self.app.call("GET", "/api/workspace"))
        self._version = self.app.call("GET", "/api/workspace")["version"]

    def _undone(self) -> bool:
        """Undo everything, and tell whether all is as it was: tests may do what cannot be undone."""
        for entry in self.app.call("GET", "/api/history")["history"]:
            if entry["action"] > self._version:
                self.app.call("POST", "/api/history/undo", {"action": entry["action"]})
        now = self.app.call("GET", "/api/workspace")
        pages = {page["id"]: page for page in self._wanted["pages"]}
        for page in now["pages"]:
            if page["id"] not in pages:
                return False
            if page["checked"] or page["page_type"]:
                self.app.call("DELETE", f"/api/pages/{page['id']}/label")
            if page["gold"]:
                self.app.call("DELETE", f"/api/pages/{page['id']}/gold")
        settings = {site["id"]: site["settings"] for site in self._wanted["sites"]}
        for site in now["sites"]:
            if site["id"] not in settings:
                return False
            if site["settings"] != settings[site["id"]]:
                self.app.call("PUT", f"/api/sites/{site['id']}/settings", settings[site["id"]])
        self.app.finish(self.app.call("POST", "/api/eliminate", {"sites": None})["job"])
        return bool(_comparable(self.app.call("GET", "/api/workspace")) == self._wanted)


def _comparable(value: Any) -> Any:
    """The same without times, and without the order of pages, which removing some of them changes."""
    if isinstance(value, dict):
        return {name: _comparable(one) for name, one in value.items() if name not in _TIMES}
    if isinstance(value, list):
        return sorted(map(_comparable, value), key=repr)
    return value
