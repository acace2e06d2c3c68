"""Pages beside the project (`data_folder`), sampled: views of the web app are tried on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet

from dehusk.sources.raw_page import RawPage

FOLDERS = ("gold", "sites", "more-sites", "more-pages")


def files_of(data_folder: Path, folder: str) -> list[Path]:
    """The files of a folder, of which there must be some."""
    files = sorted((data_folder / folder).glob("*.parquet"))
    assert files, f"{data_folder / folder} has no pages"
    return files


def sampled_pages(file: Path, number: int) -> Iterator[RawPage]:
    """So many pages of a file, as far apart as they can be."""
    table = pyarrow.parquet.ParquetFile(file, memory_map=True)
    step = max(1, table.metadata.num_rows // number)
    rows = list(range(step // 2, table.metadata.num_rows, step))[:number]
    for row in table.read(["id", "url", "html"]).take(rows).to_pylist():
        yield RawPage(row["html"], row["url"], f"{row['id']}.html")
