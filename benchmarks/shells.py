"""Labelled pages with content that are taken for shells, which scripts would have to fill, or for blocked pages.

python benchmarks/shells.py ../shared/gold
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pyarrow.parquet

import dehusk

LEAST = 200
"""Characters of labelled content from which a page has some."""


def main() -> None:
    """Print the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="Parquet files with the columns html and gold")
    parser.add_argument("--pages", type=int, default=10**9, help="pages of each file")
    options = parser.parse_args()
    pages = 0
    for file in sorted(options.folder.glob("*.parquet")):
        table = pyarrow.parquet.ParquetFile(file)
        if not {"html", "gold"} <= set(table.schema_arrow.names):
            continue
        rows = (row for batch in table.iter_batches(64, columns=["html", "gold"]) for row in batch.to_pylist())
        for number, row in zip(range(options.pages), rows, strict=False):
            if row["html"] and len(row["gold"] or "") >= LEAST:
                pages += 1
                if problem := dehusk.clean(row["html"]).problem:
                    print(f"{file.name}, row {number}: {problem}, {len(row['gold']):,} characters of content")
    print(f"{pages:,} pages with content")


if __name__ == "__main__":
    main()
