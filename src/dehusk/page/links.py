"""Link targets: absolute, and safe to follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

import numpy as np

from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES, TagSet

SAFE_SCHEMES: Final = frozenset({"", "http", "https", "mailto", "tel", "ftp"})
"""Schemes that neither run script nor carry data; the empty one is a relative link."""

_ABSOLUTE: Final = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9%/:=&?~#+!$,;@_.-]*)?")
"""URLs that need no further checks: most of them, and checking takes longer than all else about a link."""
_LONGEST_BASE: Final = 2000
"""Characters of a base address, which is repeated in every link; longer ones work in no browser's address bar."""

_WITH_HOST: Final = frozenset({"http", "https", "ftp"})
"""Schemes whose links are broken without a host: `http:///`."""
_NOT_IN_HOST: Final = re.compile(r"[\x00-\x20<>\\^|\x7f]")
"""Forbidden in host names (https://url.spec.whatwg.org/#forbidden-host-code-point): such a link is broken."""

# What a URL may hold as it is; everything else is percent-encoded, so that no URL breaks the syntax around it.
_URL_CHARACTERS: Final = "%/:=&?~#+!$,;@-._[]"


def base_url(page: Page) -> str:
    """The base of relative links: the page's `<base href>`, resolved against its URL.

    A page from a file has no URL; its canonical URL serves as well.
    """
    url = page.url or declared_canonical(page)
    for row in np.flatnonzero(page.tag == TAG_CODES["base"]).tolist():
        value = page.attributes(row).get("href")
        if value is not None and len(value) <= _LONGEST_BASE:
            return _join(url, value)
    return url


def declared_canonical(page: Page) -> str:
    """The target of `<link rel=canonical>`, as written; empty if there is none."""
    for row in np.flatnonzero(page.tag == TAG_CODES["link"]).tolist():
        attributes = page.attributes(row)
        address = attributes.get("href", "").strip()
        if attributes.get("rel", "").strip().lower() == "canonical" and len(address) <= _LONGEST_BASE:
            return address
    return ""


def out_links(page: Page) -> Iterator[str]:
    """The absolute link targets of a page, with repetitions; without `nofollow` links."""
    if _asks_not_to_follow(page):
        return
    base = base_url(page)
    for row in np.flatnonzero(page.tagged(TagSet.LINK)).tolist():
        attributes = page.attributes(row)
        if "href" in attributes and "nofollow" not in attributes.get("rel", "").lower().split():
            yield safe_url(attributes["href"], base)


def _asks_not_to_follow(page: Page) -> bool:
    """Whether the page has `<meta name=robots content=nofollow>`."""
    return any(
        value.strip().lower() == "robots" and "nofollow" in page.attributes(row).get("content", "").lower()
        for row, value in page.with_attribute("name")
    )


def safe_url(address: str, base: str) -> str:
    """The absolute, percent-encoded URL, or the empty string if following it could do harm."""
    if _ABSOLUTE.fullmatch(address):
        return address
    # Browsers drop tabs, newlines and leading control characters before they read the scheme.
    stripped = "".join(address.split("\t")).replace("\n", "").replace("\r", "").strip("".join(map(chr, range(33))))
    joined = _join(base, stripped)
    try:
        parts = urlsplit(joined)
    except ValueError:
        return ""
    scheme = parts.scheme.lower()
    if _NOT_IN_HOST.search(parts.netloc) or (scheme in _WITH_HOST and not parts.netloc):
        return ""
    if scheme not in SAFE_SCHEMES or (not scheme and ":" in joined.split("/")[0]):
        return ""
    return quote(encodable(joined), safe=_URL_CHARACTERS)


def _join(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return address
