"""JSON lines, plain or compressed with gzip or zstd."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, cast

from dehusk.errors import MissingExtra
from dehusk.outputs.block_json import json_text
from dehusk.sinks.sink import FileSink, Record, output_errors


class JsonlSink(FileSink):
    """One line a record."""

    _stream: IO[bytes]

    def write(self, record: Record) -> None:
        """Write one line."""
        with output_errors(self._target):
            self._stream.write((json_text(dict(record)) + "\n").encode("utf-8", "replace"))

    def _open(self, temporary: Path, stack: ExitStack) -> None:
        stream = stack.enter_context(temporary.open("wb"))
        name = self._target.name.lower()
        if name.endswith(".gz"):
            # Without name and time: the same records make the same file.
            zipped = gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0)
            self._stream = cast("IO[bytes]", stack.enter_context(zipped))
        else:
            self._stream = stack.enter_context(_zstd(stream)) if name.endswith(".zst") else stream


def _zstd(stream: IO[bytes]) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra("zstandard", "needed for .zst files", "pip install 'dehusk[zstd]'") from error
    return zstandard.ZstdCompressor().stream_writer(stream, closefd=False)
