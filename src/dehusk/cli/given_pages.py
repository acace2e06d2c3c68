"""The pages a command is given: files, folders, archives, URLs and standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain, count
from pathlib import Path, PurePath
from typing import Final

from dehusk.errors import DehuskError, MissingExtra, SourceError
from dehusk.learning import sample
from dehusk.sites.politeness import Pace, PoliteFetcher
from dehusk.sources.fetching import HttpFetcher
from dehusk.sources.files import STANDARD_INPUT, PageFile, is_stream, read_file
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import find_reader, pages_in, source_files
from dehusk.workers.guard import guarded
from dehusk.workers.whole_files import output_errors

_LONGEST_NAME: Final = 120
"""Characters of a file name made from a URL; file systems allow 255 bytes."""


class GivenPages:
    """The pages in the order of the paths. Can be iterated any number of times.

    Archives are read again each time, so that only one of their pages is in memory. Sources that can be read only
    once (URLs, standard input) are kept in memory. A page that cannot be read keeps its number: reading it raises.
    """

    def __init__(
        self,
        paths: Sequence[str],
        *,
        allow_private: bool = False,
        follow_links: bool = False,
        output: Path | None = None,
        collect_missing: bool = False,
    ) -> None:
        """Paths that do not exist raise, or are collected in `missing`. `output` is never read as input."""
        found: list[PageFile] = []
        missing: list[DehuskError] = []
        with _fetching(allow_private) as fetch:
            for path in paths:
                try:
                    found += [fetch(path)] if _is_url(path) else _files(path, output, follow_links)
                except (SourceError, MissingExtra) as error:
                    if not collect_missing:
                        raise
                    missing.append(error)
        self.missing = tuple(missing)
        self._files = list(_with_unique_names(found))

    @property
    def count(self) -> int | None:
        """Number of pages; None if archives would have to be read to know it."""
        has_archives = any(file.stored is None and find_reader(file.path) for file in self._files)
        return None if has_archives else len(self._files)

    def __iter__(self) -> Iterator[PageFile]:
        for file in self._files:
            yield from _guarded_pages(file)

    def sample(self, most: int, seed: int, folder: str) -> list[PageFile]:
        """A random sample of the pages; see `numbered`."""
        numbers = sample((number for number, _ in enumerate(self)), most, seed)
        return list(self.numbered(numbers, folder).values())

    def numbered(self, numbers: Iterable[int], folder: str) -> dict[int, PageFile]:
        """The pages with these numbers, each readable by itself.

        Archives allow no random access, so their pages are copied to files in `folder`.
        """
        wanted = frozenset(numbers)
        return {number: _extract(page, folder, number) for number, page in enumerate(self) if number in wanted}


@contextmanager
def _fetching(allow_private: bool) -> Iterator[Callable[[str], PageFile]]:
    """A function that fetches a page under the rules of a crawl; the connection is opened on the first call."""
    with ExitStack() as opened:

        @cache
        def fetcher() -> PoliteFetcher:
            return PoliteFetcher(opened.enter_context(HttpFetcher(allow_private=allow_private)), Pace())

        yield lambda url: PageFile(url, file_name(url), stored=fetcher().fetch(url))


def _is_url(path: str) -> bool:
    return path.lower().startswith(("http://", "https://"))


def file_name(url: str) -> str:
    """A file name for a page's result: its URL, reduced to characters that every file system accepts."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", url.partition("://")[2].partition("#")[0])
    return f"{name[:_LONGEST_NAME].strip('.-') or 'page'}.html"


def _files(path: str, output: Path | None, follow_links: bool) -> Iterator[PageFile]:
    for file in source_files(path, follow_links):
        # Streams can be read only once, so they are read now and kept.
        if path == STANDARD_INPUT or (is_stream(path) and not find_reader(path)):
            read = guarded(read_file, file, path)
            yield replace(file, path=read.label if isinstance(read, RawPage) else read.subject, stored=read)
        elif file.path == path or output is None or os.path.abspath(file.path) != os.path.abspath(output):
            yield file


def _with_unique_names(files: Iterable[PageFile]) -> Iterator[PageFile]:
    """The files with unique names for their results: the file's own without suffix, or with a number if taken."""
    taken: set[str] = set()
    for file in files:
        names = chain([str(PurePath(file.relative).with_suffix("")), file.relative], _with_numbers(file.relative))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(file, relative=name, folder=file.path.removesuffix(file.relative).rstrip(os.sep) or ".")


def _with_numbers(name: str) -> Iterator[str]:
    return (f"{name}-{number}" for number in count(2))


def _guarded_pages(file: PageFile) -> Iterator[PageFile]:
    """The pages of a file. An unexpected error while reading becomes its last page."""
    pages = pages_in(file)
    while (page := guarded(_next, pages, file.path)) is not None:
        if isinstance(page, DehuskError):
            yield replace(file, stored=page)
            return
        yield page


def _next(pages: Iterator[PageFile]) -> PageFile | None:
    return next(pages, None)


def _extract(page: PageFile, folder: str, number: int) -> PageFile:
    if not isinstance(page.stored, RawPage):
        return page
    path = Path(folder) / f"{number}.page"
    with output_errors(path, "make room for temporary files"):
        path.write_bytes(page.stored.body)
    return replace(page, path=str(path), stored=None, about=replace(page.stored, body=b""))
