"""Addresses that a site lists itself: sitemap.xml, indexes of these, and packed ones.

Of the XML only `<loc>` is looked for, by a pattern that reads each byte once: no entities, no external files, and a
file that is broken half-way gives what it has until there. Of large indexes some sitemaps are taken by chance.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from random import Random
from typing import Final

from dehusk.errors import FetchError, NotServed
from dehusk.sources.fetching import LONGEST_URL, Expected
from dehusk.sources.raw_page import RawPage
from dehusk.sources.unpacking import GZIP_MAGIC, Damaged, beginning, unpack

MOST_BYTES: Final = 10_000_000
"""Of a sitemap, unpacked. The format allows 50 MB; the first 10 have more addresses than a sample needs."""

MOST_FILES: Final = 10
"""Sitemaps of a site that are fetched. They are not pages, and cost the site the same."""

MOST_ADDRESSES: Final = 50_000
"""Of all sitemaps together: what the format allows for one."""

SITEMAPS: Final = Expected(most_bytes=MOST_BYTES, cut=True)

_LOCATION: Final = re.compile(rf"<(?:[a-z]{{1,20}}:)?loc>\s{{0,100}}(?:<!\[CDATA\[)?([^<>]{{1,{LONGEST_URL}}})")
_INDEX: Final = re.compile(r"<(?:[a-z]{1,20}:)?sitemapindex[\s>]")
_HEAD: Final = 5000
"""Characters in which an index says that it is one; style sheets and comments may come before."""


def listed_pages(
    sitemaps: Iterable[str],
    fetch: Callable[[str, Expected], RawPage],
    chance: Random,
    on_failure: Callable[[FetchError], None],
) -> Iterator[str]:
    """The addresses in these sitemaps and in those they list, not more than `MOST_ADDRESSES`."""
    waiting = deque(dict.fromkeys(sitemaps))
    seen = set(waiting)
    left = MOST_ADDRESSES
    for _ in range(MOST_FILES):
        if not waiting or left <= 0:
            return
        try:
            text = _text(fetch(waiting.popleft(), SITEMAPS))
        except NotServed:
            continue  # most sites have none at the usual place
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


def locations(text: str) -> list[str]:
    """What stands in the `<loc>` elements of a sitemap."""
    return [unescape(address.strip().removesuffix("]]")) for address in _LOCATION.findall(text)]


def _text(raw_page: RawPage) -> str:
    """Servers send `.xml.gz` as a file of its own, not as a content coding."""
    body = raw_page.body
    if body.startswith(GZIP_MAGIC):
        try:
            body = beginning(unpack([body], "gzip"), MOST_BYTES)
        except Damaged as error:
            raise FetchError(raw_page.label, str(error)) from error
    return body.decode("utf-8", "replace")
