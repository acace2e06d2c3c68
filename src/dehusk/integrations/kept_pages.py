"""Where tools get their pages from: the web, under the rules of a crawl, and files below one folder.

Pages from the web are kept for a while, as long pages are asked for part by part, and so are the models of sites.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from dehusk.errors import DehuskError, NotFollowed, NotHtml, SourceNotFound
from dehusk.methods.base import Model
from dehusk.sites.crawling import crawl
from dehusk.sites.politeness import DEFAULT_DELAY, Pace, PoliteFetcher
from dehusk.sites.site_of import host_of
from dehusk.sources.fetching import Fetcher, HttpFetcher, checked_url, user_agent
from dehusk.sources.files import PageFile, read_file
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import find_reader

KEPT_BYTES: Final = 32_000_000
"""Bytes of pages that are kept; the oldest go first. Some hundreds of the usual size (0.1 MB)."""
KEPT_SECONDS: Final = 600.0
"""Time after which a page is fetched again: long enough to read it part by part, short enough for news."""
KEPT_MODELS: Final = 8
"""Sites whose models are kept; one takes up to a few megabytes."""


@dataclass(frozen=True)
class Access:
    """What tools may read."""

    folder: Path = field(default_factory=Path.cwd)
    """Files below it, and no others."""
    allow_private: bool = False
    """Whether to fetch from this machine and from private networks."""
    render: bool = False
    """Whether pages are fetched with a browser."""
    contact: str = ""
    """Sent to sites in the User-Agent."""
    delay: float = DEFAULT_DELAY
    """Seconds between requests to a site; robots.txt may ask for more."""


class KeptPages:
    """Fetches and reads pages. Threads may share it: there is one request at a time."""

    def __init__(self, access: Access, clock: Callable[[], float] = time.monotonic) -> None:
        self._access, self._clock = access, clock
        self._folder = os.path.realpath(access.folder)
        self._pages: OrderedDict[str, tuple[RawPage, float]] = OrderedDict()
        """By address: the page, and when it was fetched."""
        self._models: OrderedDict[str, Model] = OrderedDict()
        self._lock = threading.Lock()
        self._pace = Pace(access.delay)
        self._opened = ExitStack()
        self._fetchers: tuple[Fetcher, PoliteFetcher] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    def page_at(self, url: str) -> RawPage:
        """The page at an address: one that is kept, or fetched now."""
        address = checked_url(url)
        with self._lock:
            kept, fetched_at = self._pages.get(address, (None, 0.0))
            if kept is not None and self._clock() - fetched_at < KEPT_SECONDS:
                self._pages.move_to_end(address)
                return kept
            raw = self._fetcher()[1].fetch(address)
            self._keep(address, raw)
            return raw

    def pages_of_site(
        self, url: str, most: int, seconds: float, on_failure: Callable[[DehuskError], Any]
    ) -> Iterator[RawPage]:
        """Pages of a site that are fetched within so many seconds, a few more for the last one. They are kept."""
        ends = self._clock() + seconds
        with self._lock:
            fetcher, _ = self._fetcher()
            for raw in crawl(url, most, fetcher=fetcher, delay=self._pace, on_failure=on_failure):
                self._keep(raw.url, raw)
                yield raw
                if self._clock() >= ends:
                    return

    def model_of(self, url: str) -> Model | None:
        """The model of the page's site, if it was learnt."""
        return self._models.get(host_of(url))

    def keep_model(self, url: str, model: Model) -> None:
        """Keep the model of a site."""
        self._models[host_of(url)] = model
        while len(self._models) > KEPT_MODELS:
            self._models.popitem(last=False)

    def file_at(self, path: str) -> RawPage:
        """The page in a file below the folder; neither links nor `..` lead out of it."""
        found = _real_path(self._folder, path)
        if not found:
            cause = "is not below the folder that this server may read"
            raise NotFollowed(path, cause, "name a file below it, or start the server with another --folder")
        if not os.path.exists(found):
            raise SourceNotFound(path, "no such file", "name it relative to the folder of the server")
        if not os.path.isfile(found):
            raise NotFollowed(path, "is a folder, a pipe or a device, not a file", "name a file")
        if find_reader(found):
            raise NotHtml(path, "is an archive of pages, not a page", "clean it with `dehusk clean`")
        return read_file(PageFile(found, path, RawPage(b"", name=path)))

    def _keep(self, address: str, raw: RawPage) -> None:
        self._pages[address] = raw, self._clock()
        self._pages.move_to_end(address)
        while sum(len(page.body) for page, _ in self._pages.values()) > KEPT_BYTES and len(self._pages) > 1:
            self._pages.popitem(last=False)

    def _fetcher(self) -> tuple[Fetcher, PoliteFetcher]:
        """The fetcher, opened when it is first needed, by itself and with the rules of a crawl."""
        if self._fetchers is None:
            access = self._access
            agent = user_agent(access.contact)
            fetcher: Fetcher = self._opened.enter_context(HttpFetcher(allow_private=access.allow_private, agent=agent))
            if access.render:
                from dehusk.sites.rendering import BrowserFetcher

                fetcher = self._opened.enter_context(BrowserFetcher(fetcher))
            self._fetchers = fetcher, PoliteFetcher(fetcher, self._pace)
        return self._fetchers


def _real_path(folder: str, path: str) -> str:
    """The path with all links followed; empty if it leads out of the folder."""
    if "\0" in path:
        return ""
    found = os.path.realpath(os.path.join(folder, path))
    try:
        return found if os.path.commonpath([folder, found]) == folder else ""
    except ValueError:  # on another drive
        return ""
