"""Records as lines of text: JSON lines and CSV, plain or compressed with gzip or zstd."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from dehusk.outputs.block_json import json_text
from dehusk.outputs.page_records import csv_text
from dehusk.sinks.sink import Write
from dehusk.sources.decompression import import_zstandard


@contextmanager
def open_jsonl(path: Path, suffix: str = "") -> Iterator[Write]:
    """A new file of JSON lines, compressed if the suffix is `.gz` or `.zst`."""
    with _opened(path, suffix) as stream:
        yield lambda record: stream.write(f"{json_text(dict(record))}\n".encode("utf-8", "replace"))


@contextmanager
def open_csv(path: Path, suffix: str = "") -> Iterator[Write]:
    """A new CSV file, with a line of column names."""
    with _opened(path, suffix) as stream:
        stream.write(csv_text([], header=True).encode())
        yield lambda record: stream.write(csv_text([record], header=False).encode("utf-8", "replace"))


@contextmanager
def _opened(path: Path, suffix: str) -> Iterator[IO[bytes]]:
    with ExitStack() as stack:
        stream: IO[bytes] = stack.enter_context(path.open("wb"))
        if suffix == ".gz":
            # Without name and time: the same records make the same file.
            zipped = gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0)
            stream = cast("IO[bytes]", stack.enter_context(zipped))
        elif suffix == ".zst":
            stream = stack.enter_context(import_zstandard().ZstdCompressor().stream_writer(stream, closefd=False))
        yield stream
