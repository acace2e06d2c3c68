"""Every exception dehusk raises on purpose.

    DehuskError
    ├── SourceError            a file, folder, stream or URL that cannot be read
    │   ├── SourceNotFound
    │   ├── SourceUnreadable
    │   └── FetchError         a URL that returns no page
    │       ├── AddressRefused     not http or https, or with a password
    │       │   └── PrivateAddress     on this machine, or in a private network
    │       ├── RobotsRefused      robots.txt disallows it
    │       ├── Unreachable        no connection, or the connection broke
    │       ├── TooSlow
    │       ├── NotServed          4xx, or broken redirects
    │       │   └── Blocked            401, 403 or 451
    │       ├── ServerFailed       5xx, or too many requests
    │       ├── ResponseTooLarge   more bytes than `FetchLimits` allows, compressed or not
    │       ├── NotAPage           another content type
    │       ├── NotChanged         unchanged since the last fetch
    │       └── RepeatedPage       the crawl already has this page
    ├── PageError              one page that cannot be cleaned
    │   ├── PageTooLarge       more bytes, tags or nodes than `Limits` allows
    │   ├── OutOfMemory        not enough memory
    │   └── PageSkipped        nothing to clean, but not a failure: counted separately
    │       ├── NotHtml            a PDF, an image, an archive, ...
    │       ├── EmptyPage          no bytes, or only white space
    │       ├── NoPages            a file of pages that has none
    │       └── NotFollowed        in a folder: a link out of it, a pipe, a device; a link in an archive
    ├── ModelError             a model file that cannot be read, written or used
    ├── OutputError            a result that cannot be written
    ├── UnknownName            a method, format or data set that does not exist
    ├── InvalidSetting         a setting outside its range
    ├── WrongType              an argument of the wrong type; also a TypeError
    ├── GoldError              labelled pages that cannot be read, or floors that do not hold
    ├── EngineError            a cluster that cannot be reached, or fails
    ├── NativeError            the compiled part of dehusk is missing, or fails on a page
    └── MissingExtra           an optional package that is not installed

Each message names the subject (page, file, setting), the cause, and the remedy. Each class has a `kind`, a short name
that does not change: `timeout`, `not-html`. Batch records and the MCP server report it, and programs should branch on
it; docs/machines.md has the table. Catch `DehuskError` to survive anything that pages can cause.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager
from typing import ClassVar, Self


class DehuskError(Exception):
    """Base class of all errors. `subject` is what failed, `cause` why, `remedy` what to do about it; see `kind`."""

    kind: ClassVar[str] = "error"
    """The kind of failure, for programs: the same for all errors of a class, and in every version."""

    def __init__(self, subject: str, cause: str, remedy: str = "") -> None:
        # `Exception` gets all three so that the error survives pickling between processes.
        """An error about a subject.

        Arguments:
            subject: what failed: a page, a file, a setting.
            cause: why.
            remedy: what to do about it; empty if nobody knows.

        >>> try:
        ...     dehusk.clean(b"%PDF-1.7")
        ... except dehusk.DehuskError as error:
        ...     print(error.kind, "|", error)
        not-html | <page>: is a PDF, not html; convert it to html, or leave it out
        """
        super().__init__(subject, cause, remedy)
        self.subject = subject
        self.cause = cause
        self.remedy = remedy

    def about(self, subject: str) -> Self:
        """The same error with another subject."""
        return type(self)(subject, self.cause, self.remedy)

    def __str__(self) -> str:
        sentence = f"{self.subject}: {self.cause}"
        return f"{sentence}; {self.remedy}" if self.remedy else sentence


class SourceError(DehuskError):
    """A file, folder, stream or URL that cannot be read."""

    kind = "not-readable"


class SourceNotFound(SourceError):
    """The path does not exist."""

    kind = "not-found"


class SourceUnreadable(SourceError):
    """It exists, but reading it fails."""

    kind = "not-readable"


class FetchError(SourceError):
    """A URL that returns no page; the subject is the URL."""

    kind = "not-fetched"


class AddressRefused(FetchError):
    """The URL is not requested: it is not http or https, has a password, or is too long."""

    kind = "address-refused"


class PrivateAddress(AddressRefused):
    """The host is on this machine or in a private network, which pages from the web must not reach."""

    kind = "private-address"


class RobotsRefused(FetchError):
    """The site's robots.txt does not allow it, or could not be read."""

    kind = "robots"


class Unreachable(FetchError):
    """The host does not exist, cannot be connected to, or the connection broke."""

    kind = "unreachable"


class TooSlow(FetchError):
    """The server took longer than `FetchLimits` allows."""

    kind = "timeout"


class NotServed(FetchError):
    """The server does not serve the page: 4xx, or broken redirects."""

    kind = "not-served"


class Blocked(NotServed):
    """The server refuses us: status 401, 403 or 451."""

    kind = "blocked"


class ServerFailed(FetchError):
    """The server failed: 5xx, or too many requests (429)."""

    kind = "server-failed"


class ResponseTooLarge(FetchError):
    """The response has more bytes than `FetchLimits` allows, compressed or not."""

    kind = "too-large"


class NotAPage(FetchError):
    """The response has another content type."""

    kind = "not-html"


class NotChanged(FetchError):
    """The page has not changed since it was last fetched."""

    kind = "not-changed"


class RepeatedPage(FetchError):
    """The crawl already has this page, under another URL."""

    kind = "duplicate"


class PageError(DehuskError):
    """One page that cannot be cleaned; the subject is its URL or file name."""

    kind = "not-cleaned"


class PageTooLarge(PageError):
    """The page exceeds one of the `Limits`."""

    kind = "too-large"


class OutOfMemory(PageError):
    """A page, or work on many pages, needs more memory than there is."""

    kind = "out-of-memory"


class PageSkipped(PageError):
    """There is nothing to clean. Batches count it as skipped, not as failed."""

    kind = "nothing-to-clean"


class NotHtml(PageSkipped):
    """The bytes are in another format: a PDF, an image, an archive."""

    kind = "not-html"


class EmptyPage(PageSkipped):
    """The page has no bytes, or only white space."""

    kind = "empty"


class NoPages(PageSkipped):
    """A file that should hold pages has none; the subject is the file."""

    kind = "no-pages"


class NotFollowed(PageSkipped):
    """Something that is not read: in a folder a link out of it, a pipe, a socket, a device; in an archive a link."""

    kind = "not-followed"


class ModelError(DehuskError):
    """A model file that cannot be read or written, or does not fit what it is used for."""

    kind = "model"


class OutputError(DehuskError):
    """A result that cannot be written."""

    kind = "not-written"


class UnknownName(DehuskError):
    """A method, format or data set that does not exist; the remedy lists those that do."""

    kind = "unknown-name"


class InvalidSetting(DehuskError):
    """A setting outside its range."""

    kind = "invalid-setting"


class WrongType(DehuskError, TypeError):
    """An argument of the wrong type; the remedy names the accepted types."""

    kind = "wrong-type"


class GoldError(DehuskError):
    """Labelled pages that cannot be read, or a quality floor that does not hold."""

    kind = "labelled-pages"


class EngineError(DehuskError):
    """The engine that runs the tasks of a batch cannot be reached, or fails."""

    kind = "engine"


class NativeError(DehuskError):
    """The compiled part of dehusk is missing or outdated, or fails on a page (the subject), which is a bug."""

    kind = "native"


class MissingExtra(DehuskError):
    """An optional dependency is not installed; the remedy is the pip command."""

    kind = "missing-extra"


@contextmanager
def needed(package: str, purpose: str, extra: str) -> Iterator[None]:
    """Make an import that fails say which extra of dehusk brings the package."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(package, f"needed {purpose}", f"pip install 'dehusk[{extra}]'") from error


class enough_memory(ContextDecorator):  # noqa: N801 - used like a function; a generator would take three times as long
    """Turn `MemoryError` into `OutOfMemory`, so that callers who catch `DehuskError` can go on."""

    __slots__ = ("_subject",)

    def __init__(self, subject: str) -> None:
        self._subject = subject

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError):
            raise out_of_memory(self._subject) from error


def out_of_memory(subject: str) -> OutOfMemory:
    """The error for a `MemoryError`."""
    return OutOfMemory(subject, "needs more memory than there is", "free some, or lower the Limits")
