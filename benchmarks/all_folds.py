"""Scores of several folds as one table.

    for fold in 0 1 2 3 4; do
        dehusk evaluate gold ../shared/gold --fold $fold --trained work/without-fold-$fold.dehusk -m page-evidence \\
            --with trafilatura,readability --json fold-$fold.json
    done
    python benchmarks/all_folds.py fold-*.json [--usable]

Each fold is scored with a network that has not seen its sites, so all pages are from unseen sites. Mean word F1 over
the pages of all folds; with `--usable` only over those with their gold in the html.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from labelled_pages import run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

Scores = dict[str, dict[str, float]]
"""Group of pages -> cleaner -> mean word F1."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="written by `dehusk evaluate gold --json`, one per fold")
    parser.add_argument("--usable", action="store_true", help="only pages with their gold in the html")
    arguments = parser.parse_args()
    folds = [json.loads(path.read_text()) for path in arguments.files]
    pages, f1 = ("usable", "f1_usable") if arguments.usable else ("pages", "f1")
    sets = together(folds, "data_sets", pages, f1)
    types = together(folds, "page_types", pages, f1)
    Console(width=120).print(table(list(folds[0]), sets, types))
    return 0


def together(folds: Sequence[Any], kind: str, pages: str, f1: str) -> Scores:
    """Means over the pages of all folds."""
    parts: defaultdict[str, defaultdict[str, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for fold in folds:
        for cleaner, scores in fold.items():
            for one in scores[kind]:
                parts[one["corpus"]][cleaner].append((one[pages], one[f1]))
    return {
        name: {
            cleaner: sum(number * score for number, score in some) / max(sum(number for number, _ in some), 1)
            for cleaner, some in cleaners.items()
        }
        for name, cleaners in parts.items()
    }


def table(cleaners: Sequence[str], sets: Scores, types: Scores) -> Table:
    """One row per data set, their mean, then one per page type."""
    shown = Table("word F1", *cleaners, box=SIMPLE_HEAD)
    mean = {cleaner: fmean(scores[cleaner] for scores in sets.values()) for cleaner in cleaners}
    for name, scores in {**sets, "mean of the sets": mean, **types}.items():
        shown.add_row(name, *(f"{scores[cleaner]:.3f}" for cleaner in cleaners))
    return shown


if __name__ == "__main__":
    run(main)
