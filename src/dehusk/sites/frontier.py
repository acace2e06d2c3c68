"""The crawl frontier: the URLs of a site that may be fetched, and which is next.

Usually the next is the one found first (breadth first). For a sample, the next is chosen so that the sample covers all
kinds of pages of a site: a crawl that follows links in order sees what is linked most, a hundred pages of one calendar,
no article. URLs are then grouped by **shape**: the path with numbers, dates, hashes and titles replaced by their kind,
so that `/news/2024/05/a-storm-is-coming` and `/news/2023/11/the-storm-is-over` have the same shape. The next URL is a
random one from the shape with the fewest pages so far (a random one of several). So an endless calendar gets its turn
like every other shape, and no more than its share (`MOST_OF_A_SHAPE`) of the whole.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from random import Random
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from dehusk.arguments import checked
from dehusk.errors import InvalidSetting
from dehusk.sites.site_of import host_of

LONGEST_URL: Final = 500
"""Longest URL, in characters, that is followed. Longer ones encode state, which is endless, and fill memory."""

MOST_OF_A_SHAPE: Final = 0.5
"""Largest share of the pages wanted that one shape may have. On most sites articles have one shape and are what is
wanted; a calendar or a shop's filters must not fill the rest."""

LEAST_OF_A_SHAPE: Final = 10
"""Pages that a shape may have even in the smallest crawls."""

MOST_SHAPES: Final = 300
"""Beyond this, only the number of segments counts: one shape per user profile would crowd out the others."""

MOST_OF_A_SHAPE_WAITING: Final = 5000
MOST_WAITING: Final = 100_000
"""Queued URLs, per shape and in all. A sample needs no more, and memory is bounded."""

MOST_SEGMENTS: Final = 12
MOST_QUERY_KEYS: Final = 4
MOST_REPEATS: Final = 2
"""Of one segment in a path. More are due to links that are relative by mistake: /a/b/a/b/a/b..."""

_NOT_PAGES: Final = frozenset(
    "7z apk atom avi avif bin bmp bz2 css csv dmg doc docx epub eps exe flac gif gz ico ics iso jar jpeg jpg js json "
    "m4a m4v mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf pdf png ppt pptx ps rar rdf rpm rss rtf svg swf "
    "tar tgz tif tiff ttf txt wav webm webp wma wmv woff woff2 xls xlsx xml zip".split()
)
"""File extensions that are not pages. Not requesting them is more polite than aborting the download."""

_OF_VISIT: Final = re.compile(
    r"utm_.*|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|_ga|igshid|phpsessid|jsessionid|aspsessionid.*|sessionid|sid"
)
"""Query keys that track the visit and do not identify the page."""

_SESSION_IN_PATH: Final = re.compile(r";jsessionid=[^/;?]*", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.([a-z][a-z0-9]{0,4})$")
_WORD: Final = "word"
_KINDS: Final = (
    ("date", re.compile(r"\d{4}[-_]\d{1,2}(?:[-_]\d{1,2})?|\d{8}")),
    ("number", re.compile(r"\d+")),
    ("hash", re.compile(r"(?=.*\d)[0-9a-f]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")),
    ("title", re.compile(r"[^-_+]+(?:[-_+]+[^-_+]+){2,}[-_+]*|.*%[0-9a-f]{2}.*%[0-9a-f]{2}.*|.{25,}")),
    ("mixed", re.compile(r".*\d.*")),
)
"""The kind of a segment that is not a word: the first full match."""


def normalise(url: str) -> str:
    """The normalised URL of a page; empty for URLs that are not worth fetching."""
    parts = _split(url)
    if parts is None:
        return ""
    path = _SESSION_IN_PATH.sub("", parts.path) or "/"
    query = _kept_query(parts.query)
    if query is None or _looks_like_a_trap(path) or _ending(path) in _NOT_PAGES:
        return ""
    address = SplitResult(parts.scheme.lower(), _netloc(parts), path, query, "").geturl()
    return address if len(address) <= LONGEST_URL else ""  # what is percent-encoded grows


def key_of(url: str) -> str:
    """The same key for URLs that differ only in http or https, `www.` or a trailing slash."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url  # not a URL: equal only to itself
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"


def is_same(one: str, other: str) -> bool:
    """Whether two URLs are equal after normalisation."""
    return key_of(normalise(one) or one) == key_of(normalise(other) or other)


def shape_of(url: str) -> str:
    """The shape of a URL: the kinds of its path segments, and its query keys.

    The last segment distinguishes pages of a kind, so it is never taken literally.
    """
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.lower().split("/") if segment]
    shape = [_literal_or_kind(segment) for segment in segments]
    if segments:
        ending = _ending(parts.path)
        shape[-1] = f"<{_kind(segments[-1].removesuffix(f'.{ending}'))}>.{ending}"
    keys = sorted({key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return f"{parts.netloc.removeprefix('www.')}/{'/'.join(shape)}?{'&'.join(keys)}"


@checked
@dataclass(frozen=True, slots=True)
class CrawlScope:
    """Which pages of a site a crawl fetches.

    Arguments:
        include: patterns; only URLs whose path fits one.
        exclude: patterns; no URLs whose path fits one.
        depth: most links in a row from the start page; None for any number.
        sample: whether to spread pages over all kinds of URLs.

    >>> dehusk.CrawlScope(include=["/blog/*"], depth=2).sample
    False
    """

    include: Collection[str] = ()
    """Patterns such as `/blog/*`; a URL must match one. They are compared with path and query, those that begin with
    `http` with the whole URL; `*` stands for anything. Empty for all. The start page is always fetched."""
    exclude: Collection[str] = ()
    """Patterns that a URL must not match."""
    depth: int | None = None
    """Most links from the start page to a page; sitemaps count as one. None for any number."""
    sample: bool = False
    """Whether to spread the pages over all kinds of URLs, instead of taking them in the order they are found."""

    def __post_init__(self) -> None:
        for name in ("include", "exclude"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.depth is not None and self.depth < 0:
            raise InvalidSetting("depth", f"{self.depth} is less than 0", "choose 0 or more")

    def reason_against(self, url: str, depth: int) -> str:
        """Why a URL is not fetched; empty if it is."""
        if self.depth is not None and depth > self.depth:
            return "too deep (--depth)"
        if any(_fits(url, pattern) for pattern in self.exclude):
            return "excluded (--exclude)"
        is_included = not self.include or any(_fits(url, pattern) for pattern in self.include)
        return "" if is_included else "not included (--include)"


def _fits(url: str, pattern: str) -> bool:
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return fnmatchcase(url if pattern.startswith("http") else path, pattern)


SAMPLE: Final = CrawlScope(sample=True)


class Frontier:
    """The URLs of one site that may be fetched."""

    def __init__(self, site: str, pages: int, seed: int | str = 0, scope: CrawlScope = SAMPLE) -> None:
        self._site = site
        self._scope = scope
        self._queue: deque[str] = deque()
        self._depth: dict[str, int] = {}
        self._left_out: Counter[str] = Counter()
        self._refused: set[str] = set()
        self._chance = Random(seed)
        self._share = max(LEAST_OF_A_SHAPE, int(pages * MOST_OF_A_SHAPE))
        self._waiting: dict[str, list[str]] = {}
        self._taken: dict[str, int] = {}
        self._known: set[str] = set()
        self._done: set[str] = set()

    def has(self, url: str) -> bool:
        """Whether a URL is on this site."""
        return host_of(url) == self._site

    def is_done(self, url: str) -> bool:
        """Whether a URL, or an equivalent one, was fetched."""
        return key_of(normalise(url) or url) in self._done

    def add(self, urls: Iterable[str], depth: int = 1) -> None:
        """Queue URLs that are so many links from the start, except those of other sites, out of scope, and known."""
        for address in urls:
            url = normalise(address) if self.has(address) else ""
            if not url:
                self._refuse(address, "not pages, by their URLs" if self.has(address) else "")
            elif (key := key_of(url)) not in self._known:
                self._depth[key] = min(depth, self._depth.get(key, depth))
                if reason := self._scope.reason_against(url, depth):
                    self._refuse(key, reason)
                else:
                    self._keep(url, key)

    def depth_of(self, url: str) -> int:
        """Links from the start to a URL, as far as known."""
        return self._depth.get(key_of(normalise(url) or url), 0)

    def left_out(self, why_waiting: str) -> dict[str, int]:
        """Why URLs were not fetched -> how many; `why_waiting` is why those that are still queued were not."""
        waiting = Counter({why_waiting: len(self._queue)})
        for shape, urls in self._waiting.items():
            is_full = self._taken.get(shape, 0) >= self._share
            waiting["of kinds that have their share (--sample)" if is_full else why_waiting] += len(urls)
        return {reason: count for reason, count in (self._left_out + waiting).items() if count}

    def _refuse(self, key: str, reason: str) -> None:
        """Count a URL that is not fetched, once; as many as there is room for."""
        if reason and key not in self._refused and len(self._refused) < MOST_WAITING:
            self._refused.add(key)
            self._left_out[reason] += 1

    def mark(self, url: str) -> None:
        """Mark a URL as fetched, whether chosen here or not; it counts once for its shape."""
        address = normalise(url) or url
        key = key_of(address)
        if key not in self._done:
            self._done.add(key)
            self._known.add(key)
            shape = self._shape(address)
            self._taken[shape] = self._taken.get(shape, 0) + 1

    def exclude(self, url: str) -> None:
        """Exclude a URL whose page was fetched under another; it counts for no shape."""
        key = key_of(normalise(url) or url)
        self._done.add(key)
        self._known.add(key)

    def next(self) -> str:
        """The URL to fetch next, marked as fetched; empty if there is none."""
        while self._queue:
            url = self._queue.popleft()
            if key_of(url) not in self._done:
                self.mark(url)
                return url
        while shapes := self._open_shapes():
            fewest = min(self._taken.get(shape, 0) for shape in shapes)
            shape = self._chance.choice([shape for shape in shapes if self._taken.get(shape, 0) == fewest])
            url = self._draw(self._waiting[shape])
            if key_of(url) not in self._done:
                self.mark(url)
                return url
        return ""

    def _open_shapes(self) -> list[str]:
        return [shape for shape, urls in self._waiting.items() if urls and self._taken.get(shape, 0) < self._share]

    def _draw(self, urls: list[str]) -> str:
        index = self._chance.randrange(len(urls))
        urls[index], urls[-1] = urls[-1], urls[index]
        return urls.pop()

    def _keep(self, url: str, key: str) -> None:
        if not self._scope.sample:
            if len(self._known) < MOST_WAITING:
                self._queue.append(url)
                self._known.add(key)
            else:
                self._refuse(key, "more than can be remembered")
            return
        urls = self._waiting.setdefault(self._shape(url), [])
        if len(urls) < MOST_OF_A_SHAPE_WAITING and len(self._known) < MOST_WAITING:
            urls.append(url)
            self._known.add(key)

    def _shape(self, url: str) -> str:
        shape = shape_of(url)
        if shape in self._waiting or shape in self._taken or len(self._waiting) < MOST_SHAPES:
            return shape
        return f"<{urlsplit(url).path.count('/')} segments>"


def _split(url: str) -> SplitResult | None:
    if len(url) > LONGEST_URL:
        return None
    try:
        parts = urlsplit(url)
        return parts if parts.scheme.lower() in {"http", "https"} and parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _netloc(parts: SplitResult) -> str:
    """Host and port in lower case, without the default port. User names stay, to be refused later."""
    netloc = parts.netloc.lower()
    return netloc.removesuffix({"http": ":80", "https": ":443"}[parts.scheme.lower()])


def _kept_query(query: str) -> str | None:
    """The query without tracking keys; None if it has too many keys, as in endless filter combinations."""
    if not query:
        return ""
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if not _OF_VISIT.fullmatch(key.lower())]
    if len(kept) > MOST_QUERY_KEYS:
        return None
    # A query that is not a list of pairs, or from which nothing is removed, stays as written.
    return query if len(kept) == len(pairs) else urlencode(kept, errors="replace")


def _looks_like_a_trap(path: str) -> bool:
    segments = [segment for segment in path.split("/") if segment]
    return len(segments) > MOST_SEGMENTS or any(segments.count(segment) > MOST_REPEATS for segment in set(segments))


def _ending(path: str) -> str:
    found = _ENDING.search(path.lower())
    return found[1] if found else ""


def _literal_or_kind(segment: str) -> str:
    kind = _kind(segment)
    return segment if kind == _WORD else f"<{kind}>"


def _kind(segment: str) -> str:
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(segment)), _WORD)
