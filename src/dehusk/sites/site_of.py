"""The site a page belongs to: the host it was fetched from, or says it is from."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from dehusk.page.columns import Page


def site_of(page: Page) -> str:
    """The host of the page's URL or else of its canonical address, without `www.`; empty if it does not say."""
    for address in (page.url, *_declared_addresses(page)):
        if host := site_of_address(address):
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


def site_of_address(address: str) -> str:
    """The host of an address, without `www.`; empty if it has none."""
    try:
        return (urlsplit(address.strip()).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
