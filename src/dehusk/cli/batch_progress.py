"""Progress of a batch on standard error: a bar on a terminal, otherwise a line every few seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, Self

from rich.progress import TaskID

from dehusk.batch.batch_files import PROGRESS, progress
from dehusk.batch.batch_running import SliceKey, Watcher
from dehusk.batch.batch_storage import Storage, read_json
from dehusk.batch.bucketing import InputBucketed
from dehusk.batch.cleaning_slices import SliceCleaned
from dehusk.batch.learning_sites import BucketLearnt
from dehusk.cli.reporting import progress_bars, tell
from dehusk.errors import OutputError

_SECONDS_BETWEEN: Final = 0.5
_SECONDS_BETWEEN_LINES: Final = 10.0


class ProgressWatcher(Watcher):
    """Adds up finished slices and the progress files of those still running."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._bars = progress_bars()
        self._bar: TaskID | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._refresh_regularly, daemon=True)
        self._storage: Storage | None = None
        self._under_way: list[SliceKey] = []
        self._pages = self._failed = self._sites = self._expected = 0
        self._begun = time.monotonic()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_of_cleaning()
        self._bars.stop()

    def bucketing(self, tasks: int) -> None:
        self._begin("sorting pages by site", tasks)

    def bucketed(self, result: InputBucketed) -> None:
        self._advance()

    def learning(self, tasks: int) -> None:
        self._begin("learning and cleaning sites", tasks)

    def learnt(self, result: BucketLearnt) -> None:
        self._advance()

    def comparing(self, tasks: int) -> None:
        self._end_of_cleaning()
        self._begin("finding duplicates", tasks)

    def writing(self, tasks: int) -> None:
        self._end_of_cleaning()
        self._begin("writing pages", tasks)

    def advanced(self) -> None:
        self._advance()

    def cleaning(self, storage: Storage, slices: Sequence[SliceKey], pages: int, sites: int) -> None:
        self._begin("cleaning", pages)
        self._storage, self._under_way = storage, list(slices)
        self._expected, self._sites, self._begun = pages, sites, time.monotonic()
        self._thread.start()

    def cleaned(self, result: SliceCleaned) -> None:
        self._under_way.remove((result.bucket, result.number))
        self._pages += result.count.pages
        self._failed += result.count.failed

    def _end_of_cleaning(self) -> None:
        """Stop watching the progress of slices."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _begin(self, phase: str, total: int) -> None:
        if self._bar is not None:
            self._bars.remove_task(self._bar)
        self._bar = self._bars.add_task(phase, total=total)
        if not self._is_terminal and total:
            tell(f"{phase}: {total:,} to do")

    def _advance(self) -> None:
        if self._bar is not None:
            self._bars.advance(self._bar)

    def _refresh_regularly(self) -> None:
        last_line = time.monotonic()
        between = self._storage.seconds_between_beats if self._storage else _SECONDS_BETWEEN
        while not self._stop.wait(between):
            pages, line = self._look()
            if self._is_terminal and self._bar is not None:
                self._bars.update(self._bar, completed=pages, description=line)
            elif time.monotonic() - last_line >= _SECONDS_BETWEEN_LINES:
                last_line = time.monotonic()
                tell(f"{line}; {pages:,} of {self._expected:,} pages")

    def _look(self) -> tuple[int, str]:
        """The number of pages so far, and the status line."""
        counts = [(self._pages, self._failed), *self._counts_under_way()]
        pages, failed = (sum(column) for column in zip(*counts, strict=True))
        speed = pages / (time.monotonic() - self._begun)
        return pages, f"cleaning {self._sites:,} sites: {speed:,.0f} pages/s, {failed:,} not cleaned"

    def _counts_under_way(self) -> Iterator[tuple[int, int]]:
        if self._storage is None:
            return
        under_way = {progress(*key) for key in tuple(self._under_way)}
        for name in self._storage.names(PROGRESS):
            if name in under_way:
                yield _read_counts(self._storage, name)


def _read_counts(storage: Storage, name: str) -> tuple[int, int]:
    try:
        counts = read_json(storage, name)
        return counts["pages"], counts["failed"]
    except (OutputError, KeyError, TypeError):
        return 0, 0  # gone, or not ours
