"""The pages a command is given: files, folders, archives, URLs and standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, count
from pathlib import Path, PurePath
from typing import Final, TypeAlias

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.cleaning import prepared
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import DehuskError, InvalidSetting, MissingExtra, SourceError
from dehusk.learning import sample
from dehusk.limits import DEFAULT_LIMITS
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.files import STANDARD_INPUT, PageFile, is_stream, read_file
from dehusk.sources.page_bodies import page_to_clean
from dehusk.sources.raw_page import RawPage
from dehusk.sources.remote import is_remote
from dehusk.sources.source_opening import find_reader, pages_in, source_files
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.guard import guarded
from dehusk.workers.whole_files import TEMPORARY_FILES, output_errors

_HELD_BYTES: Final = 32_000_000
"""Bytes of HTML whose pages a `PageReader` keeps. In memory, pages take some ten times as much, and a run keeps two
such sets at most: 0.6 GB, which most machines have."""
DEFAULT_SOURCE: Final = SourceOptions()
_LONGEST_NAME: Final = 120
"""Characters of a file name made from a URL; file systems allow 255 bytes."""


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page that a command was given."""

    label: str
    """What messages call it: a path or a URL."""
    name: str
    """The relative path of its result, without a suffix."""
    folder: str
    """What the user named. Pages that do not say which site they are from count as one site per folder."""
    source: PageFile | RawPage | DehuskError
    """The file to read, the page if it has been read already, or why it cannot be read."""
    address: str = ""
    """The URL it came from, if the user says so."""

    def read(self) -> RawPage:
        """The page. Raises if it cannot be read, and `PageSkipped` if there is nothing to clean."""
        page = self._read()
        return replace(page, url=self.address) if self.address else page

    def _read(self) -> RawPage:
        if isinstance(self.source, PageFile):
            return read_file(self.source)
        if isinstance(self.source, DehuskError):
            raise self.source
        found = page_to_clean(self.source, DEFAULT_LIMITS)
        if isinstance(found, RawPage):
            return found
        raise found


class GivenPages:
    """The pages in the order of the paths. Can be iterated any number of times.

    Archives are read again each time, so that only one of their pages is in memory. Sources that can be read only
    once (URLs, standard input) are kept in memory. A page that cannot be read keeps its number: reading it raises.
    """

    def __init__(
        self,
        paths: Sequence[str],
        *,
        urls: Iterable[str] = (),
        folder: str = "",
        options: SourceOptions = DEFAULT_SOURCE,
        allow_private: bool = False,
        render: bool = False,
        follow_links: bool = False,
        output: Path | None = None,
        collect_missing: bool = False,
        address: str = "",
    ) -> None:
        """Paths that do not exist raise, or are collected in `missing`. `output` is never read as input.

        `urls` are further pages, any number of them: they are kept in files in `folder`. `address` is where the one
        page that is given came from.
        """
        found: list[GivenPage] = []
        missing: list[DehuskError] = []
        with _fetching(allow_private, render) as fetch:
            for path in paths:
                try:
                    found += [fetch(path)] if is_url(path) else _files(path, output, follow_links)
                except (SourceError, MissingExtra) as error:
                    if not collect_missing:
                        raise
                    missing.append(error)
            for number, url in enumerate(urls):
                try:
                    found.append(_extract(fetch(url), folder, f"url-{number}"))
                except (SourceError, MissingExtra) as error:
                    missing.append(error)
        self.missing = tuple(missing)
        self._options = options
        self._given = list(_with_unique_names(found))
        if address:
            self._given = [_with_address(page, address) for page in self._given]

    @property
    def count(self) -> int | None:
        """Number of pages; None if archives would have to be read to know it."""
        has_archives = any(_has_reader(page) for page in self._given)
        return None if has_archives else len(self._given)

    def __iter__(self) -> Iterator[GivenPage]:
        for given in self._given:
            yield from _pages_of(given, self._options)

    def sample(self, most: int, seed: int, folder: str) -> dict[int, GivenPage]:
        """A random sample of the pages, by number; see `numbered`."""
        return self.numbered(sample((number for number, _ in enumerate(self)), most, seed), folder)

    def numbered(self, numbers: Iterable[int], folder: str) -> dict[int, GivenPage]:
        """The pages with these numbers, each readable by itself.

        Archives allow no random access, so their pages are copied to files in `folder`.
        """
        wanted = frozenset(numbers)
        if not wanted:
            return {}
        return {number: _extract(page, folder, str(number)) for number, page in enumerate(self) if number in wanted}


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page that was read; it is segmented on first use, and only once."""

    page: Page
    size: int
    """Bytes of HTML."""
    folder: str
    """The folder it was given in."""

    @cached_property
    def blocks(self) -> Blocks:
        return segment(self.page)


Source: TypeAlias = GivenPage | ReadPage
"""A page to read, or one that was read before."""


class PageReader:
    """Reads pages by number, and keeps them up to a bound: only pages beyond it are read again when asked for."""

    def __init__(self, decision: Decision = DEFAULT_DECISION) -> None:
        """The decision says which elements are taken out of pages."""
        self.decision = decision
        self.held: dict[int, ReadPage] = {}
        self._room = _HELD_BYTES

    def read(self, number: int, source: Source) -> ReadPage:
        """The page, from memory or from where it was given."""
        read = source if isinstance(source, ReadPage) else self.held.get(number) or read_given(source, self.decision)
        if read is not source and number not in self.held and read.size <= self._room:
            self._room -= read.size
            self.held[number] = read
        return read

    def read_all(
        self, pages: Iterable[tuple[int, Source]], what: str, total: int | None, tell: bool = True
    ) -> Iterator[tuple[int, ReadPage]]:
        """The pages that can be read, with a progress bar; warns about the others if `tell` is set."""
        from dehusk.cli.reporting import tracked, warn

        for number, source in tracked(pages, total, what):
            try:
                yield number, self.read(number, source)
            except DehuskError as error:
                if tell:
                    warn(str(error))


def read_given(given: GivenPage, decision: Decision = DEFAULT_DECISION) -> ReadPage:
    """Read a page and parse it, and take out what the decision says."""
    raw = given.read()
    return ReadPage(prepared(read_page(raw), decision), len(raw.body), given.folder)


@contextmanager
def _fetching(allow_private: bool, render: bool) -> Iterator[Callable[[str], GivenPage]]:
    """A function that fetches a page under the rules of a crawl; the connection is opened on the first call."""
    with ExitStack() as opened:

        @cache
        def fetch_page() -> Callable[[str], RawPage]:
            from dehusk.sites.politeness import Pace, PoliteFetcher
            from dehusk.sources.fetching import Fetcher, HttpFetcher

            fetcher: Fetcher = opened.enter_context(HttpFetcher(allow_private=allow_private))
            if render:
                from dehusk.sites.rendering import BrowserFetcher

                fetcher = opened.enter_context(BrowserFetcher(fetcher))
            return PoliteFetcher(fetcher, Pace()).fetch

        yield lambda url: _given(url, file_name(url), fetch_page()(url))


def _with_address(page: GivenPage, address: str) -> GivenPage:
    """A page that came from an address. Pages of archives say themselves where they are from."""
    if _has_reader(page):
        raise InvalidSetting("--url", f"{page.label} holds many pages", "give the address of one page")
    return replace(page, address=address)


def is_url(path: str) -> bool:
    return path.lower().startswith(("http://", "https://"))


def file_name(url: str) -> str:
    """A file name for a page's result: its URL, reduced to characters that every file system accepts."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", url.partition("://")[2].partition("#")[0])
    return f"{name[:_LONGEST_NAME].strip('.-') or 'page'}.html"


def _files(path: str, output: Path | None, follow_links: bool) -> Iterator[GivenPage]:
    for file in source_files(path, follow_links):
        # Streams can be read only once, so they are read now and kept.
        if path == STANDARD_INPUT or (is_stream(path) and not find_reader(path)):
            read = guarded(read_file, file, path)
            yield _given(read.label if isinstance(read, RawPage) else read.subject, file.relative, read)
        elif file.path == path or output is None or os.path.abspath(file.path) != os.path.abspath(output):
            yield _given(file.path, file.relative, file)


def _given(label: str, relative: str, source: PageFile | RawPage | DehuskError) -> GivenPage:
    return GivenPage(label, relative, label.removesuffix(relative).rstrip(os.sep) or ".", source)


def _with_unique_names(pages: Iterable[GivenPage]) -> Iterator[GivenPage]:
    """The pages with unique names for their results: the file's own without suffix, or with a number if taken."""
    taken: set[str] = set()
    for page in pages:
        numbered = (f"{page.name}-{number}" for number in count(2))
        names = chain([str(PurePath(page.name).with_suffix("")), page.name], numbered)
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(page, name=name)


def _has_reader(given: GivenPage) -> bool:
    """Whether this is an archive: a file that only its reader can say the number of pages of."""
    file = given.source
    return isinstance(file, PageFile) and not file.refusal and find_reader(file.path) is not None


def _pages_of(given: GivenPage, options: SourceOptions) -> Iterator[GivenPage]:
    """The page itself, or the pages of an archive. An unexpected error while reading becomes the last page."""
    file = given.source
    if not isinstance(file, PageFile) or not (_has_reader(given) or is_remote(file.path)):
        yield given
        return
    pages = pages_in(replace(file, relative=given.name), options)
    while (found := guarded(_next, pages, file.path)) is not None:
        if isinstance(found, DehuskError):
            yield replace(given, source=found)
            return
        name, page = found
        yield replace(given, label=page.label if isinstance(page, RawPage) else page.subject, name=name, source=page)


def _next(pages: Iterator[tuple[str, RawPage | DehuskError]]) -> tuple[str, RawPage | DehuskError] | None:
    return next(pages, None)


def _extract(page: GivenPage, folder: str, name: str) -> GivenPage:
    """The same page, to be read from a file in the folder if it is in memory."""
    if not isinstance(page.source, RawPage):
        return page
    path = Path(folder) / f"{name}.page"
    with output_errors(path, TEMPORARY_FILES):
        path.write_bytes(page.source.body)
    return replace(page, source=PageFile(str(path), "", about=replace(page.source, body=b"")))
