"""What is left of a site's pages under a cleaner, and a folder to keep it in.

Cleaning is most of the work of a mining experiment, and both commands begin with it. An entry of the folder is named
after all it depends on: the pages, the cleaner, our own code and the versions of what it is built on. A change of any
of these finds no entry, so nothing has to be thrown away by hand. Entries are JSON; one that cannot be read is made
anew.
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
"""Word -> how often it occurs, or how much it weighs."""

_BUILT_ON: Final = ("numpy", "turbohtml", "tinycss2")


@dataclass(frozen=True, slots=True)
class SiteWords:
    """What came of one site."""

    site: str
    readable: tuple[bool, ...]
    """By page: those that cannot be read take no part, in any column."""
    failures: tuple[str, ...]
    words: Mapping[str, Sequence[Words]]
    """Column -> the words of each readable page."""
    seconds: Mapping[str, float]
    """Column -> time to clean the pages, learning included; columns of the same method share it."""

    def with_columns_of(self, other: SiteWords) -> SiteWords:
        """The columns of both; both are of the same pages."""
        words, seconds = {**self.words, **other.words}, {**self.seconds, **other.seconds}
        return SiteWords(self.site, self.readable, self.failures, words, seconds)


def find_words(folder: Path, pages: SitePages, cleaner: str) -> SiteWords | None:
    """What was kept of these pages under this cleaner; None if nothing was, or it cannot be read."""
    try:
        found = json.loads(gzip.decompress(_entry(folder, pages, cleaner).read_bytes()))
    except (OSError, EOFError, zlib.error, ValueError):
        return None
    return _checked(found, pages)


def keep_words(folder: Path, pages: SitePages, cleaner: str, words: SiteWords) -> None:
    """Write an entry, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    entry = {field.name: getattr(words, field.name) for field in fields(words)}
    content = gzip.compress(json.dumps(entry).encode(), compresslevel=1, mtime=0)
    with written_whole(_entry(folder, pages, cleaner)) as temporary:
        temporary.write_bytes(content)


def _entry(folder: Path, pages: SitePages, cleaner: str) -> Path:
    tool = OTHER_TOOLS.get(cleaner)
    told = sha256(f"{pages.site} {cleaner} {version(tool.distribution) if tool else ''} {_code()}\n".encode())
    for page, language in zip(pages.pages, pages.languages, strict=True):
        told.update(sha256(page.body).digest())
        told.update(f"{page.label} {page.url} {language}\n".encode("utf-8", "replace"))
    return folder / f"{told.hexdigest()[:40]}.json.gz"


@lru_cache(maxsize=1)
def _code() -> str:
    """A digest of our own modules: a method may change without a new version."""
    digest = sha256(" ".join(map(version, _BUILT_ON)).encode())
    for path in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _checked(found: Any, pages: SitePages) -> SiteWords | None:
    """The entry, if it is one for so many pages."""
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
