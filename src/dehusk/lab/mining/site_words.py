"""The words that a cleaner leaves of a site's pages, and a cache for them.

Cleaning is most of the work of a mining experiment, and both commands start with it. The name of a cache entry is a
digest of everything it depends on: the pages, the cleaner, our own code and the versions of its dependencies. So stale
entries are never found and need no manual cleanup. Entries are JSON; one that cannot be read is computed again.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from dehusk.lab.evaluation.other_tools import OTHER_TOOLS
from dehusk.lab.mining.mining_pages import SitePages
from dehusk.workers.whole_files import written_whole

Words = Mapping[str, float]
"""Word -> its count or weight."""

_BUILT_ON: Final = ("numpy", "tinycss2")


@dataclass(frozen=True, slots=True)
class SiteWords:
    """The words of one site, by column."""

    site: str
    readable: tuple[bool, ...]
    """By page; unreadable pages are in no column."""
    failures: tuple[str, ...]
    words: Mapping[str, Sequence[Words]]
    """Column -> the words of each readable page."""
    seconds: Mapping[str, float]
    """Column -> time to clean the pages, learning included; columns of the same method share it."""

    def with_columns_of(self, other: SiteWords) -> SiteWords:
        """The columns of both, which are of the same pages."""
        words, seconds = {**self.words, **other.words}, {**self.seconds, **other.seconds}
        return SiteWords(self.site, self.readable, self.failures, words, seconds)


def find_words(folder: Path, pages: SitePages, cleaner: str) -> SiteWords | None:
    """The cache entry of these pages under this cleaner; None if there is none, or it cannot be read."""
    try:
        found = json.loads(gzip.decompress(_entry(folder, pages, cleaner).read_bytes()))
    except (OSError, EOFError, zlib.error, ValueError):
        return None
    return _checked(found, pages)


def keep_words(folder: Path, pages: SitePages, cleaner: str, words: SiteWords) -> None:
    """Write a cache entry atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    entry = {field.name: getattr(words, field.name) for field in fields(words)}
    content = gzip.compress(json.dumps(entry).encode(), compresslevel=1, mtime=0)
    with written_whole(_entry(folder, pages, cleaner)) as temporary:
        temporary.write_bytes(content)


def _entry(folder: Path, pages: SitePages, cleaner: str) -> Path:
    tool = OTHER_TOOLS.get(cleaner)
    digest = sha256(f"{pages.site} {cleaner} {version(tool.distribution) if tool else ''} {_code()}\n".encode())
    for page, language in zip(pages.pages, pages.languages, strict=True):
        digest.update(sha256(page.body).digest())
        digest.update(f"{page.label} {page.url} {language}\n".encode("utf-8", "replace"))
    return folder / f"{digest.hexdigest()[:40]}.json.gz"


@lru_cache(maxsize=1)
def _code() -> str:
    """A digest of our own code: a method may change without a new version."""
    digest = sha256(" ".join(map(version, _BUILT_ON)).encode())
    for path in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _checked(found: Any, pages: SitePages) -> SiteWords | None:
    """The entry, if it is valid and for the same number of pages."""
    try:
        entry = SiteWords(**found)
        readable = tuple(map(bool, entry.readable))
        words = {
            column: [{word: float(weight) for word, weight in page.items()} for page in of_column]
            for column, of_column in entry.words.items()
        }
        seconds = {column: float(entry.seconds[column]) for column in words}
    except (TypeError, ValueError, AttributeError, KeyError):
        return None
    if len(readable) != len(pages.pages) or any(len(of_column) != sum(readable) for of_column in words.values()):
        return None
    return SiteWords(pages.site, readable, tuple(map(str, entry.failures)), words, seconds)
