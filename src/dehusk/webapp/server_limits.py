"""How much the server takes. One place, so that every bound has its reason beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.limits import Limits


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on what clients send and what is kept. Beyond any of them the answer is 413."""

    request_bytes: int = 64 << 20
    """One request. A folder of 500 large pages has 50 MB; browsers can send several."""
    page_bytes: int = 16_000_000
    """One page. The largest single-page documents in use (the HTML standard) have 15 MB."""
    files: int = 5_000
    """Files of a request, and pages of an archive."""
    pages: int = 5_000
    """Pages of the workspace. A site is learnt from 200 at most; more are for the command line."""
    stored_bytes: int = 2 << 30
    """Bytes of all pages of the workspace."""
    zip_bytes: int = 512 << 20
    """What the pages of a zip file may unpack to."""
    zip_ratio: int = 200
    """How many times its own size. Html packs to a tenth, rarely to a fiftieth."""
    zip_directory_bytes: int = 8 << 20
    """Size of the list of members, which is held in memory: some 80,000 of them."""

    @property
    def page_limits(self) -> Limits:
        """The same for the readers of pages."""
        return Limits(bytes=self.page_bytes)


DEFAULT_BOUNDS: Final = Bounds()
