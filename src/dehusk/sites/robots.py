"""What a site's robots.txt allows (RFC 9309), read by protego.

No file (4xx) means that everything is allowed; a server that fails (5xx), cannot be reached or is refused means that
nothing is, as nobody knows what it would say. Of a long file the first 500 kB count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from dehusk.errors import AddressRefused, FetchError, MissingExtra, NotServed
from dehusk.sources.fetching import AGENT, Expected
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from protego import Protego

ROBOTS: Final = Expected(most_bytes=512_000, cut=True)
"""RFC 9309 wants at least 500 KiB to be read."""

LONGEST_DELAY: Final = 30.0
"""Seconds between requests that a site may ask for; 200 pages then take 100 minutes. Who asks for more means: never."""

_MOST_SITEMAPS: Final = 50

_AGENT_LINE: Final = re.compile(r"[ \t\ufeff]*user[- ]?agent[ \t]*:?[ \t]*(\*|[a-z_-]*)[^\n]*", re.IGNORECASE)
_OF_OTHERS: Final = "-"


@dataclass(frozen=True, slots=True)
class Rules:
    """What one host allows."""

    parsed: Protego | None = None
    """None if there is nothing to read: then all is allowed, or nothing."""
    otherwise: bool = True
    why_not: str = "robots.txt does not allow it"
    url: str = ""

    def allow(self, url: str) -> bool:
        """Whether this address may be asked for."""
        return self.otherwise if self.parsed is None else bool(self.parsed.can_fetch(url, AGENT))

    @property
    def delay(self) -> float:
        """Seconds between requests that the site asks for, within reason; 0 if it does not."""
        asked = self.parsed.crawl_delay(AGENT) if self.parsed else None
        return min(float(asked or 0.0), LONGEST_DELAY)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Addresses of sitemaps that the site tells of."""
        told = list(self.parsed.sitemaps)[:_MOST_SITEMAPS] if self.parsed else []
        return tuple(urljoin(self.url, address) for address in told if _can_be_split(address))


def read_rules(url: str, fetch: Callable[[str, Expected], RawPage]) -> Rules:
    """The rules for a host, of which any address is given."""
    address = urljoin(url, "/robots.txt")
    try:
        raw_page = fetch(address, ROBOTS)
    except NotServed:
        return Rules(url=address)
    except FetchError as error:
        if isinstance(error, AddressRefused) and error.subject == address:
            raise  # not robots.txt is what is refused, but the host
        return Rules(otherwise=False, why_not=f"its robots.txt cannot be read ({error.cause})", url=address)
    return Rules(parse(raw_page.body.decode("utf-8", "replace")), url=address)


def parse(text: str) -> Protego:
    """Rules as protego reads them.

    Groups for others are put under one name first: else each rule is kept once for every agent named above it, and a
    file with thousands of both takes all memory.
    """
    try:
        from protego import Protego
    except ModuleNotFoundError as error:
        raise MissingExtra("protego", "needed to read robots.txt", "pip install 'dehusk[crawl]'") from error
    return Protego.parse("\n".join(map(_merge_agents, text.splitlines())))


def _merge_agents(line: str) -> str:
    found = _AGENT_LINE.match(line)
    if not found:
        return line
    agent = found[1].lower()
    return f"User-agent: {agent if agent in {'*', AGENT} else _OF_OTHERS}"


def _can_be_split(address: str) -> bool:
    try:
        urlsplit(address)
    except ValueError:
        return False
    return True
