"""What a batch reads: files in a fixed order, cut into tasks that are neither too many nor too large."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from dehusk.errors import InvalidSetting, SourceNotFound
from dehusk.sources.files import STANDARD_INPUT, PageFile, is_stream
from dehusk.sources.remote import is_remote, remote_files
from dehusk.sources.source_opening import SOURCE_SUFFIXES, source_files

TASK_FILES: Final = 1000
"""In one task, at most: a folder of a million pages is not a million tasks, and not one either."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file with pages, and what tells whether it is still the same."""

    file: PageFile
    size: int
    state: str
    """When it was changed, or what its storage says instead."""


def find_inputs(paths: Iterable[str], follow_links: bool = False) -> list[InputFile]:
    """Every file below the paths, in their order; a file that is found twice is read once."""
    found: dict[str, InputFile] = {}
    for path in paths:
        if path == STANDARD_INPUT or is_stream(path):
            name = "standard input" if path == STANDARD_INPUT else path
            raise InvalidSetting(name, "cannot be read again by a second run", "write it to a file first")
        for file in _with_states(path, follow_links):
            found.setdefault(file.file.path, file)
    if not found:
        raise SourceNotFound(", ".join(paths), "no pages in it", "give files, or folders with files of pages")
    return list(found.values())


def cut_into_tasks(inputs: Iterable[InputFile], most_bytes: int) -> Iterator[tuple[PageFile, ...]]:
    """Runs of files."""
    gathered: list[PageFile] = []
    size = 0
    for found in inputs:
        if gathered and (len(gathered) == TASK_FILES or size + found.size > most_bytes):
            yield tuple(gathered)
            gathered, size = [], 0
        gathered.append(found.file)
        size += found.size
    if gathered:
        yield tuple(gathered)


def _with_states(path: str, follow_links: bool) -> Iterator[InputFile]:
    if is_remote(path):
        for remote in remote_files(path, SOURCE_SUFFIXES):
            yield InputFile(PageFile(remote.address, remote.relative), remote.size, remote.state)
    else:
        yield from map(_with_state, source_files(path, follow_links))


def _with_state(file: PageFile) -> InputFile:
    if file.refusal:
        return InputFile(file, 0, "not read")
    try:
        state = os.stat(file.path)
    except OSError:
        return InputFile(file, 0, "")  # reading it will say what is wrong
    return InputFile(file, state.st_size, str(state.st_mtime_ns))
