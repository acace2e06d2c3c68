"""Bodies of pages as they are stored -> what can be cleaned: unpacked, and neither empty nor something else than html.

All sources bring their pages here, and `read_page` does with bytes that a program gives it.
"""

from __future__ import annotations

from dataclasses import replace

from dehusk.errors import PageSkipped, PageTooLarge
from dehusk.limits import Limits
from dehusk.sources.file_types import GZIP, is_strange, nothing_to_clean
from dehusk.sources.raw_page import RawPage


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
