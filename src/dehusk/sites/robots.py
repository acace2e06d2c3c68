"""robots.txt rules (RFC 9309), parsed by protego.

A missing file (4xx) allows everything. If the server fails (5xx), cannot be reached or is refused, nothing is allowed,
because the rules are unknown. Only the first 500 kB of a file count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from dehusk.errors import AddressRefused, FetchError, NotServed, needed
from dehusk.sources.fetching import AGENT, Expected
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from protego import Protego

ROBOTS: Final = Expected(most_bytes=512_000, cut=True)
"""RFC 9309 requires at least 500 KiB to be read."""

LONGEST_DELAY: Final = 30.0
"""Longest Crawl-delay that is honoured, in seconds; 200 pages then take 100 minutes."""

_MOST_SITEMAPS: Final = 50

_AGENT_LINE: Final = re.compile(r"[ \t\ufeff]*user[- ]?agent[ \t]*:?[ \t]*(\*|[a-z_-]*)[^\n]*", re.IGNORECASE)
_OF_OTHERS: Final = "-"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one host."""

    parsed: Protego | None = None
    """None if there are no rules to parse; then `otherwise` applies to all URLs."""
    otherwise: bool = True
    why_not: str = "robots.txt does not allow it"
    url: str = ""

    def allow(self, url: str) -> bool:
        """Whether this URL may be fetched."""
        return self.otherwise if self.parsed is None else bool(self.parsed.can_fetch(url, AGENT))

    @property
    def delay(self) -> float:
        """The site's Crawl-delay in seconds, capped at `LONGEST_DELAY`; 0 if it has none."""
        asked = self.parsed.crawl_delay(AGENT) if self.parsed else None
        return min(float(asked or 0.0), LONGEST_DELAY)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """URLs of the sitemaps that robots.txt lists."""
        listed = list(self.parsed.sitemaps)[:_MOST_SITEMAPS] if self.parsed else []
        return tuple(urljoin(self.url, address) for address in listed if _can_be_split(address))


def read_rules(url: str, fetch: Callable[[str, Expected], RawPage]) -> Rules:
    """Fetch and parse the rules for the host of a URL."""
    address = urljoin(url, "/robots.txt")
    try:
        raw_page = fetch(address, ROBOTS)
    except NotServed:
        return Rules(url=address)
    except FetchError as error:
        if isinstance(error, AddressRefused) and error.subject == address:
            raise  # the host itself is refused, not robots.txt
        return Rules(otherwise=False, why_not=f"its robots.txt cannot be read ({error.cause})", url=address)
    return Rules(parse(raw_page.body.decode("utf-8", "replace")), url=address)


def parse(text: str) -> Protego:
    """Parse robots.txt with protego.

    Other agents are first replaced by one name: protego keeps each rule once for every agent of its group, so a file
    with thousands of both would exhaust memory.
    """
    with needed("protego", "to read robots.txt", "crawl"):
        from protego import Protego
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
