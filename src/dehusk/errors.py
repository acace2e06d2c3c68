"""Every exception dehusk raises on purpose.

    DehuskError
    ├── SourceError            a file, folder, stream or address that cannot be read
    │   ├── SourceNotFound
    │   ├── SourceUnreadable
    │   └── FetchError         an address that does not give a page
    │       ├── AddressRefused     not http or https, with a password, or of a private network
    │       ├── RobotsRefused      the site does not want it fetched
    │       ├── Unreachable        no connection, or one that breaks
    │       ├── TooSlow
    │       ├── NotServed          4xx, or redirects that lead nowhere
    │       ├── ServerFailed       5xx, or too many requests
    │       ├── ResponseTooLarge   more bytes than `FetchLimits` allows, packed or unpacked
    │       ├── NotAPage           another content type
    │       ├── NotChanged         it is the page that we have
    │       └── RepeatedPage       a crawl has this page already
    ├── PageError              one page that cannot be cleaned
    │   ├── PageTooLarge       more bytes, tags or nodes than `Limits` allows
    │   ├── OutOfMemory        it needs more memory than there is
    │   └── PageSkipped        nothing to clean, and nothing wrong: counted apart from failures
    │       ├── NotHtml            a PDF, an image, an archive, ...
    │       ├── EmptyPage          no bytes, or white space alone
    │       ├── NoPages            a file of pages that holds none
    │       └── NotFollowed        in a folder: a link that leads out of it, a pipe, a socket, a device
    ├── ModelError             a model file that cannot be read, written or used
    ├── OutputError            a result that cannot be written
    ├── UnknownName            a method, format or data set nobody has heard of
    ├── InvalidSetting         a setting outside its range
    ├── WrongType              an argument of a type that is not accepted; also a TypeError
    ├── GoldError              labelled pages that cannot be read, or floors that do not hold
    ├── EngineError            a cluster that cannot be reached, or does not do its work
    └── MissingExtra           an optional package that is not installed

Each message names the subject (page, file, setting), the cause, and the way out. Catch `DehuskError` to
survive anything a page can do to you.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self


class DehuskError(Exception):
    """Base of the tree. `subject` is what failed, `cause` why, `remedy` what to do about it."""

    def __init__(self, subject: str, cause: str, remedy: str = "") -> None:
        # All three go to `Exception` so that the error survives pickling between processes.
        super().__init__(subject, cause, remedy)
        self.subject = subject
        self.cause = cause
        self.remedy = remedy

    def about(self, subject: str) -> Self:
        """The same error under another name for what failed."""
        return type(self)(subject, self.cause, self.remedy)

    def __str__(self) -> str:
        sentence = f"{self.subject}: {self.cause}"
        return f"{sentence}; {self.remedy}" if self.remedy else sentence


class SourceError(DehuskError):
    """A file, folder, stream or address that cannot be read."""


class SourceNotFound(SourceError):
    """Nothing exists under that path."""


class SourceUnreadable(SourceError):
    """It exists, and reading it fails."""


class FetchError(SourceError):
    """An address that does not give a page; the subject is its URL."""


class AddressRefused(FetchError):
    """Nothing is asked for at this address: it is not http or https, has a password, or is of a private network."""


class RobotsRefused(FetchError):
    """The site's robots.txt does not allow it, or could not be read."""


class Unreachable(FetchError):
    """There is no such host, no connection to it, or it breaks."""


class TooSlow(FetchError):
    """The server takes longer than `FetchLimits` allows."""


class NotServed(FetchError):
    """The server says that the page is not to be had: 4xx, or redirects that lead nowhere."""


class ServerFailed(FetchError):
    """The server cannot answer now: 5xx, or too many requests (429)."""


class ResponseTooLarge(FetchError):
    """The answer has more bytes than `FetchLimits` allows, packed or unpacked."""


class NotAPage(FetchError):
    """The answer is of another content type."""


class NotChanged(FetchError):
    """The page is still what it was when it was fetched before."""


class RepeatedPage(FetchError):
    """The crawl has this page already, under another address."""


class PageError(DehuskError):
    """One page that cannot be cleaned; the subject is its URL or file name."""


class PageTooLarge(PageError):
    """The page exceeds one of the `Limits`."""


class OutOfMemory(PageError):
    """A page, or what is done with many, needs more memory than there is."""


class PageSkipped(PageError):
    """There is nothing to clean. Runs over many pages count it as skipped, not as failed."""


class NotHtml(PageSkipped):
    """The bytes are of another format: a PDF, an image, an archive."""


class EmptyPage(PageSkipped):
    """The page has no bytes, or white space alone."""


class NoPages(PageSkipped):
    """A file that should hold pages holds none; the subject is the file."""


class NotFollowed(PageSkipped):
    """Something in a folder that is not read: a link that leads out of it, a pipe, a socket, a device."""


class ModelError(DehuskError):
    """A model file that cannot be read or written, or does not fit what it is used for."""


class OutputError(DehuskError):
    """A result that cannot be written."""


class UnknownName(DehuskError):
    """A method, format or data set that does not exist; the remedy lists those that do."""


class InvalidSetting(DehuskError):
    """A setting outside its range."""


class WrongType(DehuskError, TypeError):
    """An argument of a type that is not accepted; the remedy names those that are."""


class GoldError(DehuskError):
    """Labelled pages that cannot be read, or a quality floor that does not hold."""


class EngineError(DehuskError):
    """What runs the tasks of a batch cannot be reached, or does not do its work."""


class MissingExtra(DehuskError):
    """An optional dependency is not installed; the remedy is the pip command."""


@contextmanager
def enough_memory(subject: str) -> Iterator[None]:
    """Raise `OutOfMemory` where Python has no memory left, so that whoever catches `DehuskError` goes on."""
    try:
        yield
    except MemoryError as error:
        raise OutOfMemory(subject, "needs more memory than there is", "free some, or lower the Limits") from error
