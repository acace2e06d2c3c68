"""One file with a record for each page: JSON lines or CSV.

Records come one by one and are kept as JSON lines beside the file that they are for; at the end that file is written,
whole. What was interrupted goes on from what is kept.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from dehusk.errors import OutputError
from dehusk.outputs.page_records import csv_text
from dehusk.workers.whole_files import output_errors, written_whole


class RecordFile:
    """Takes records, and writes the file when there are no more."""

    def __init__(self, target: Path, *, as_csv: bool, resume: bool) -> None:
        self._target, self._as_csv = target, as_csv
        self._kept = target.with_name(f".{target.name}.part")
        self.is_done = resume and target.exists()
        """Whether the file is there already."""
        self._names = Counter(self._names_kept() if resume else ())
        """Pages whose records are kept from before, and that were not asked about so far."""
        self._is_begun = bool(self._names)
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Self:
        if self._target.is_dir():
            raise OutputError(str(self._target), "is a folder", "name a file that holds all records")
        with output_errors(self._target):
            self._target.parent.mkdir(parents=True, exist_ok=True)
            self._stream = open(self._kept, "ab" if self._is_begun else "wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._stream is not None
        self._stream.close()
        if kind is None and not self.is_done and self._kept.stat().st_size:
            self._write()
            self._kept.unlink()
        elif kind is None or not self._kept.stat().st_size:
            self._kept.unlink()  # nothing to write, or nothing to go on from

    def has(self, name: str) -> bool:
        """Whether a page of that name needs no record any more. Archives may hold a name twice: so this counts."""
        if not self._names[name]:
            return self.is_done
        self._names[name] -= 1
        return True

    def add(self, line: str) -> None:
        """One record as a line of JSON."""
        assert self._stream is not None
        self._stream.write(line.encode("utf-8", "replace"))
        self._stream.flush()

    def _names_kept(self) -> Iterator[str]:
        """Names of the pages whose records are kept whole; what is not is cut off."""
        if not self._kept.exists():
            return
        whole = 0
        with open(self._kept, "r+b") as stream:
            for line in stream:
                try:
                    name = json.loads(line)["name"]
                except (ValueError, KeyError, TypeError):
                    break
                whole += len(line)
                yield name
            stream.truncate(whole)

    def _write(self) -> None:
        with written_whole(self._target) as temporary, open(self._kept, "rb") as kept, open(temporary, "wb") as written:
            if not self._as_csv:
                written.writelines(kept)
                return
            written.write(csv_text([], header=True).encode())
            for line in kept:
                written.write(csv_text([json.loads(line)], header=False).encode("utf-8", "replace"))
