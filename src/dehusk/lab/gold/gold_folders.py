"""People's own labelled pages: a folder of `page.html` with `page.txt` beside it.

The text is the page's content, as plain text, or marked as in CleanEval: `<h>`, `<p>` or `<l>` at the start of a line
before each header, paragraph and list item. Pages in a folder of their own are of one site; pages that lie in the named
folder itself are each of their own.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import Corpus, GoldPage, open_corpora
from dehusk.sources.files import find_pages, read_file

_MARK: Final = re.compile(r"^[ \t]*<[hpl]>", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LabelledFolder:
    """A folder with pages and texts."""

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
        """The number of pages with a text."""
        return sum(Path(file.path).with_suffix(".txt").is_file() for file in find_pages(self.path))

    def digest(self) -> str:
        """SHA-256 over pages and texts."""
        digest = hashlib.sha256()
        for page in self:
            digest.update(hashlib.sha256(page.raw.body).digest() + hashlib.sha256(page.gold.encode()).digest())
        return digest.hexdigest()


def open_labelled(paths: list[str]) -> list[Corpus | LabelledFolder]:
    """Parquet files, folders of them, and folders of pages with texts."""
    found: list[Corpus | LabelledFolder] = []
    for path in paths:
        if os.path.isdir(path) and not any(Path(path).glob("*.parquet")):
            folder = LabelledFolder(path)
            if not folder.size():
                cause = "holds neither Parquet files nor pages with a text beside them"
                raise GoldError(path, cause, "name texts after their pages: page.html, page.txt")
            found.append(folder)
        else:
            found += open_corpora([path])
    return found
