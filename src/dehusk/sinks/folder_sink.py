"""A folder with one file per page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dehusk.sinks.sink import Content, Record, Write, digest_of, output_errors, text_of
from dehusk.workers.whole_files import remove_incomplete, write_whole


@contextmanager
def open_folder(target: Path, content: Content) -> Iterator[Write]:
    """Write the text of each record to its own file. Names are digests, never parts of a URL, which the author of the
    page chose. Each file is whole; files written before an exception stay."""
    target.mkdir(parents=True, exist_ok=True)
    remove_incomplete(target)

    def write(record: Record) -> None:
        file = target / f"{digest_of(record)}{content.suffix}"
        with output_errors(file):
            write_whole(file, text_of(record, "text").encode("utf-8", "replace"))

    yield write
