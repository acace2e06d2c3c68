"""Polite fetching: obey robots.txt, one request at a time, with a pause between requests to the same host."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from dehusk.errors import AddressRefused, RobotsRefused, ServerFailed
from dehusk.sites.robots import Rules, read_rules
from dehusk.sources.fetching import PAGES, Check, Expected, Fetcher, no_check
from dehusk.sources.raw_page import RawPage

DEFAULT_DELAY: Final = 1.0
"""Seconds between two requests to a host: about the pace of a person, which sites are built for."""

LONGEST_PAUSE: Final = 60.0
"""Seconds. The pause after each further server failure doubles up to this."""


class Pace:
    """Tracks when each host may be requested again."""

    def __init__(
        self,
        delay: float = DEFAULT_DELAY,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._delay = delay
        self._sleep = sleep
        self._clock = clock
        self._ready: dict[str, float] = {}
        self._pause: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Wait until the host may be requested."""
        left = self._ready.get(host, 0.0) - self._clock()
        if left > 0:
            self._sleep(left)

    def note(self, host: str, asked_for: float = 0.0) -> None:
        """Record a request to the host, which may have asked for a longer delay."""
        self._ready[host] = self._clock() + max(self._delay, asked_for, self._pause.get(host, 0.0))

    def note_failure(self, host: str) -> None:
        """Record a server failure: double the pause."""
        self._pause[host] = min(max(2 * self._pause.get(host, 0.0), 2 * self._delay), LONGEST_PAUSE)
        self.note(host)

    def note_success(self, host: str) -> None:
        """Record a success: back to the normal pause."""
        self._pause.pop(host, None)


class PoliteFetcher:
    """Wraps a fetcher: checks robots.txt first and pauses between requests."""

    def __init__(self, fetcher: Fetcher, pace: Pace) -> None:
        self._fetcher = fetcher
        self._pace = pace
        self._rules: dict[str, Rules] = {}

    def fetch(self, url: str, expected: Expected = PAGES, check: Check = no_check) -> RawPage:
        """Fetch a URL, unless robots.txt disallows it or one of the URLs it redirects to."""
        asked = url

        def check_rules(address: str) -> None:
            nonlocal asked
            check(address)
            rules = self.rules(address)
            if not rules.allow(address):
                raise RobotsRefused(address, rules.why_not, "leave it out")
            self._pace.wait(_host(address))
            self._note(address)
            asked = address

        try:
            raw_page = self._fetcher.fetch(url, expected, check_rules)
        except ServerFailed:
            self._pace.note_failure(_host(asked))
            raise
        # The pause starts when the response is complete, so that a slow server gets a full pause as well.
        self._note(asked)
        self._pace.note_success(_host(asked))
        return raw_page

    def rules(self, url: str) -> Rules:
        """The robots.txt rules of a URL's host, fetched once."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            try:
                self._rules[origin] = read_rules(origin, self._fetch_rules)
            except AddressRefused as error:
                raise error.about(url) from error  # nobody asked for its robots.txt
        return self._rules[origin]

    def _fetch_rules(self, url: str, expected: Expected) -> RawPage:
        # It is a small file that is fetched once: the first page need not pause after it.
        return self._fetcher.fetch(url, expected, lambda address: self._pace.wait(_host(address)))

    def _note(self, url: str) -> None:
        self._pace.note(_host(url), self.rules(url).delay)


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()
