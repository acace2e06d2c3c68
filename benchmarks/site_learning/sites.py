"""Which sites there are to learn: those of many pages, with gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from labelled_pages import data_folder

from dehusk.errors import GoldError, MissingExtra

GOLD_FILES: Final = ("crawl-to-the-future", "xmu-chinese-news", "msv-big9-chaos")
"""Data sets of single pages in which some sites have many."""
FEWEST_PAGES: Final = 30
"""Pages that make a site of those; in `sites/` every site was collected as one."""

SHOPS, NEWS, FORUMS, SWDE, REST = KINDS = ("shops", "news", "forums and notes", "swde", "rest")
_KIND_OF_PREFIX: Final = {
    **dict.fromkeys(("shop", "catalog"), SHOPS),
    **dict.fromkeys(("news", "mag"), NEWS),
    **dict.fromkeys(("forum", "notes"), FORUMS),
    "swde": SWDE,
}
"""How the file of a site begins -> its kind; documentation, wikis and blogs are the rest."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site in a file of labelled pages."""

    path: str
    name: str
    size: int

    @property
    def file(self) -> str:
        return Path(self.path).stem

    @property
    def label(self) -> str:
        """A name of its own: some sites are in two files."""
        return f"{self.name} ({self.file})" if self.file in GOLD_FILES else self.name

    @property
    def has_own_file(self) -> bool:
        """Sites of today, whose gold is the page's own main container; other files hold sites of one kind or time."""
        return self.file == self.name

    @property
    def kind(self) -> str:
        return NEWS if self.file in GOLD_FILES else _KIND_OF_PREFIX.get(self.file.split("-")[0], REST)


def find_sites() -> list[Site]:
    """All sites of the data folder, in the order of files."""
    folder = data_folder()
    files = sorted((folder / "sites").glob("*.parquet"))
    gold = [path for name in GOLD_FILES if (path := folder / "gold" / f"{name}.parquet").exists()]
    if not files + gold:
        remedy = "set DEHUSK_DATA to the folder that has sites/ and gold/ in it"
        raise GoldError(str(folder), "no sites with labelled pages there", remedy)
    return [site for path in files for site in _sites_in(path, 1)] + [
        site for path in gold for site in _sites_in(path, FEWEST_PAGES)
    ]


def choose_sites(sites: Sequence[Site], patterns: Sequence[str], most: int | None) -> list[Site]:
    """Those that match one of the patterns (all without any); at most so many, evenly spread."""
    chosen = [site for site in sites if not patterns or any(fnmatch(site.label, pattern) for pattern in patterns)]
    if not chosen:
        raise GoldError(", ".join(patterns), "no site of that name", f"the first are {', '.join(_labels(sites)[:5])}")
    step = max(len(chosen) / (most or len(chosen)), 1.0)
    return [chosen[int(number * step)] for number in range(min(most or len(chosen), len(chosen)))]


def _labels(sites: Sequence[Site]) -> list[str]:
    return [site.label for site in sites]


def _sites_in(path: Path, fewest: int) -> list[Site]:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "needed to read Parquet files", "pip install 'dehusk[parquet]'") from error
    names = pyarrow.parquet.read_table(path, columns=["site"]).column("site").to_pylist()
    return [Site(str(path), name, size) for name, size in Counter(names).items() if name and size >= fewest]
