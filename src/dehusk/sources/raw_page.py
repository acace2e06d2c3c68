"""A page as it was stored or fetched: bytes and where they came from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawPage:
    """Undecoded page."""

    body: bytes
    url: str = ""
    name: str = ""
    """What messages call the page when it has no URL: usually the file it came from."""
    headers: tuple[tuple[str, str], ...] = ()
    """HTTP response headers as (name, value), names in any case."""
    fetched_at: str = ""
    """ISO 8601 time, when known."""
    status: int = 0
    """HTTP status, when known."""

    @property
    def label(self) -> str:
        """What to call this page in a message."""
        return self.name or self.url or "<page>"

    @property
    def full_label(self) -> str:
        """The same with its URL first, if that is known, and where it is stored beside it."""
        return f"{self.url} ({self.name})" if self.url and self.name and self.url != self.name else self.label

    def header(self, name: str) -> str:
        """The value of the first header of that name, whatever its case, or the empty string."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")
