"""Large pages are cleaned in a process of their own, which can be killed.

While the compiled part works, no exception reaches Python: neither Ctrl+C nor a time limit would end a call before it
returns. Smaller pages are not worth a process: they take a second or two at most, and to start one takes half a second.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from dehusk.cli.clean_step import CleanFile
from dehusk.cli.reporting import FileCleaned
from dehusk.errors import DehuskError
from dehusk.sources.files import PageFile
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.workers.worker_process import Worker

PAGE_SECONDS: Final = 300.0
"""Time limit of a page: the largest that are read, of 64 MB, take a minute, and longer on a busy machine."""
_QUICK_BYTES: Final = 2_000_000
"""Bytes of a page that is cleaned here."""


def clean_or_give_up(task: CleanFile, clean: Callable[[CleanFile], FileCleaned], most_seconds: float) -> FileCleaned:
    """Clean a page, here or in the other process, with a module-level function that never raises."""
    if _size(task) <= _QUICK_BYTES:
        return clean(task)
    name = task.given.label
    result = _process().run(clean, task, name, most_seconds)
    return FileCleaned(name, failure=str(result)) if isinstance(result, DehuskError) else result


def end_process() -> None:
    """End the other process, if there is one."""
    if _process.cache_info().currsize:
        _process().close()


@cache
def _process() -> Worker:
    from dehusk.workers.worker_process import UNLIMITED, Worker, WorkerLimits  # few runs have large pages

    return Worker(WorkerLimits(megabytes=UNLIMITED))


def _size(task: CleanFile) -> int:
    """Bytes of the page as it is stored; 0 if nobody knows."""
    if task.read is not None:
        return task.read.size
    source = task.given.source
    if isinstance(source, RawPage):
        return len(source.body)
    try:
        return os.path.getsize(source.path) if isinstance(source, PageFile) else 0
    except OSError:  # reading it will say why
        return 0
