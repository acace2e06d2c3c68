"""The site a page belongs to: the host it was fetched from, or that it declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from dehusk.page.page_columns import Page

_SECOND_LEVEL: Final = frozenset("ac co com edu go gob gov gr ne net or org".split())
"""Second-level names under country domains that are public suffixes: `example.co.uk`."""


def site_of(page: Page) -> str:
    """The host of the page's URL or else of its canonical URL, without `www.`; empty if it has neither."""
    for address in (page.url, *_declared_addresses(page)):
        if host := host_of(address):
            return host
    return ""


def _declared_addresses(page: Page) -> Iterator[str]:
    """`<link rel=canonical>`, then `<meta property=og:url>`."""
    for row, value in page.with_attribute("rel"):
        if "canonical" in value.lower().split():
            yield page.attributes(row).get("href", "")
    for row, value in page.with_attribute("property"):
        if value.strip().lower() == "og:url":
            yield page.attributes(row).get("content", "")


def host_of(address: str) -> str:
    """The host of a URL, without `www.`; empty if there is none."""
    try:
        return (urlsplit(address.strip()).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def registered_domain(host: str) -> str:
    """The registered domain of a host, by a rule of thumb.

    turbohtml has a public suffix list, but only behind a private function, and it would move pages between folds and
    buckets (of `a.github.io`, or of reserved names such as `www.a.example`).
    """
    labels = host.split(".")
    if labels[-1].isdigit():
        return host
    own = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL else 2
    return ".".join(labels[-own:])
