"""Pages that the command line names by address: fetched under the rules of a crawl, one at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

from dehusk.sites.politeness import Pace, PoliteFetcher
from dehusk.sources.fetching import HttpFetcher
from dehusk.sources.files import PageFile

_LONGEST_NAME = 120
"""Characters of a file name made of an address; systems take 255 bytes."""


@contextmanager
def fetching(allow_private: bool) -> Iterator[Callable[[str], PageFile]]:
    """A function that fetches a page. What it needs is there only if it is called."""
    with ExitStack() as opened:

        @cache
        def fetcher() -> PoliteFetcher:
            return PoliteFetcher(opened.enter_context(HttpFetcher(allow_private=allow_private)), Pace())

        yield lambda url: PageFile(url, file_name(url), stored=fetcher().fetch(url))


def is_address(path: str) -> bool:
    """Whether something is to be fetched, not to be read from disk."""
    return path.lower().startswith(("http://", "https://"))


def file_name(url: str) -> str:
    """A name for the page's result: its address, with only what every file system takes."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", url.partition("://")[2].partition("#")[0])
    return f"{name[:_LONGEST_NAME].strip('.-') or 'page'}.html"
