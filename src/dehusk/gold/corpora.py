"""Read labelled pages from Parquet files.

Columns that are read: `id`, `site`, `url`, `lang`, `page_type`, `html` (bytes) and `gold` (the main content as text).
Gold is for scoring and training; no cleaner ever sees it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.errors import GoldError, MissingExtra
from dehusk.sources.raw_page import RawPage

_COLUMNS = ("id", "site", "url", "lang", "page_type", "html", "gold")
_BATCH = 64


@dataclass(frozen=True, slots=True)
class GoldPage:
    """One page and what a person would call its content."""

    identifier: str
    site: str
    language: str
    page_type: str
    raw: RawPage
    gold: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of labelled pages, read as a stream."""

    path: str

    @property
    def name(self) -> str:
        return Path(self.path).stem

    def __iter__(self) -> Iterator[GoldPage]:
        with _open_parquet(self.path) as file:
            missing = sorted({"html", "gold"} - set(file.schema_arrow.names))
            if missing:
                cause = f"has no column {', '.join(missing)}"
                raise GoldError(self.path, cause, "labelled pages need at least html (bytes) and gold (text)")
            columns = [name for name in _COLUMNS if name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=_BATCH, columns=columns):
                yield from map(self._gold_page, batch.to_pylist())

    def size(self) -> int:
        """The number of pages."""
        with _open_parquet(self.path) as file:
            return int(file.metadata.num_rows)

    def digest(self) -> str:
        """SHA-256 of the file: results are only comparable between equal corpora."""
        with open(self.path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _gold_page(self, row: dict[str, str | bytes | None]) -> GoldPage:
        def text(column: str) -> str:
            value = row.get(column)
            return value if isinstance(value, str) else ""

        html = row["html"]
        body = html if isinstance(html, bytes) else str(html or "").encode()
        label = f"{self.name}:{text('id') or text('url')}"
        raw = RawPage(body, url=text("url"), name=label)
        return GoldPage(text("id"), text("site"), text("lang"), text("page_type"), raw, text("gold"))


def open_corpora(paths: list[str]) -> list[Corpus]:
    """One corpus a file; a folder stands for the Parquet files in it."""
    found: list[Corpus] = []
    for path in paths:
        if os.path.isdir(path):
            found += [Corpus(str(file)) for file in sorted(Path(path).glob("*.parquet"))]
        elif os.path.exists(path):
            found.append(Corpus(path))
        else:
            raise GoldError(path, "no such file or folder", "give Parquet files of labelled pages")
    if not found:
        raise GoldError(", ".join(paths), "no Parquet files in it", "give Parquet files of labelled pages")
    return found


def _open_parquet(path: str) -> Any:
    """A `pyarrow.parquet.ParquetFile`; Any because pyarrow has no types."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "needed to read Parquet files", "pip install 'dehusk[parquet]'") from error
    try:
        return pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        cause = f"not a readable Parquet file ({error})"
        raise GoldError(path, cause, "give Parquet files of labelled pages") from error
