"""Which pages are trained on and which are kept aside: always whole sites, and sites of one owner together."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit
from zlib import crc32

from dehusk.gold.corpora import GoldPage

_SECOND_LEVEL: Final = frozenset("ac co com edu go gob gov gr ne net or org".split())
"""Names below a country's that are not anybody's own: `example.co.uk`."""


def registered_domain(url: str) -> str:
    """The part of the host that somebody registered, by rule of thumb; empty if the address has no host."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    labels = host.split(".")
    if labels[-1].isdigit():
        return host
    own = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL else 2
    return ".".join(labels[-own:])


def site_of_labelled(page: GoldPage) -> str:
    """What tells the site of a labelled page from others: its registered domain, or what its data set calls it."""
    return registered_domain(page.raw.url) or page.site or page.raw.label


def fold_of(site: str, folds: int) -> int:
    """The fold a site is in, the same on every machine."""
    return crc32(site.encode("utf-8", "surrogatepass")) % folds
