"""Files of text signatures, one per slice: what pages are compared by, and what dropping one takes off the counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.batch.batch_counts import PageCount
from dehusk.filtering.text_signatures import HASHES

ROW: Final = np.dtype(
    [("record", "<i8"), ("size_before", "<i8"), ("size_after", "<i8"), ("signature", "<u4", (HASHES,))]
)
"""One page: the number of its record in the slice, its bytes and those of its content, and its signature."""
_READ_ROWS: Final = 50_000
"""Rows read at a time: 25 MB."""

SignatureTable = NDArray[np.void]
"""Rows of `ROW`."""


class SignatureRows:
    """Collects the rows of one slice: 500 bytes for each page."""

    def __init__(self) -> None:
        self._rows: list[Any] = []

    def add(self, signature: object, record: int, page: PageCount) -> None:
        """Add a page; one without a signature is compared with none."""
        if isinstance(signature, bytes) and signature:
            row = (record, page.size_before, page.size_after, np.frombuffer(signature, dtype="<u4"))
            self._rows.append(row)

    def save(self, path: Path) -> None:
        """Write the file."""
        path.write_bytes(np.array(self._rows, dtype=ROW).tobytes())


def row_count(path: Path) -> int:
    """Pages in a file."""
    return path.stat().st_size // ROW.itemsize


def read_rows(path: Path) -> Iterator[SignatureTable]:
    """The pages of a file in order, some at a time."""
    with path.open("rb") as stream:
        while len(rows := np.frombuffer(stream.read(_READ_ROWS * ROW.itemsize), dtype=ROW)):
            yield rows


def rows_at(path: Path, indexes: NDArray[np.int64]) -> SignatureTable:
    """Some pages of a file, by index, in ascending order."""
    if not len(indexes):
        return np.zeros(0, dtype=ROW)
    found: SignatureTable = np.memmap(path, dtype=ROW, mode="r")[indexes]
    return found
