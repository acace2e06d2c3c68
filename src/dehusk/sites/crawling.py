"""Fetch the pages of a site politely.

The start page comes first, then pages found through links and sitemaps, chosen by `Frontier`. Pages of other sites are
not fetched, not even through redirects. Duplicates (by canonical URL or by words) are not kept. A crawl ends when there
are enough pages, when no URL is left, after a number of requests proportional to the pages wanted, or when the server
keeps failing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final
from urllib.parse import urljoin, urlsplit

from dehusk.arguments import checked, each
from dehusk.errors import (
    DehuskError,
    FetchError,
    InvalidSetting,
    NotChanged,
    NotServed,
    PageError,
    RepeatedPage,
    ServerFailed,
    TooSlow,
    Unreachable,
)
from dehusk.page.links import base_url, declared_canonical, out_links, safe_url
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import fingerprint
from dehusk.sites.frontier import CrawlScope, Frontier, is_same
from dehusk.sites.politeness import DEFAULT_DELAY, Pace, PoliteFetcher
from dehusk.sites.site_of import host_of
from dehusk.sites.sitemaps import listed_pages
from dehusk.sources.fetching import PAGES, Fetcher, HttpFetcher, checked_url
from dehusk.sources.raw_page import RawPage

MOST_REQUESTS: Final = 5
"""Requests per page wanted. Duplicates and failures are common, but not four out of five pages."""

FEWEST_REQUESTS: Final = 20
"""Requests that even the smallest crawl may make."""

MOST_LINKS: Final = 10_000
"""Links considered per page. Site maps for people have thousands; adding one takes 60 microseconds."""

LONGEST_DELAY: Final = 86_400
"""Seconds between requests: a day. Nobody means more, and systems sleep no longer than some years."""

MOST_IN_TROUBLE: Final = 10
"""Consecutive server failures after which the crawl stops."""

Report = Callable[[DehuskError], None]

WHOLE_SITE: Final = CrawlScope()
_TROUBLE: Final = (ServerFailed, TooSlow, Unreachable)


Told = Callable[[Mapping[str, int]], None]
"""Takes reasons for not fetching URLs, and how many have each."""


@checked
def crawl(  # noqa: PLR0913 - settings as parameters, as users of a library expect
    url: str,
    pages: int | None = 200,
    *,
    scope: CrawlScope = WHOLE_SITE,
    seed: int = 0,
    delay: float | Pace = DEFAULT_DELAY,
    fetcher: Fetcher | None = None,
    known: Iterable[RawPage] = (),
    on_failure: Report | None = None,
    on_left_out: Told | None = None,
) -> Iterator[RawPage]:
    """Fetch pages of a site one by one, in the order in which links lead to them.

    Arguments:
        url: where to start: any page of the site.
        pages: how many; None for all.
        scope: which pages. With `CrawlScope(sample=True)` they are spread over all kinds of URLs.
        seed: for samples: the same one chooses the same pages as long as the site does not change.
        delay: seconds between requests; robots.txt may ask for more.
        fetcher: what fetches pages; by default an `HttpFetcher`.
        known: pages of an earlier crawl of this site: they count, but are neither fetched nor returned again.
        on_failure: takes the error of each page that was not fetched or not kept.
        on_left_out: takes, at the end, reasons why URLs were not fetched, and how many have each.

    Returns:
        An iterator of pages, fetched one by one.

    Raises:
        FetchError: the start page cannot be fetched. Failures of other pages raise nothing.
        InvalidSetting: `pages` is less than 1.
        MissingExtra: httpx is not installed.

    >>> class Site:  # instead of the web
    ...     def fetch(self, url, expected, check):
    ...         check(url)
    ...         if "robots" in url or "sitemap" in url:
    ...             raise dehusk.NotServed(url, "status 404")
    ...         return dehusk.RawPage(f"<p>{url} <a href=/tea>tea</a>".encode(), url, url)
    >>> [page.url for page in dehusk.crawl("http://a.example/", 2, fetcher=Site(), delay=0)]
    ['http://a.example/', 'http://a.example/tea']
    """
    if pages is not None and pages < 1:
        raise InvalidSetting("pages", f"{pages} is not a number of pages", "ask for at least one")
    if not isinstance(delay, Pace) and not 0 <= delay <= LONGEST_DELAY:
        raise InvalidSetting("delay", f"{delay} is not between 0 and {LONGEST_DELAY:,} seconds", "choose one or two")
    with ExitStack() as opened:
        polite = PoliteFetcher(
            fetcher or opened.enter_context(HttpFetcher()), delay if isinstance(delay, Pace) else Pace(delay)
        )
        crawled = _Crawl(checked_url(url), pages or sys.maxsize, seed, polite, on_failure or _ignore, scope)
        yield from crawled.run(each(known, RawPage, "known"))
        if on_left_out is not None:
            on_left_out(crawled.left_out())


def refresh(known: Iterable[RawPage], fetcher: Fetcher, delay: float | Pace, on_failure: Report) -> Iterator[RawPage]:
    """Fetch the pages of an earlier crawl again; yield those that have changed, or may have."""
    polite = PoliteFetcher(fetcher, delay if isinstance(delay, Pace) else Pace(delay))
    for raw_page in known:
        expected = replace(PAGES, etag=raw_page.header("etag"), last_modified=raw_page.header("last-modified"))
        try:
            fresh = polite.fetch(raw_page.label, expected, _stays_at(host_of(raw_page.url)))
        except FetchError as error:
            on_failure(error)
        else:
            if fresh.body == raw_page.body and fresh.url == raw_page.url:
                on_failure(NotChanged(raw_page.label, "the page has not changed"))
            else:
                yield fresh


def _stays_at(site: str) -> Callable[[str], None]:
    """A check that no redirect leads to another site: the domain may have changed hands."""

    def check(address: str) -> None:
        if host_of(address) != site:
            raise NotServed(address, f"is not on {site}")

    return check


class _Crawl:
    def __init__(
        self, start: str, pages: int, seed: int, fetcher: PoliteFetcher, report: Report, scope: CrawlScope
    ) -> None:
        self._start = start
        self._scope = scope
        self._pages = pages
        self._seed = seed
        self._fetcher = fetcher
        self._report = report
        self._frontier = Frontier(host_of(start), pages, seed, scope)
        self._words: set[bytes] = set()
        self._kept = 0
        self._troubles = 0

    def run(self, known: Iterable[RawPage]) -> Iterator[RawPage]:
        self._take_known(known)
        if not self._kept:
            yield self._first()
        if self._kept < self._pages:
            self._frontier.add(self._listed())
        for _ in range(max(FEWEST_REQUESTS, MOST_REQUESTS * self._pages)):
            url = self._frontier.next() if self._kept < self._pages and self._troubles < MOST_IN_TROUBLE else ""
            if not url:
                return
            try:
                raw_page = self._fetcher.fetch(url, PAGES, self._redirect_check(url))
                self._troubles = 0
                self._take(raw_page)
            except (FetchError, PageError) as error:
                self._troubles += isinstance(error, _TROUBLE)
                self._report(error)
            else:
                yield raw_page

    def left_out(self) -> dict[str, int]:
        """Why URLs were not fetched -> how many."""
        if self._kept >= self._pages:
            return self._frontier.left_out("beyond the number of pages (--pages)")
        if self._troubles >= MOST_IN_TROUBLE:
            return self._frontier.left_out(f"after {MOST_IN_TROUBLE} failures in a row")
        return self._frontier.left_out(f"beyond {MOST_REQUESTS} requests per page asked for")

    def _take_known(self, known: Iterable[RawPage]) -> None:
        for raw_page in known:
            if not self._kept:
                self._begin_again(raw_page)
            try:
                self._take(raw_page)
            except (FetchError, PageError) as error:
                self._report(error)

    def _begin_again(self, first: RawPage) -> None:
        """Start from the first page of the earlier crawl, its start page after redirects."""
        if host_of(self._start) not in {host_of(first.name), host_of(first.url)}:
            raise InvalidSetting(
                self._start, f"the known pages are from {host_of(first.url)}", "keep each site in its own output"
            )
        self._begin(first.url)

    def _first(self) -> RawPage:
        raw_page = self._fetcher.fetch(self._start)
        self._begin(raw_page.url)
        self._take(raw_page)
        return raw_page

    def _begin(self, url: str) -> None:
        self._start = url
        self._frontier = Frontier(host_of(url), self._pages, self._seed, self._scope)

    def _take(self, raw_page: RawPage) -> None:
        """Keep a page and queue its links; raises `RepeatedPage` for duplicates."""
        page = read_page(raw_page)
        own = [address for address in (raw_page.name, raw_page.url) if self._frontier.has(address)]
        canonical = self._canonical(page)
        is_done = bool(canonical) and self._frontier.is_done(canonical)
        is_own = any(is_same(canonical, address) for address in own)
        for address in own:
            self._frontier.mark(address)
        depth = max(map(self._frontier.depth_of, own), default=0)
        self._frontier.add(dict.fromkeys(islice(out_links(page), MOST_LINKS)), depth + 1)
        if is_done and not is_own:
            raise RepeatedPage(raw_page.label, f"duplicates {canonical}")
        words = fingerprint(page)
        if words in self._words:
            raise RepeatedPage(raw_page.label, "has the same words as another page")
        if canonical:
            self._frontier.exclude(canonical)
        self._words.add(words)
        self._kept += 1

    def _canonical(self, page: Page) -> str:
        """The canonical URL, if it is credible: many templates name the front page on every page."""
        declared = declared_canonical(page)
        address = safe_url(declared, base_url(page)) if declared else ""
        if not address or not self._frontier.has(address) or urlsplit(address).path in {"", "/"}:
            return ""
        return address

    def _redirect_check(self, asked: str) -> Callable[[str], None]:
        def check(address: str) -> None:
            if is_same(address, asked):
                return
            if not self._frontier.has(address):
                raise NotServed(asked, f"redirects to another site, {host_of(address)}")
            if self._frontier.is_done(address):
                raise RepeatedPage(asked, f"redirects to {address}, which was already fetched")

        return check

    def _listed(self) -> Iterator[str]:
        """URLs from the site's sitemaps."""
        rules = self._fetcher.rules(self._start)
        sitemaps = [*rules.sitemaps, urljoin(self._start, "/sitemap.xml")]
        return listed_pages(sitemaps, self._fetcher.fetch, Random(self._seed), self._report)


def _ignore(error: DehuskError) -> None:
    """Discard a failure report."""
