"""Which page next: a sample that is spread over all kinds of pages a site has.

A crawl that follows links as they come sees what is linked most: a hundred pages of one calendar, no article. Here
addresses are sorted by **shape**, that is, the path with numbers, dates, hashes and titles replaced by what they are:
`/news/2024/05/a-storm-is-coming` and `/news/2023/11/the-storm-is-over` have one shape. The next page is of the shape
that had the fewest so far, by chance among equals and by chance within the shape. So an endless calendar gets its turn
like every other shape, and no more than its share (`MOST_OF_A_SHAPE`) of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from dehusk.sites.site_of import host_of

LONGEST_URL: Final = 500
"""Characters of an address that is followed. Longer ones carry a state, which has no end; and they fill memory."""

MOST_OF_A_SHAPE: Final = 0.5
"""Share of the pages asked for that one shape may have. On most sites articles are of one shape and are what is wanted;
a calendar or a shop's filters must not fill what articles leave over."""

LEAST_OF_A_SHAPE: Final = 10
"""Pages that a shape may have in the smallest crawls."""

MOST_SHAPES: Final = 300
"""From then on, only the number of segments counts: a shape for each member of a site would crowd out the others."""

MOST_OF_A_SHAPE_WAITING: Final = 5000
MOST_WAITING: Final = 100_000
"""Addresses that are kept for choice, of one shape and of all. A sample needs no more, and memory is bounded."""

MOST_SEGMENTS: Final = 12
MOST_QUERY_KEYS: Final = 4
MOST_REPEATS: Final = 2
"""Of one segment in a path. More come of links that are relative by mistake: /a/b/a/b/a/b..."""

_NOT_PAGES: Final = frozenset(
    "7z apk atom avi avif bin bmp bz2 css csv dmg doc docx epub eps exe flac gif gz ico ics iso jar jpeg jpg js json "
    "m4a m4v mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf pdf png ppt pptx ps rar rdf rpm rss rtf svg swf "
    "tar tgz tif tiff ttf txt wav webm webp wma wmv woff woff2 xls xlsx xml zip".split()
)
"""Endings of what is no page. Not asking is politer than asking and hanging up."""

_OF_VISIT: Final = re.compile(
    r"utm_.*|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|_ga|igshid|phpsessid|jsessionid|aspsessionid.*|sessionid|sid"
)
"""Query keys that say how somebody came here, not what the page is."""

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
"""What a segment is, if it is not a word; the first that fits all of it."""


def normalise(url: str) -> str:
    """One address for what is one page, as far as an address tells; empty for what is not worth asking for."""
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
    """Equal for addresses that differ in http and https, in `www.` or in a slash at the end."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url  # no address at all: the same as itself alone
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"


def is_same(one: str, other: str) -> bool:
    """Whether two addresses are those of one page, as far as they tell."""
    return key_of(normalise(one) or one) == key_of(normalise(other) or other)


def shape_of(url: str) -> str:
    """The kind of address: what stands for what in its path, and which keys its query has.

    The last segment is what tells pages of a kind apart, so it is never taken literally.
    """
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.lower().split("/") if segment]
    shape = [_literal_or_kind(segment) for segment in segments]
    if segments:
        ending = _ending(parts.path)
        shape[-1] = f"<{_kind(segments[-1].removesuffix(f'.{ending}'))}>.{ending}"
    keys = sorted({key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return f"{parts.netloc.removeprefix('www.')}/{'/'.join(shape)}?{'&'.join(keys)}"


class Frontier:
    """Addresses of one site that may be fetched."""

    def __init__(self, site: str, pages: int, seed: int | str = 0) -> None:
        self._site = site
        self._chance = Random(seed)
        self._share = max(LEAST_OF_A_SHAPE, int(pages * MOST_OF_A_SHAPE))
        self._waiting: dict[str, list[str]] = {}
        self._taken: dict[str, int] = {}
        self._known: set[str] = set()
        self._done: set[str] = set()

    def has(self, url: str) -> bool:
        """Whether an address is of this site."""
        return host_of(url) == self._site

    def is_done(self, url: str) -> bool:
        """Whether an address was fetched, or another that is the same page."""
        return key_of(normalise(url) or url) in self._done

    def add(self, urls: Iterable[str]) -> None:
        """Addresses of pages; those of other sites, and those that are known, are passed over."""
        for address in urls:
            url = normalise(address) if self.has(address) else ""
            if url and (key := key_of(url)) not in self._known:
                self._keep(url, key)

    def mark(self, url: str) -> None:
        """This page was fetched, whether chosen here or not; it counts for its shape, once."""
        address = normalise(url) or url
        key = key_of(address)
        if key not in self._done:
            self._done.add(key)
            self._known.add(key)
            shape = self._shape(address)
            self._taken[shape] = self._taken.get(shape, 0) + 1

    def exclude(self, url: str) -> None:
        """This address is that of a page which was fetched under another; it counts for no shape."""
        key = key_of(normalise(url) or url)
        self._done.add(key)
        self._known.add(key)

    def next(self) -> str:
        """The address to fetch next, marked as fetched; empty if there is none."""
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
    """Host and port, in lower case, without the port that goes without saying. User names stay, to be refused."""
    netloc = parts.netloc.lower()
    return netloc.removesuffix({"http": ":80", "https": ":443"}[parts.scheme.lower()])


def _kept_query(query: str) -> str | None:
    """The query without keys of the visit; None if it has so many keys that it is one choice out of endless ones."""
    if not query:
        return ""
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if not _OF_VISIT.fullmatch(key.lower())]
    if len(kept) > MOST_QUERY_KEYS:
        return None
    # A query that is no list of keys and values, or that nothing is left out of, stays as it is written.
    return query if len(kept) == len(pairs) else urlencode(kept)


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
