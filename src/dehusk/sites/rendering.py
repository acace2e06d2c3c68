"""Fetch pages with a browser, for those that scripts fill.

The browser never connects to anything itself: every request it makes is answered here, by the fetcher that fetches all
other pages. So private addresses are refused, robots.txt is obeyed, and sizes and times are bounded for scripts and
data as for pages. Its own way to the network leads to a proxy that does not exist. Each page gets a new context without
cookies or storage; downloads, service workers and web sockets are off; images, media and fonts are not fetched.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeVar
from urllib.parse import urlsplit

from dehusk.errors import FetchError, InvalidSetting, ResponseTooLarge, RobotsRefused, TooSlow, needed
from dehusk.sites.robots import Rules, read_rules
from dehusk.sources.fetching import PAGES, Check, Expected, Fetcher, no_check
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import ALREADY_DECODED

_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FETCHED: Final = frozenset({"script", "stylesheet", "xhr", "fetch"})
"""Kinds of requests that a page's text may depend on."""
_OPTIONS: Final = (
    "--proxy-server=http://127.0.0.1:1",  # nobody listens there: what is not answered here fails
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-extensions",
)
_START_SECONDS: Final = 60.0
"""Time limit for the browser to start; it takes a second, on a busy machine more."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """Bounds on what one page may make the browser do."""

    seconds: float = 30.0
    """From the start of the page to its text."""
    quiet_seconds: float = 5.0
    """Most time to wait until no more requests are made: some pages never stop."""
    requests: int = 100
    """Of scripts, style sheets and data. Large applications load some dozen."""
    bytes: int = 30_000_000
    """Of all answers together, decompressed, and of the page in the end."""


DEFAULT_LIMITS: Final = RenderLimits()


class BrowserFetcher:
    """A fetcher whose pages are what a browser shows after their scripts have run. Use it in a `with` block."""

    def __init__(self, fetcher: Fetcher, limits: RenderLimits = DEFAULT_LIMITS) -> None:
        self._fetcher, self._limits = fetcher, limits
        self._rules: dict[str, Rules] = {}
        self._loop = asyncio.Runner()
        self._threads = ThreadPoolExecutor(1)  # the fetcher does one thing at a time
        self._playwright: Any = None
        self._browser: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        self._loop.run(self._end())
        self._loop.close()
        self._threads.shutdown()

    def fetch(self, url: str, expected: Expected = PAGES, check: Check = no_check) -> RawPage:
        """Fetch a page and let its scripts run; anything but a page is fetched as it is. See `Fetcher`."""
        raw = self._fetcher.fetch(url, expected, check)
        if expected.content_types != PAGES.content_types:
            return raw
        html = self._loop.run(self._rendered(raw))
        body = html.encode("utf-8", "replace")
        if len(body) > self._limits.bytes:
            raise ResponseTooLarge(url, "scripts make more bytes of it than allowed", "raise RenderLimits to fetch it")
        rest = tuple(pair for pair in raw.headers if pair[0].lower() != "content-type")
        return replace(raw, body=body, headers=ALREADY_DECODED + rest)

    async def _rendered(self, raw: RawPage) -> str:
        """The html of a page after its scripts have run."""
        await self._start()
        context = await self._browser.new_context(accept_downloads=False, service_workers="block")
        try:
            return await _in_time(self._show(context, raw), self._limits.seconds, raw)
        finally:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(context.close(), self._limits.quiet_seconds)

    async def _show(self, context: Any, raw: RawPage) -> str:
        from playwright.async_api import Error

        page = await context.new_page()
        requests = _Requests(self, raw)
        await page.route("**/*", requests.answer)
        await page.route_web_socket("**/*", lambda socket: socket.close())
        try:
            await page.goto(raw.url, wait_until="domcontentloaded", timeout=1000 * self._limits.seconds)
            with suppress(Error):  # pages that never stop are taken as they are
                await page.wait_for_load_state("networkidle", timeout=1000 * self._limits.quiet_seconds)
            return str(await page.content())
        except Error as error:
            cause = (str(error).splitlines() or ["no reason"])[0]
            raise FetchError(raw.label, f"the browser cannot show it ({cause[:200]})") from error

    async def _start(self) -> None:
        if self._browser is not None:
            return
        playwright = _playwright()
        self._playwright = await playwright().start()
        # Chromium's own sandbox does not work for the superuser.
        options = [*_OPTIONS, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
        self._browser = await self._playwright.chromium.launch(
            executable_path=installed_browser(), args=options, timeout=1000 * _START_SECONDS
        )

    async def _end(self) -> None:
        if self._browser is not None:
            await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()
        self._browser = self._playwright = None

    def _fetch_part(self, url: str, most_bytes: int) -> RawPage:
        return self._fetcher.fetch(url, Expected(most_bytes=most_bytes), self._check_rules)

    def _check_rules(self, url: str) -> None:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            self._rules[origin] = read_rules(origin, self._fetcher.fetch)
        if not self._rules[origin].allow(url):
            raise RobotsRefused(url, self._rules[origin].why_not, "leave it out")

    def part_of_page(self, url: str, most_bytes: int) -> Awaitable[RawPage]:
        """Fetch what a page asks for while it is shown, by the rules that hold for pages."""
        return asyncio.get_running_loop().run_in_executor(self._threads, self._fetch_part, url, most_bytes)

    @property
    def limits(self) -> RenderLimits:
        """The bounds on each page."""
        return self._limits


class _Requests:
    """Answers the requests of one page."""

    def __init__(self, fetcher: BrowserFetcher, page: RawPage) -> None:
        self._fetcher, self._page = fetcher, page
        self._left, self._bytes_left = fetcher.limits.requests, fetcher.limits.bytes
        self._is_shown = False

    async def answer(self, route: Any) -> None:
        """Answer a request, or let it fail."""
        from playwright.async_api import Error

        with suppress(Error):  # the page is gone
            request = route.request
            if not self._is_shown and request.is_navigation_request() and request.url == self._page.url:
                self._is_shown = True
                await _fulfil(route, self._page)
            elif request.method == "GET" and request.resource_type in _FETCHED and self._left > 0:
                self._left -= 1
                await self._answer_part(route, request.url)
            else:
                await route.abort()

    async def _answer_part(self, route: Any, url: str) -> None:
        try:
            raw = await self._fetcher.part_of_page(url, self._bytes_left)
        except FetchError:
            await route.abort()
            return
        self._bytes_left = max(0, self._bytes_left - len(raw.body))
        await _fulfil(route, raw)


async def _fulfil(route: Any, raw: RawPage) -> None:
    await route.fulfill(status=raw.status or 200, headers=dict(raw.headers), body=raw.body)


async def _in_time(shown: Awaitable[Result], seconds: float, raw: RawPage) -> Result:
    try:
        return await asyncio.wait_for(shown, seconds)
    except TimeoutError as error:
        raise TooSlow(raw.label, f"its scripts took longer than {seconds:g} seconds", "leave it out") from error


def installed_browser() -> str:
    """The path of an installed browser; none is ever downloaded."""
    found = next((path for path in map(shutil.which, _BROWSERS) if path), None)
    if found is None:
        raise InvalidSetting("--render", "no browser is installed", f"install one of {', '.join(_BROWSERS)}")
    return found


def _playwright() -> Any:
    with needed("playwright", "to show pages in a browser", "render"):
        from playwright.async_api import async_playwright
    return async_playwright
