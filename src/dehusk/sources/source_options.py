"""The interface of readers: from a path and options to a stream of pages and faults.

A fault is an item of the stream, not an exception, so that a reader can continue after it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import BinaryIO, Final, TypeAlias

from dehusk.errors import OutOfMemory, PageSkipped, PageTooLarge, SourceError, SourceUnreadable
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.sources.raw_page import Headers, RawPage


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How to read sources."""

    limits: Limits = DEFAULT_LIMITS
    check_digests: bool = False
    """Whether WARC records with a wrong digest are faults."""
    html_field: str = ""
    """The column or field with the pages; by default guessed by its name."""
    url_field: str = ""
    """The same for their URLs."""
    text_field: str = ""
    """The column or field with pages as plain text, one paragraph per line, if there is no html."""
    time_field: str = ""
    headers_field: str = ""
    """The columns or fields with the time of fetching and with response headers."""
    follow_links: bool = False
    """Whether to follow links that lead out of a folder."""
    file_bytes: int = 0
    """Most bytes of pages that a file of many may hold; 0 for a hundred times its size, or 100 MB if that is more."""
    on_style: Callable[[str, bytes], None] | None = None
    """Takes the URL and content of each style sheet in WARC and MHTML files; None leaves them out."""


Fault: TypeAlias = SourceError | PageTooLarge | OutOfMemory | PageSkipped
Found: TypeAlias = RawPage | Fault
Reader: TypeAlias = Callable[[str, SourceOptions], Iterator[Found]]

ALREADY_DECODED: Final = (("Content-Type", "text/html; charset=utf-8"),)
"""Headers of pages that were stored as text: the encoding they declare no longer applies."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LONGEST_LABEL: Final = 300
"""Characters of a name that messages show."""


def open_binary(path: str) -> BinaryIO:
    """Open a file; the caller closes it. A pipe that nobody writes to is an error."""
    try:
        if not stat.S_ISFIFO(os.stat(path).st_mode):
            return open(path, "rb")
        from dehusk.sources.pipes import open_pipe  # hardly ever needed

        return open_pipe(path)
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(label: str, cause: BaseException | str, remedy: str = "") -> SourceUnreadable:
    """The fault for an exception of any library."""
    if isinstance(cause, OSError) and cause.strerror:
        return SourceUnreadable(label, cause.strerror.lower(), remedy or "check its permissions, or leave it out")
    return SourceUnreadable(label, shown(str(cause) or type(cause).__name__), remedy or "leave it out")


def too_large(label: str, limits: Limits) -> PageTooLarge:
    """The fault for a page that exceeds the limit."""
    return PageTooLarge(label, f"more than {limits.bytes:,} bytes", "raise Limits.bytes to read it")


def shown(text: str) -> str:
    """An untrusted name as messages show it: on one line, and shortened."""
    return _CONTROLS.sub("\ufffd", text[:_LONGEST_LABEL])


def as_paragraphs(text: str) -> str:
    """Plain text as html: a paragraph for each line."""
    return "".join(f"<p>{escape(line, quote=False)}</p>\n" for line in text.splitlines() if line.strip())


def page_of_text(html: str, url: str, name: str, fetched_at: str, headers: Headers = ()) -> RawPage:
    """A page that was stored as text."""
    return RawPage(html.encode("utf-8", "replace"), url, name, ALREADY_DECODED + headers, fetched_at)
