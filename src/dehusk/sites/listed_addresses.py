"""The URLs that a site lists of itself: in its sitemaps and feeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final
from urllib.parse import urljoin

import numpy as np

from dehusk.errors import FetchError
from dehusk.page.links import base_url, safe_url
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.page.tags import TAG_CODES
from dehusk.sites.feeds import feed_entries, is_feed
from dehusk.sites.politeness import PoliteFetcher
from dehusk.sites.sitemaps import SITEMAPS, is_sitemap, listed_pages, locations, sitemap_text
from dehusk.sources.raw_page import RawPage

MOST_FEEDS: Final = 5
"""Feeds of a page that are fetched: sites declare one for all entries, and some one for each section."""
_FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


def addresses_in(raw: RawPage) -> list[str] | None:
    """The URLs in a sitemap or feed; None if it is neither."""
    text = sitemap_text(raw)
    if is_sitemap(text):
        return locations(text)
    return feed_entries(text, raw.url) if is_feed(text) else None


def listed_by(url: str, fetcher: PoliteFetcher, on_failure: Callable[[FetchError], None]) -> Iterator[str]:
    """The URLs listed at a URL: that of a sitemap, of a feed, or of any page of a site, whose sitemaps (those that
    robots.txt names, and `/sitemap.xml`) and declared feeds are read."""
    raw = fetcher.fetch(url, SITEMAPS)
    text = sitemap_text(raw)
    if is_sitemap(text):
        yield from listed_pages([raw.url], fetcher.fetch, Random(0), on_failure)
        return
    found = addresses_in(raw)
    if found is not None:
        yield from found
        return
    sitemaps = [*fetcher.rules(raw.url).sitemaps, urljoin(raw.url, "/sitemap.xml")]
    yield from listed_pages(sitemaps, fetcher.fetch, Random(0), on_failure)
    for feed in declared_feeds(read_page(raw))[:MOST_FEEDS]:
        try:
            yield from addresses_in(fetcher.fetch(feed, SITEMAPS)) or ()
        except FetchError as error:
            on_failure(error)


def declared_feeds(page: Page) -> list[str]:
    """The URLs of the feeds that a page declares."""
    base = base_url(page)
    links = [page.attributes(row) for row in np.flatnonzero(page.tag == TAG_CODES["link"]).tolist()]
    feeds = [link for link in links if link.get("type", "").strip().lower() in _FEED_TYPES]
    return list(dict.fromkeys(url for link in feeds if (url := safe_url(link.get("href", ""), base))))
