"""Bodies of pages as they are stored -> what can be cleaned: unpacked, and neither empty nor something else than html.

All sources bring their pages here, and `read_page` does with bytes that a program gives it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from dehusk.errors import PageSkipped, PageTooLarge
from dehusk.limits import Limits
from dehusk.sources.file_types import nothing_to_clean
from dehusk.sources.raw_page import RawPage

GZIP: Final = b"\x1f\x8b\x08"
"""How gzip begins; there is only one method of compression."""
_HEAD: Final = 1024
_STRANGE: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Bytes of characters that no text has. UTF-16 may have them, too; and NUL bytes fill up pages."""
_BYTES_A_STRANGE: Final = 40
"""Of compressed bytes every tenth is strange; of text less than one in so many."""


def page_to_clean(raw: RawPage, limits: Limits) -> RawPage | PageSkipped | PageTooLarge:
    """The page, unpacked if its body is compressed; or why it cannot be cleaned."""
    try:
        body = unpacked_body(raw.body, raw.label, limits)
    except (PageSkipped, PageTooLarge) as error:
        return error
    page = raw if body is raw.body else replace(raw, body=body)
    return nothing_to_clean(page) or page


def unpacked_body(body: bytes, label: str, limits: Limits) -> bytes:
    """The body itself, or what it holds if it is compressed. Raises `PageTooLarge`, and `NotHtml` for damaged gzip."""
    if not (body.startswith(GZIP) or is_strange(body)):
        return body
    from dehusk.sources.packed_bodies import unpacked  # few bodies need what it imports

    return unpacked(body, label, limits)


def is_strange(body: bytes) -> bool:
    """Whether bytes begin with some that no text has."""
    if body.startswith(b"<"):
        return False
    head = body[:_HEAD].replace(b"\0", b"")
    return len(_STRANGE.findall(head)) * _BYTES_A_STRANGE > len(head)
