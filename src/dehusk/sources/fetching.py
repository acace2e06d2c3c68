"""One URL -> RawPage, over HTTP, from servers that may be hostile.

The same limits apply to a page, a robots.txt and a sitemap: public addresses only, checked where the connection is made
(see `connecting`); redirects one by one, each checked like the first URL; bytes before and after decompression; the
time of each step and of the whole. Only `gzip` and `deflate` are requested: Python decompresses both in chunks. No
cookies are kept, no credentials sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol, Self
from urllib.parse import urljoin, urlsplit

from dehusk.arguments import checked
from dehusk.errors import (
    AddressRefused,
    Blocked,
    FetchError,
    InvalidSetting,
    NotAPage,
    NotChanged,
    NotServed,
    ResponseTooLarge,
    ServerFailed,
    needed,
)
from dehusk.sources.addresses import Resolver, resolve
from dehusk.sources.decompression import Damaged, TooMuch, beginning, decompress, take
from dehusk.sources.file_types import HTML_TYPES
from dehusk.sources.raw_page import RawPage
from dehusk.version import __version__

if TYPE_CHECKING:
    import httpcore

AGENT: Final = "dehusk"
"""Our name in robots.txt."""

LONGEST_URL: Final = 2000
"""Characters of a URL. Longer ones work in few browsers; pages that link to them are traps or broken."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_NOT_CHANGED: Final = 304
_TRY_LATER: Final = 429
_REFUSALS: Final = frozenset({401, 403, 451})
"""The page is there, but not for us: a login, a block on programs, a law."""
_OF_TRANSFER: Final = frozenset(
    "connection content-encoding content-length keep-alive set-cookie trailer transfer-encoding".split()
)
"""Headers about the transfer, not about the stored page; and cookies, which are private."""


_MOST_SECONDS: Final = 86_400
"""A day: systems wait no longer than some years, and nobody means more than a day."""


@checked
@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds on one request.

    Arguments:
        bytes: most bytes of the response, decompressed.
        packed_bytes: most bytes of the response as it is sent.
        redirects: most redirects that are followed.
        connect_seconds: most seconds to connect.
        read_seconds: most seconds between two parts of the response.
        total_seconds: most seconds for all of it.

    >>> dehusk.FetchLimits(total_seconds=10).redirects
    10
    """

    bytes: int = 40_000_000
    """Size of the decompressed body. The largest single-page documents in use (the HTML standard) have 15 MB."""

    packed_bytes: int = 20_000_000
    """Size of the body as sent."""

    redirects: int = 10
    """In a row. RFC 9309 demands at least five for robots.txt; browsers follow twenty."""

    connect_seconds: float = 10.0
    read_seconds: float = 20.0
    """Until the next bytes arrive."""

    total_seconds: float = 60.0
    """For each URL in a row of redirects, from the connection to the last byte."""

    def __post_init__(self) -> None:
        for name in ("connect_seconds", "read_seconds", "total_seconds"):
            if not 0 < (seconds := getattr(self, name)) <= _MOST_SECONDS:
                cause = f"{seconds} is not above 0 and up to {_MOST_SECONDS:,}"
                raise InvalidSetting(name, cause, "see FetchLimits")


@dataclass(frozen=True, slots=True)
class Expected:
    """What kind of response is wanted."""

    content_types: frozenset[str] = frozenset()
    """Without parameters; empty for any."""
    most_bytes: int | None = None
    """Less than `FetchLimits.bytes`, if given."""
    cut: bool = False
    """Whether a longer body is cut instead of refused."""
    etag: str = ""
    last_modified: str = ""
    """These headers of an earlier response: if the page is still the same, `NotChanged` is raised."""


PAGES: Final = Expected(HTML_TYPES)

Check = Callable[[str], None]
"""Called with each URL before it is requested; raises a `FetchError` to refuse it, or waits."""


def no_check(url: str) -> None:
    """Nothing to check."""


class Fetcher(Protocol):
    """Anything that fetches pages by URL.

    >>> class Always:
    ...     def fetch(self, url, expected=None, check=lambda address: None):
    ...         check(url)
    ...         return dehusk.RawPage(b"<p>Tea.", url)
    >>> Always().fetch("https://a.example/").url
    'https://a.example/'
    """

    def fetch(self, url: str, expected: Expected = PAGES, check: Check = no_check) -> RawPage:
        """Fetch a page; its `name` is the URL asked for, its `url` where redirects led. Raises `FetchError`.

        `check` is called before each request: for the URL itself and for all that it redirects to.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


def user_agent(contact: str = "") -> str:
    """Our User-Agent header, with a contact for webmasters if given."""
    if not (contact.isascii() and contact.isprintable()):
        raise InvalidSetting("contact", "has characters that no header can have", "give an e-mail or web address")
    return f"{AGENT}/{__version__} ({contact})" if contact else f"{AGENT}/{__version__}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_DEFAULT_LIMITS: Final = FetchLimits()


@checked
class HttpFetcher:
    """Fetches over HTTP, one request at a time. Use it in a `with` block.

    Arguments:
        limits: bounds on each request.
        allow_private: whether to connect to this machine and to private networks.
        agent: the User-Agent.
        resolver: host name -> addresses; tests replace it, as they do the network and the clock.
        backend: the network.
        now: the clock.

    >>> with dehusk.HttpFetcher() as fetcher:
    ...     try:
    ...         fetcher.fetch("http://127.0.0.1/")
    ...     except dehusk.PrivateAddress as error:
    ...         print(error.cause)
    leads to 127.0.0.1, which is not a public address
    """

    def __init__(
        self,
        limits: FetchLimits = _DEFAULT_LIMITS,
        *,
        allow_private: bool = False,
        agent: str = "",
        resolver: Resolver = resolve,
        backend: httpcore.NetworkBackend | None = None,
        now: Callable[[], str] = _now,
    ) -> None:
        from dehusk.sources.connecting import CheckedBackend, Deadline, open_pool, system_backend

        if not (agent.isascii() and agent.isprintable()):
            raise InvalidSetting("agent", "has characters that a header cannot have", "write it in ASCII")
        self._limits = limits
        self._deadline = Deadline()
        checked = CheckedBackend(resolver, self._deadline, backend or system_backend(), allow_private)
        self._pool = open_pool(checked)
        self._agent = agent or user_agent()
        self._now = now

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the open connections."""
        self._pool.close()

    @checked
    def fetch(self, url: str, expected: Expected = PAGES, check: Check = no_check) -> RawPage:
        """Fetch a page; see `Fetcher`."""
        address = checked_url(url)
        for _ in range(self._limits.redirects + 1):
            check(address)
            answer = self._get(address, expected)
            if answer.status not in _REDIRECTS:
                return RawPage(answer.body, address, url, answer.headers, self._now(), answer.status)
            address = _target(address, answer)
        raise NotServed(url, f"more than {self._limits.redirects} redirects")

    def _get(self, url: str, expected: Expected) -> _Answer:
        from dehusk.sources.connecting import FAILURES, as_ours

        self._deadline.set(self._limits.total_seconds)
        timeout = dict.fromkeys(("read", "write", "pool"), self._limits.read_seconds)
        extensions = {"timeout": {**timeout, "connect": self._limits.connect_seconds}}
        try:
            with self._pool.stream("GET", url, headers=self._headers(expected), extensions=extensions) as response:
                return self._read(response, url, expected)
        except FAILURES as error:
            raise as_ours(error, url) from error
        except AddressRefused as error:
            raise error.about(url) from error
        except TooMuch as error:
            raise ResponseTooLarge(url, "more bytes than allowed", "raise FetchLimits to fetch it") from error
        except Damaged as error:
            raise FetchError(url, str(error)) from error

    def _headers(self, expected: Expected) -> list[tuple[bytes | str, bytes | str]]:
        accept = ", ".join([*sorted(expected.content_types), "*/*;q=0.1"])
        known = (("If-None-Match", expected.etag), ("If-Modified-Since", expected.last_modified))
        conditions = [(name, value.encode("latin-1", "replace")) for name, value in known if value]
        return [("User-Agent", self._agent), ("Accept", accept), ("Accept-Encoding", "gzip, deflate"), *conditions]

    def _read(self, response: httpcore.Response, url: str, expected: Expected) -> _Answer:
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers)
        answer = _Answer(response.status, headers, b"")
        if response.status in _REDIRECTS:
            return answer
        _check_status(url, response.status)
        _check_content_type(url, answer.header("content-type"), expected)
        body = self._body(response.iter_stream(), answer, expected)
        kept = tuple((name, value) for name, value in headers if name.lower() not in _OF_TRANSFER)
        return _Answer(response.status, kept, body)

    def _body(self, stream: Iterator[bytes], answer: _Answer, expected: Expected) -> bytes:
        most = self._limits.bytes if expected.most_bytes is None else min(expected.most_bytes, self._limits.bytes)
        chunks = decompress(take(stream, self._limits.packed_bytes), answer.header("content-encoding"))
        return beginning(chunks, most) if expected.cut else b"".join(take(chunks, most))


def checked_url(url: str) -> str:
    """The URL as sent: encoded, without fragment. Refuses what is not the URL of a web page."""
    httpx = _httpx()
    remedy = "give a URL that begins with http:// or https://"
    if len(url) > LONGEST_URL:
        raise AddressRefused(url[:80] + "…", f"more than {LONGEST_URL:,} characters", "leave it out")
    try:
        parsed = httpx.URL(url.strip())
        encoded = str(parsed.copy_with(fragment=None, host=parsed.raw_host.decode("ascii")))
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressRefused(url, f"not an address ({error})", remedy) from error
    if (
        parsed.scheme not in {"http", "https"}
        or not parsed.host
        or not 0 < (80 if parsed.port is None else parsed.port) < 65_536
    ):
        raise AddressRefused(url, "not an address of the web", remedy)
    if parsed.userinfo or "@" in urlsplit(encoded).netloc:
        raise AddressRefused(url, "has a user name or password in it", "leave them out")
    return encoded


def _httpx() -> Any:
    with needed("httpx", "to fetch pages", "crawl"):
        import httpx
    return httpx


def _target(url: str, answer: _Answer) -> str:
    location = answer.header("location")
    if not location:
        raise NotServed(url, f"status {answer.status} without saying where to go")
    try:
        return checked_url(urljoin(url, _as_utf8(location)))
    except ValueError as error:
        raise NotServed(url, f"redirects to what is no address ({error})") from error


def _as_utf8(value: str) -> str:
    """Read as UTF-8 if possible: servers that do not percent-encode use it more often than Latin-1."""
    raw = value.encode("latin-1")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return value


def _check_status(url: str, status: int) -> None:
    if status in {200, 203}:
        return
    if status >= 500 or status == _TRY_LATER:
        raise ServerFailed(url, f"status {status}", "try again later")
    if status == _NOT_CHANGED:
        raise NotChanged(url, "the page is still the same")
    if status in _REFUSALS:
        raise Blocked(url, f"status {status}", "the site does not serve it to programs like this one")
    raise NotServed(url, f"status {status}")


def _check_content_type(url: str, header: str, expected: Expected) -> None:
    content_type = header.partition(";")[0].strip().lower()
    if expected.content_types and content_type not in expected.content_types:
        raise NotAPage(url, f"content type {content_type[:80] or 'unknown'}", "only pages are fetched")
