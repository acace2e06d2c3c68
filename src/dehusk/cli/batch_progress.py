"""How far a batch is, on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from dehusk.batch.bucketing import InputBucketed
from dehusk.batch.cleaning_sites import BucketCleaned
from dehusk.batch.folders import Folders
from dehusk.batch.running import Watcher
from dehusk.cli.reporting import errors

_SECONDS_BETWEEN: Final = 0.5
_SECONDS_BETWEEN_LINES: Final = 10.0


class ProgressWatcher(Watcher):
    """Adds what is done to what buckets under way say of themselves, which they leave in files."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._is_terminal = sys.stderr.isatty()
        self._bars = Progress(*columns, console=errors(), transient=True, disable=not self._is_terminal)
        self._bar: TaskID | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look_now_and_then, daemon=True)
        self._under_way: dict[int, Path] = {}
        self._pages = self._failed = self._sites = self._expected = 0
        self._begun = time.monotonic()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._bars.stop()

    def bucketing(self, tasks: int) -> None:
        self._bar = self._bars.add_task("sorting pages by site", total=tasks)

    def bucketed(self, result: InputBucketed) -> None:
        if self._bar is not None:
            self._bars.advance(self._bar)

    def cleaning(self, folders: Folders, buckets: Sequence[int], pages: int) -> None:
        if self._bar is not None:
            self._bars.remove_task(self._bar)
        self._under_way = {bucket: folders.progress_of(bucket) for bucket in buckets}
        self._expected, self._begun = pages, time.monotonic()
        self._bar = self._bars.add_task("cleaning", total=pages)
        self._thread.start()

    def cleaned(self, result: BucketCleaned) -> None:
        self._under_way.pop(result.bucket, None)
        self._pages += result.count.pages
        self._failed += result.count.failed
        self._sites += result.count.sites

    def _look_now_and_then(self) -> None:
        last_line = time.monotonic()
        while not self._stop.wait(_SECONDS_BETWEEN):
            pages, line = self._look()
            if self._is_terminal and self._bar is not None:
                self._bars.update(self._bar, completed=pages, description=line)
            elif time.monotonic() - last_line >= _SECONDS_BETWEEN_LINES:
                last_line = time.monotonic()
                errors().print(f"{line}; {pages:,} of {self._expected:,} pages", soft_wrap=True)

    def _look(self) -> tuple[int, str]:
        """Pages so far, and all there is to say."""
        counts = [(self._pages, self._failed, self._sites), *map(_read_counts, list(self._under_way.values()))]
        pages, failed, sites = (sum(column) for column in zip(*counts, strict=True))
        speed = pages / (time.monotonic() - self._begun)
        return pages, f"cleaning: {speed:,.0f} pages/s, {sites:,} sites, {failed:,} not cleaned"


def _read_counts(path: Path) -> tuple[int, int, int]:
    try:
        counts = json.loads(path.read_bytes())
        return counts["pages"], counts["failed"], counts["sites"]
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0, 0  # not begun
