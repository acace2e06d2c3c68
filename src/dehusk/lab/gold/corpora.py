"""Read labelled pages from Parquet files.

Columns that are read: `id`, `site`, `url`, `lang`, `page_type`, `category`, `subcategory`, `html` (bytes), `gold`
(the main content as text), `gold_marked` (the same with CleanEval's tags, where somebody marked it) and
`gold_comments` (what readers wrote below it). Gold and categories are for scoring and training; no cleaner ever sees
them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from dehusk.errors import GoldError, MissingExtra
from dehusk.sources.raw_page import RawPage

_COLUMNS = (
    *("id", "site", "url", "lang", "page_type", "category", "subcategory", "html"),
    *("gold", "gold_marked", "gold_comments"),
)
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
    category: str = ""
    subcategory: str = ""
    gold_marked: str = ""
    """Gold with `<h>`, `<p>` and `<l>` before its headers, paragraphs and list items; empty where there is none."""
    gold_comments: str = ""
    """What readers wrote below the content; empty where there is none, or nobody looked."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of labelled pages, read as a stream."""

    path: str

    @property
    def name(self) -> str:
        return Path(self.path).stem

    def __iter__(self) -> Iterator[GoldPage]:
        needs = "labelled pages need at least html (bytes) and gold (text)"
        yield from map(self._gold_page, self._rows(_COLUMNS, {"html", "gold"}, needs))

    def column(self, name: str) -> list[str]:
        """One column of text, a value a page and empty where it is null; the pages themselves are not read."""
        return [str(row[name] or "") for row in self._rows((name,), {name}, f"these pages need a column {name} (text)")]

    def numbers_by_site(self) -> dict[str, list[int]]:
        """Site -> the numbers of its pages, as `pick` takes them; those of no known site are under the empty name."""
        numbers: dict[str, list[int]] = {}
        for number, site in enumerate(self.column("site")):
            numbers.setdefault(site, []).append(number)
        return numbers

    def pick(self, numbers: Container[int]) -> Iterator[GoldPage]:
        """The pages with these numbers, counted from 0 in the order of the file. They need no gold."""
        rows = self._rows(_COLUMNS, {"html"}, "labelled pages need at least html (bytes)")
        yield from (self._gold_page(row) for number, row in enumerate(rows) if number in numbers)

    def _rows(
        self, columns: tuple[str, ...], required: set[str], needs: str
    ) -> Iterator[dict[str, str | bytes | None]]:
        with _open_parquet(self.path) as file:
            there = set(file.schema_arrow.names)
            if missing := sorted(required - there):
                raise GoldError(self.path, f"has no column {', '.join(missing)}", needs)
            wanted = [name for name in columns if name in there]
            for batch in file.iter_batches(batch_size=_BATCH, columns=wanted):
                yield from batch.to_pylist()

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
        described = (text("id"), text("site"), text("lang"), text("page_type"))
        others = map(text, ("category", "subcategory", "gold_marked", "gold_comments"))
        return GoldPage(*described, raw, text("gold"), *others)


class LabelledPages(Protocol):
    """Labelled pages, wherever they lie."""

    def __iter__(self) -> Iterator[GoldPage]:
        """The pages, as a stream."""

    def size(self) -> int:
        """The number of pages."""


def take(corpus: LabelledPages, limit: int | None) -> Iterator[GoldPage]:
    """The pages of a corpus, or `limit` of them evenly spread over it (files are often sorted by site)."""
    if limit is None:
        yield from corpus
        return
    size = corpus.size()
    step = max(size / limit, 1.0)
    wanted = {int(number * step) for number in range(min(limit, size))}
    yield from (page for number, page in enumerate(corpus) if number in wanted)


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
