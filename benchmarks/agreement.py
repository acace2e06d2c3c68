"""How far two readers of the same pages agree: mean word F1 between their labels, by page type.

    python benchmarks/agreement.py [--second labels/second] [--labels labels]

Readers labelled the pages in `labels/second` without having seen the first labels. The pages themselves are in the data
folder ($DEHUSK_DATA, or `shared` beside the repository).
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from labelled_pages import data_folder, run

from dehusk.errors import GoldError
from dehusk.lab.evaluation.text_scores import score_words
from dehusk.lab.gold.policy_labels import PolicyLabel, block_keys, labelled_pages, masks, read_labels
from dehusk.lab.training.prepared_pages import POLICY, known_type
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.page.characters import words_of

LONG = 100
"""Words of content from which on a page is also counted under `long`."""
_REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two readings of one page."""

    page_type: str
    f1: float
    same_type: bool
    same_blocks: float
    """The share of the blocks that both keep or both drop."""
    words: int
    """Words of content by the first reader."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path, default=_REPOSITORY / "labels", help="first labels, with kept-aside/")
    parser.add_argument("--second", type=Path, default=_REPOSITORY / "labels/second", help="a file or a folder")
    arguments = parser.parse_args()
    aside = arguments.labels / "kept-aside"
    first = [*read_labels(arguments.labels), *(read_labels(aside) if aside.is_dir() else ())]
    found = list(agreements(first, read_labels(arguments.second)))
    if not found:
        raise GoldError(str(arguments.second), "has no page of the first labels", "give labels of the same pages")
    show(found)
    return 0


def agreements(first: Sequence[PolicyLabel], second: Sequence[PolicyLabel]) -> Iterator[Agreement]:
    """One for each page that both have."""
    of_page = {(label.corpus, label.page): label for label in first}
    for page in labelled_pages([label for label in second if (label.corpus, label.page) in of_page], data_folder()):
        other = of_page[page.label.corpus, page.label.page]
        kept, _, _ = masks(other, block_keys(page.blocks.texts))
        words = [words_of(text) for text in page.blocks.texts]
        counts = [
            Counter(word for index in np.flatnonzero(mask) for word in words[index]) for mask in (kept, page.content)
        ]
        types = [PAGE_TYPES[known_type(POLICY, label.page_type)] for label in (other, page.label)]
        f1 = score_words(counts[1], counts[0]).f1
        yield Agreement(types[0], f1, types[0] == types[1], float((kept == page.content).mean()), counts[0].total())


def show(found: Sequence[Agreement]) -> None:
    groups: defaultdict[str, list[Agreement]] = defaultdict(list)
    for one in found:
        groups[one.page_type].append(one)
    long = [one for one in found if one.words >= LONG]
    print(f"{'':<24} {'pages':>5} {'word F1':>8} {'blocks':>7} {'types':>6}")
    for name, members in {**dict(sorted(groups.items())), f"{LONG} words or more": long, "all": found}.items():
        values = (fmean(one.f1 for one in members), fmean(one.same_blocks for one in members))
        same_type = fmean(one.same_type for one in members)
        print(f"{name:<24} {len(members):>5} {values[0]:>8.3f} {values[1]:>7.3f} {same_type:>6.2f}")


if __name__ == "__main__":
    run(main)
