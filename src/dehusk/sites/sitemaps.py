"""URLs from a site's sitemaps: sitemap.xml, sitemap indexes, and gzipped ones.

Only `<loc>` is extracted from the XML, by a pattern that reads each byte once: no entities, no external files, and a
truncated file yields the URLs before the break. From large indexes a random sample of sitemaps is taken.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from random import Random
from typing import Final

from dehusk.errors import FetchError, NotServed
from dehusk.sources.decompression import GZIP_MAGIC, Damaged, beginning, decompress
from dehusk.sources.fetching import LONGEST_URL, Expected
from dehusk.sources.raw_page import RawPage

MOST_BYTES: Final = 10_000_000
"""Most bytes of a sitemap, decompressed. The format allows 50 MB; the first 10 hold more URLs than a sample needs."""

MOST_FILES: Final = 10
"""Sitemaps fetched per site. They are not pages, but cost the site as much."""

MOST_ADDRESSES: Final = 50_000
"""URLs from all sitemaps together: what the format allows for one file."""

SITEMAPS: Final = Expected(most_bytes=MOST_BYTES, cut=True)

_LOCATION: Final = re.compile(rf"<(?:[a-z]{{1,20}}:)?loc>\s{{0,100}}(?:<!\[CDATA\[)?([^<>]{{1,{LONGEST_URL}}})")
_INDEX: Final = re.compile(r"<(?:[a-z]{1,20}:)?sitemapindex[\s>]")
_ROOT: Final = re.compile(r"<(?:[a-z]{1,20}:)?(?:urlset|sitemapindex)[\s>]")
_HEAD: Final = 5000
"""Characters searched for the root element of an index; style sheets and comments may come before it."""


def listed_pages(
    sitemaps: Iterable[str],
    fetch: Callable[[str, Expected], RawPage],
    chance: Random,
    on_failure: Callable[[FetchError], None],
) -> Iterator[str]:
    """The URLs in these sitemaps and in those they list, at most `MOST_ADDRESSES`."""
    waiting = deque(dict.fromkeys(sitemaps))
    seen = set(waiting)
    left = MOST_ADDRESSES
    for _ in range(MOST_FILES):
        if not waiting or left <= 0:
            return
        try:
            text = sitemap_text(fetch(waiting.popleft(), SITEMAPS))
        except NotServed:
            continue  # most sites have none at the default path
        except FetchError as error:
            on_failure(error)
            continue
        addresses = locations(text)
        if _INDEX.search(text, 0, _HEAD):
            new = [address for address in dict.fromkeys(addresses) if address not in seen]
            waiting.extend(chance.sample(new, min(len(new), MOST_FILES)))
            seen.update(new)
        else:
            yield from addresses[:left]
            left -= len(addresses)


def is_sitemap(text: str) -> bool:
    """Whether a text is a sitemap, or an index of some."""
    return bool(_ROOT.search(text, 0, _HEAD))


def locations(text: str) -> list[str]:
    """The URLs in the `<loc>` elements of a sitemap."""
    return [unescape(address.strip().removesuffix("]]")) for address in _LOCATION.findall(text)]


def sitemap_text(raw_page: RawPage) -> str:
    """The decoded text; servers send `.xml.gz` as a gzip file, not as a content coding."""
    body = raw_page.body
    if body.startswith(GZIP_MAGIC):
        try:
            body = beginning(decompress([body], "gzip"), MOST_BYTES)
        except Damaged as error:
            raise FetchError(raw_page.label, str(error)) from error
    return body.decode("utf-8", "replace")
