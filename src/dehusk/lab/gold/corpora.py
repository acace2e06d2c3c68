"""Read labelled pages, from Parquet files or from folders, and split their sites into folds.

Columns of a Parquet file: `id`, `site`, `url`, `lang`, `page_type`, `category`, `subcategory`, `html` (bytes), `gold`
(the main content as text), `gold_marked` (the same with CleanEval's tags, if it was marked) and `gold_comments`
(readers' comments below the content). Gold and categories are for scoring and training; no cleaner ever sees them.

A folder has `page.txt` beside `page.html`: its content as plain text, or marked as in CleanEval, with `<h>`, `<p>` or
`<l>` at the start of a line before each header, paragraph and list item. The pages of a subfolder are of one site; each
page directly in the folder is a site of its own.

Folds always hold whole sites, and sites of one owner together.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlsplit
from zlib import crc32

from dehusk.errors import GoldError
from dehusk.sites import site_of
from dehusk.sources.files import find_pages, read_file
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage

_COLUMNS = (
    *("id", "site", "url", "lang", "page_type", "category", "subcategory", "html"),
    *("gold", "gold_marked", "gold_comments"),
)
_BATCH = 64


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and its gold: the content as annotated by a person."""

    identifier: str
    site: str
    language: str
    page_type: str
    raw: RawPage
    gold: str
    category: str = ""
    subcategory: str = ""
    gold_marked: str = ""
    """Gold with `<h>`, `<p>` and `<l>` before its headers, paragraphs and list items; empty if not marked."""
    gold_comments: str = ""
    """Readers' comments below the content; empty if there are none or they were not annotated."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A Parquet file of labelled pages, read as a stream."""

    path: str

    @property
    def name(self) -> str:
        return Path(self.path).stem

    def __iter__(self) -> Iterator[GoldPage]:
        needs = "labelled pages need at least html (bytes) and gold (text)"
        yield from map(self._gold_page, self._rows(_COLUMNS, {"html", "gold"}, needs))

    def column(self, name: str) -> list[str]:
        """One text column, one value per page, empty for null; does not read the pages themselves."""
        return [str(row[name] or "") for row in self._rows((name,), {name}, f"these pages need a column {name} (text)")]

    def numbers_by_site(self) -> dict[str, list[int]]:
        """Site -> the numbers of its pages, for `pick`; pages without a site are under the empty name."""
        numbers: dict[str, list[int]] = {}
        for number, site in enumerate(self.column("site")):
            numbers.setdefault(site, []).append(number)
        return numbers

    def pick(self, numbers: Container[int]) -> Iterator[GoldPage]:
        """The pages with these numbers, counted from 0 in file order. They need no gold."""
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

    def has_gold(self) -> bool:
        """Whether any of its pages has gold."""
        return any(self.column("gold"))

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
    """Labelled pages from any source."""

    def __iter__(self) -> Iterator[GoldPage]:
        """The pages, as a stream."""

    def size(self) -> int:
        """The number of pages."""


def take(corpus: LabelledPages, limit: int | None) -> Iterator[GoldPage]:
    """The pages of a corpus, or `limit` evenly spread ones (files are often sorted by site)."""
    if limit is None:
        yield from corpus
        return
    size = corpus.size()
    step = max(size / limit, 1.0)
    wanted = {int(number * step) for number in range(min(limit, size))}
    yield from (page for number, page in enumerate(corpus) if number in wanted)


def open_corpora(paths: list[str]) -> list[Corpus]:
    """One corpus per file; a folder stands for the Parquet files in it."""
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
    pyarrow = import_pyarrow()
    try:
        return pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        cause = f"not a readable Parquet file ({error})"
        raise GoldError(path, cause, "give Parquet files of labelled pages") from error


_MARK: Final = re.compile(r"^[ \t]*<[hpl]>", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LabelledFolder:
    """A folder of pages with their gold texts."""

    path: str

    @property
    def name(self) -> str:
        return Path(self.path).resolve().name

    def __iter__(self) -> Iterator[GoldPage]:
        for file in find_pages(self.path):
            text = Path(file.path).with_suffix(".txt")
            if text.is_file():
                site = os.path.dirname(file.relative) or file.relative
                gold = text.read_text("utf-8", "replace")
                marked = gold if _MARK.search(gold) else ""
                yield GoldPage(file.relative, f"{self.name}/{site}", "", "", read_file(file), gold, gold_marked=marked)

    def size(self) -> int:
        """The number of pages that have a text."""
        return sum(Path(file.path).with_suffix(".txt").is_file() for file in find_pages(self.path))

    def digest(self) -> str:
        """SHA-256 over pages and texts."""
        digest = hashlib.sha256()
        for page in self:
            digest.update(hashlib.sha256(page.raw.body).digest() + hashlib.sha256(page.gold.encode()).digest())
        return digest.hexdigest()


def open_labelled(paths: list[str]) -> list[Corpus | LabelledFolder]:
    """Open Parquet files, folders of them, and folders of pages with texts."""
    found: list[Corpus | LabelledFolder] = []
    for path in paths:
        if os.path.isdir(path) and not any(Path(path).glob("*.parquet")):
            folder = LabelledFolder(path)
            if not folder.size():
                cause = "has neither Parquet files nor pages with a text beside them"
                raise GoldError(path, cause, "name texts after their pages: page.html, page.txt")
            found.append(folder)
        else:
            found += open_corpora([path])
    return found


def registered_domain(url: str) -> str:
    """The registered domain of a URL; empty if it has none."""
    try:
        return site_of.registered_domain(urlsplit(url.strip()).hostname or "")
    except ValueError:
        return ""


def site_of_labelled(page: GoldPage) -> str:
    """Identify the site of a labelled page: by registered domain, else by the name that its data set gives it."""
    return registered_domain(page.raw.url) or page.site or page.raw.label


def fold_of(site: str, folds: int) -> int:
    """The fold of a site, the same on every machine."""
    return crc32(site.encode("utf-8", "surrogatepass")) % folds


_ASIDE: Final = 5
"""One site of so many is kept aside."""


def is_kept_aside(site: str) -> bool:
    """Whether labels of a site are in `labels/kept-aside`: nothing is trained or tuned on its pages.

    Neither by folds nor by a list, so that labels of further sites fall on the same side on every machine.
    """
    digest = hashlib.blake2b(site.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % _ASIDE == 0


def file_without_fold(folder: Path, fold: int) -> Path:
    """Where `dehusk train hybrid --keep` leaves the model that was trained without a fold of sites."""
    return folder / f"without-fold-{fold}.dehusk"
