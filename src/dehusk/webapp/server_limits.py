"""Limits on what the server accepts and stores, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.limits import Limits


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits on requests and on the workspace. Beyond any of them the response is 413."""

    request_bytes: int = 64 << 20
    """Size of a request. A folder of 500 large pages has 50 MB; browsers can send several requests."""
    page_bytes: int = 16_000_000
    """Size of a page. The largest single-page documents in use (the HTML standard) have 15 MB."""
    files: int = 5_000
    """Files in a request, and pages in an archive."""
    pages: int = 5_000
    """Pages in the workspace. A site is learnt from at most 200; for more, use the command line."""
    stored_bytes: int = 2 << 30
    """Total size of the pages in the workspace."""
    zip_bytes: int = 512 << 20
    """Unpacked size of the pages in a zip file."""
    zip_ratio: int = 200
    """Unpacked size relative to the zip file. HTML compresses to a tenth, rarely to a fiftieth."""
    zip_directory_bytes: int = 8 << 20
    """Size of the central directory, which is held in memory: some 80,000 members."""

    @property
    def page_limits(self) -> Limits:
        """The page limit for the page readers."""
        return Limits(bytes=self.page_bytes)


DEFAULT_BOUNDS: Final = Bounds()
