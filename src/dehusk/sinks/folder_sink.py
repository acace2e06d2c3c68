"""A folder with one file a page."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from dehusk.sinks.sink import Content, Record, digest_of, output_errors, text_of
from dehusk.workers.whole_files import written_whole


class FolderSink:
    """The text of each record in a file of its own. Names are digests, never parts of an address: whoever wrote the
    page chose that. Files are whole one by one; what was written before an exception stays."""

    def __init__(self, target: Path, content: Content) -> None:
        self._target, self._suffix = target, content.suffix

    def __enter__(self) -> Self:
        with output_errors(self._target):
            self._target.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def write(self, record: Record) -> None:
        """Write one file."""
        file = self._target / f"{digest_of(record)}{self._suffix}"
        with output_errors(file), written_whole(file) as temporary:
            temporary.write_bytes(text_of(record, "text").encode("utf-8", "replace"))
