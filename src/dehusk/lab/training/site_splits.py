"""Which pages are trained on and which are kept aside: always whole sites, and sites of one owner together."""

from __future__ import annotations

from urllib.parse import urlsplit
from zlib import crc32

from dehusk.lab.gold.corpora import GoldPage
from dehusk.sites import site_of


def registered_domain(url: str) -> str:
    """The registered part of an address's host; empty if it has none."""
    try:
        return site_of.registered_domain(urlsplit(url.strip()).hostname or "")
    except ValueError:
        return ""


def site_of_labelled(page: GoldPage) -> str:
    """What tells the site of a labelled page from others: its registered domain, or what its data set calls it."""
    return registered_domain(page.raw.url) or page.site or page.raw.label


def fold_of(site: str, folds: int) -> int:
    """The fold a site is in, the same on every machine."""
    return crc32(site.encode("utf-8", "surrogatepass")) % folds
