"""Safe addresses by Python's `urllib.parse`, step by step: a twin of `native/src/addresses`."""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin, urlsplit

from dehusk.page.characters import encodable

_ABSOLUTE = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9%/:=&?~#+!$,;@_.*()-]*)?")
_NOT_IN_HOST = re.compile(r"[\x00-\x20<>\\^|\x7f]")


def safe_address(address: str, base: str) -> str:
    """What `safe_url` gives."""
    if _ABSOLUTE.fullmatch(address):
        return address
    stripped = re.sub("[\t\n\r]", "", address).strip("".join(map(chr, range(33))))
    joined = joined_address(base, stripped)
    try:
        parts = urlsplit(joined)
    except ValueError:
        return ""
    if _NOT_IN_HOST.search(parts.netloc) or (parts.scheme in {"http", "https", "ftp"} and not parts.netloc):
        return ""
    if parts.scheme not in {"", "http", "https", "mailto", "tel", "ftp"}:
        return ""
    if not parts.scheme and ":" in joined.split("/")[0]:
        return ""
    return quote(encodable(joined), safe="%/:=&?~#+!$,;@-._[]*()")


def joined_address(base: str, address: str) -> str:
    """An address as seen from a base; it stays as it is if one of them is broken."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address
