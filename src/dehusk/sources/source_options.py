"""What every reader is given and gives: a path and options, a stream of pages and of what could not be read.

A fault is an item of the stream and not an exception, so that a reader goes on behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, TypeAlias

from dehusk.errors import OutOfMemory, PageSkipped, PageTooLarge, SourceError, SourceUnreadable
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.sources.http_bodies import Headers
from dehusk.sources.raw_page import RawPage


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How sources are read."""

    limits: Limits = DEFAULT_LIMITS
    check_digests: bool = False
    """Whether records of WARC files whose digest is not that of their bytes are faults."""
    html_field: str = ""
    """The column or field that holds the pages; by default it is guessed by its name."""
    url_field: str = ""
    """The same for their addresses."""
    follow_links: bool = False
    """Whether links in a folder are followed out of it."""


Fault: TypeAlias = SourceError | PageTooLarge | OutOfMemory | PageSkipped
Found: TypeAlias = RawPage | Fault
Reader: TypeAlias = Callable[[str, SourceOptions], Iterator[Found]]

ALREADY_DECODED: Final = (("Content-Type", "text/html; charset=utf-8"),)
"""The headers of pages that were stored as text: what they say of their encoding was true before."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LONGEST_LABEL: Final = 300
"""Characters of a member's name that messages show."""


def open_binary(path: str) -> BinaryIO:
    """The file, to be closed by the caller."""
    try:
        return open(path, "rb")
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(label: str, cause: BaseException | str, remedy: str = "") -> SourceUnreadable:
    """The fault for an exception of whatever library read it."""
    if isinstance(cause, OSError) and cause.strerror:
        return SourceUnreadable(label, cause.strerror.lower(), remedy or "check its permissions, or leave it out")
    return SourceUnreadable(label, shown(str(cause) or type(cause).__name__), remedy or "leave it out")


def too_large(label: str, limits: Limits) -> PageTooLarge:
    """The fault for a page of more bytes than are read."""
    return PageTooLarge(label, f"more than {limits.bytes:,} bytes", "raise Limits.bytes to read it")


def shown(text: str) -> str:
    """A name out of a file as a message can show it: on one line, and not endless."""
    return _CONTROLS.sub("\ufffd", text[:_LONGEST_LABEL])


def page_of_text(html: str, url: str, name: str, fetched_at: str, headers: Headers = ()) -> RawPage:
    """A page that was stored as text."""
    return RawPage(html.encode("utf-8", "replace"), url, name, ALREADY_DECODED + headers, fetched_at)
