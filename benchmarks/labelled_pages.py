"""Where the benchmarks find labelled pages, and how they stop when there are none."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from dehusk.errors import DehuskError, GoldError
from dehusk.lab.gold.corpora import Corpus, open_corpora

USAGE = 2
"""Exit code when nothing could be measured, as in `dehusk.cli.exit_codes`."""

_REPOSITORY = Path(__file__).resolve().parent.parent


def data_folder() -> Path:
    """`$DEHUSK_DATA`, or `shared` beside the repository."""
    return Path(os.environ.get("DEHUSK_DATA") or _REPOSITORY.parent / "shared")


def gold_corpora(paths: list[str]) -> list[Corpus]:
    """The corpora in these files and folders; without any, those in the `gold` of the data folder."""
    if paths:
        return open_corpora(paths)
    gold = data_folder() / "gold"
    if not gold.is_dir():
        remedy = "give Parquet files or folders, or set DEHUSK_DATA to the folder that has gold/ in it"
        raise GoldError(str(gold), "no labelled pages there", remedy)
    return open_corpora([str(gold)])


def positive(text: str) -> int:
    """For argparse: a whole number from 1 up."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def run(main: Callable[[], int]) -> None:
    """Exit with what `main` returns; an error of ours is a message, not a traceback."""
    try:
        code = main()
    except DehuskError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        code = USAGE
    sys.exit(code)
