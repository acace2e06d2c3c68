"""A page as it was stored or fetched: bytes and where they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from dehusk.arguments import checked

Headers: TypeAlias = tuple[tuple[str, str], ...]


@checked
@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as it was fetched or stored: bytes that are not decoded yet.

    Arguments:
        body: its bytes.
        url: its address; empty if unknown.
        name: what messages call it, such as a file name.
        headers: of the response: (name, value) pairs.
        fetched_at: when it was fetched (ISO 8601).
        status: of the response; 0 if unknown.

    >>> dehusk.RawPage(b"<p>Tea.", headers=(("Content-Language", "en"),)).header("content-language")
    'en'
    """

    body: bytes
    url: str = ""
    name: str = ""
    """Name in messages: usually the file it is from."""
    headers: Headers = ()
    """HTTP response headers as (name, value), names in any case."""
    fetched_at: str = ""
    """ISO 8601 time, when known."""
    status: int = 0
    """HTTP status, when known."""

    def __reduce__(self) -> tuple[Any, ...]:
        """As by default, where dataclasses look up their fields for each page: pages go from process to process."""
        return type(self), (self.body, self.url, self.name, self.headers, self.fetched_at, self.status)

    @property
    def label(self) -> str:
        """The name of this page in messages."""
        return self.name or self.url or "<page>"

    @property
    def full_label(self) -> str:
        """URL and name, if both are known."""
        return f"{self.url} ({self.name})" if self.url and self.name and self.url != self.name else self.label

    def header(self, name: str) -> str:
        """The value of the first header of that name, in any case; empty if there is none."""
        wanted = name.lower()
        for key, value in self.headers:
            if key.lower() == wanted:
                return value
        return ""
