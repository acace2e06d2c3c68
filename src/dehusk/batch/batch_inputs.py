"""What a batch reads: files in a fixed order, cut into tasks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from dehusk.batch.batch_files import PART_SUFFIX
from dehusk.errors import InvalidSetting, SourceNotFound
from dehusk.sources.files import STANDARD_INPUT, PageFile, is_stream
from dehusk.sources.remote import is_remote, remote_files
from dehusk.sources.source_opening import SOURCE_SUFFIXES, local_files

Item = TypeVar("Item")

_SUFFIXES: Final = (*SOURCE_SUFFIXES, PART_SUFFIX)
"""Files that hold pages, buckets of other batches among them."""
TASK_FILES: Final = 1000
"""Most files of a task: a folder of a million pages should be neither a million tasks nor one."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file with pages, and what shows whether it has changed."""

    file: PageFile
    size: int
    state: str
    """Its modification time, or what its storage has instead."""


def find_inputs(paths: Iterable[str], follow_links: bool = False) -> list[InputFile]:
    """Every file under the paths, in order, each once."""
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
    """Files that follow each other, up to `TASK_FILES` and so many bytes; a larger file is a task by itself."""
    for together in cut_by_size(inputs, lambda found: found.size, most_bytes, TASK_FILES):
        yield tuple(found.file for found in together)


def cut_by_size(
    items: Iterable[Item], size_of: Callable[[Item], int], most_bytes: int, most_items: int = sys.maxsize
) -> Iterator[list[Item]]:
    """Lists of items that follow each other, each of at most so many bytes, unless it is one item."""
    gathered: list[Item] = []
    size = 0
    for item in items:
        if gathered and (len(gathered) == most_items or size + size_of(item) > most_bytes):
            yield gathered
            gathered, size = [], 0
        gathered.append(item)
        size += size_of(item)
    if gathered:
        yield gathered


def _with_states(path: str, follow_links: bool) -> Iterator[InputFile]:
    if is_remote(path):
        for remote in remote_files(path, _SUFFIXES):
            yield InputFile(PageFile(remote.address, remote.relative), remote.size, remote.state)
    else:
        yield from map(_with_state, local_files(path, _SUFFIXES, follow_links))


def _with_state(file: PageFile) -> InputFile:
    if file.refusal:
        return InputFile(file, 0, "not read")
    try:
        state = os.stat(file.path)
    except OSError:
        return InputFile(file, 0, "")  # reading it will say what is wrong
    return InputFile(file, state.st_size, str(state.st_mtime_ns))
