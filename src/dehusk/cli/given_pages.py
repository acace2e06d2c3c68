"""The pages that a command is given: in files, folders and archives, at addresses, and on standard input."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path, PurePath

from dehusk.cli.fetched_pages import fetching, is_address
from dehusk.errors import DehuskError, MissingExtra, SourceError
from dehusk.learning import sample
from dehusk.sources.files import STANDARD_INPUT, PageFile, is_stream, read_file
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import find_reader, pages_in, source_files
from dehusk.workers.guard import guarded
from dehusk.workers.whole_files import output_errors


class GivenPages:
    """The pages in the order of the paths, to be gone through any number of times.

    Archives are read anew each time, so that memory holds one of their pages. What can be had only once (addresses,
    standard input) is held. A page that cannot be read has its place, too: reading it raises.
    """

    def __init__(
        self,
        paths: Sequence[str],
        *,
        allow_private: bool = False,
        follow_links: bool = False,
        output: Path | None = None,
        on_missing: Callable[[DehuskError], None] | None = None,
    ) -> None:
        """Paths that lead nowhere go to `on_missing`, or raise. The `output` may be in a folder that is given."""
        found: list[PageFile] = []
        with fetching(allow_private) as fetch:
            for path in paths:
                try:
                    found += [fetch(path)] if is_address(path) else _files(path, output, follow_links)
                except (SourceError, MissingExtra) as error:
                    if on_missing is None:
                        raise
                    on_missing(error)
        self._files = list(_told_apart(found))

    @property
    def count(self) -> int | None:
        """How many there are, if that is known before all are read."""
        has_archives = any(file.stored is None and find_reader(file.path) for file in self._files)
        return None if has_archives else len(self._files)

    def __iter__(self) -> Iterator[PageFile]:
        for file in self._files:
            yield from _guarded_pages(file)

    def sample(self, most: int, seed: int, folder: str) -> list[PageFile]:
        """Some of the pages, by chance; see `numbered`."""
        numbers = sample((number for number, _ in enumerate(self)), most, seed)
        return list(self.numbered(numbers, folder).values())

    def numbered(self, numbers: Iterable[int], folder: str) -> dict[int, PageFile]:
        """The pages with these numbers, to be read one by one.

        An archive is read from its beginning or not at all, so pages out of it are put into files of `folder`.
        """
        wanted = frozenset(numbers)
        return {number: _set_aside(page, folder, number) for number, page in enumerate(self) if number in wanted}


def _files(path: str, output: Path | None, follow_links: bool) -> Iterator[PageFile]:
    for file in source_files(path, follow_links):
        # Held, as they can be read once: now, and by this process.
        if path == STANDARD_INPUT or (is_stream(path) and not find_reader(path)):
            read = guarded(read_file, file, path)
            yield replace(file, path=read.label if isinstance(read, RawPage) else read.subject, stored=read)
        elif file.path == path or output is None or os.path.abspath(file.path) != os.path.abspath(output):
            yield file


def _told_apart(files: Iterable[PageFile]) -> Iterator[PageFile]:
    """The files with names for their results: their own without suffix, told apart where two would be one."""
    taken: set[str] = set()
    for file in files:
        names = chain([str(PurePath(file.relative).with_suffix("")), file.relative], _with_numbers(file.relative))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(file, relative=name, folder=file.path.removesuffix(file.relative).rstrip(os.sep) or ".")


def _with_numbers(name: str) -> Iterator[str]:
    return (f"{name}-{number}" for number in count(2))


def _guarded_pages(file: PageFile) -> Iterator[PageFile]:
    """The pages of a file. Should reading fail in a way that nobody thought of, that is its last page."""
    pages = pages_in(file)
    while (page := guarded(_next, pages, file.path)) is not None:
        if isinstance(page, DehuskError):
            yield replace(file, stored=page)
            return
        yield page


def _next(pages: Iterator[PageFile]) -> PageFile | None:
    return next(pages, None)


def _set_aside(page: PageFile, folder: str, number: int) -> PageFile:
    if not isinstance(page.stored, RawPage):
        return page
    path = Path(folder) / f"{number}.page"
    with output_errors(path, "make room for temporary files"):
        path.write_bytes(page.stored.body)
    return replace(page, path=str(path), stored=None, about=replace(page.stored, body=b""))
