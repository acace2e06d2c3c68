"""One file with a record per page that an interrupted run can resume.

Records are first appended as JSON lines to a partial file beside the target; at the end the target is written from
it, completely or not at all, and the partial file is removed. As long as that is there, a run resumes from it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import IO, Self

from dehusk.errors import OutputError
from dehusk.sinks.sink_opening import opened_sink
from dehusk.workers.whole_files import Remedies, output_errors


class RecordFile:
    """Collects records, and writes the file on exit."""

    def __init__(self, target: Path, format_name: str, remedies: Remedies, *, resume: bool) -> None:
        self._target, self._format_name, self._remedies = target, format_name, remedies
        self._kept = target.with_name(f".{target.name}.part")
        with self._refusals():
            # A target beside a partial file is of an earlier run, or a run was killed between writing one and
            # removing the other.
            self.is_done = resume and target.exists() and not self._kept.exists()
            """Whether the file already exists."""
            self._names = Counter(self._names_kept() if resume else ())
            """Names of pages in the partial file, less those that `has` was asked about."""
        self._is_begun = bool(self._names)
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Self:
        if self._target.is_dir():
            raise OutputError(str(self._target), "is a folder", "name a file for the records")
        if not self.is_done:
            with self._refusals():
                self._target.parent.mkdir(parents=True, exist_ok=True)
                self._stream = open(self._kept, "ab" if self._is_begun else "wb")
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if self._stream is None:
            return
        # After an error, closing what could not be written fails again: the first error is the one to raise.
        with suppress(OSError) if kind else self._refusals():
            self._stream.close()
        with suppress(OSError) if kind else self._refusals():
            has_records = self._kept.stat().st_size > 0
            if kind is None and has_records:
                self._write()
            if kind is None or not has_records:
                self._kept.unlink()

    def has(self, name: str) -> bool:
        """Whether the page of that name already has its record; counts, as archives may hold a name twice."""
        if not self._names[name]:
            return self.is_done
        self._names[name] -= 1
        return True

    def add(self, line: str) -> None:
        """Add a record, given as a line of JSON."""
        assert self._stream is not None
        with self._refusals():
            self._stream.write(line.encode("utf-8", "replace"))
            self._stream.flush()

    def _refusals(self) -> AbstractContextManager[None]:
        return output_errors(self._target, self._remedies)

    def _names_kept(self) -> Iterator[str]:
        """The page names in the partial file; an incomplete record at its end is cut off.

        A page with chunks has several lines, numbered by `order`, so nobody knows whether the last one has all: it is
        cut off as well.
        """
        if not self._kept.exists():
            return
        whole, last = 0, ""
        with open(self._kept, "r+b") as stream:
            end = 0
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                try:
                    record = json.loads(line)
                    name, order = str(record["name"]), record.get("order")
                except (ValueError, KeyError, TypeError, AttributeError):
                    break
                if not order:
                    if last:
                        yield last
                    whole, last = (end, name) if order == 0 else (end + len(line), "")
                    if order is None:
                        yield name
                end += len(line)
            stream.truncate(whole)

    def _write(self) -> None:
        with opened_sink(self._target, self._format_name) as write, open(self._kept, "rb") as kept:
            for line in kept:
                write(json.loads(line))
