"""Paragraphs that a site repeats: how many are kept with and without its evidence, and how many of them are content?

    python benchmarks/repeated_paragraphs.py DATA/sites/docs-boost.parquet ... [--pages 60]

A paragraph is repeated if a tenth of the pages have it, at least three of them. It is content if its words are in the
gold text of its page in this order.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import dehusk
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import label_blocks
from dehusk.lab.gold.corpora import Corpus, GoldPage, take
from dehusk.methods.base import Model
from dehusk.methods.page_network.hybrid import Hybrid
from dehusk.methods.page_network.page_evidence import PageEvidence


def words_of(text: str) -> str:
    """A text with its words apart by single blanks."""
    return " ".join(text.casefold().split())


def repeated_texts(pages: Sequence[Blocks]) -> set[str]:
    """The texts that many pages have."""
    having = Counter(text for blocks in pages for text in {words_of(one) for one in blocks.texts} if text)
    least = max(3, len(pages) // 10)
    return {text for text, number in having.items() if number >= least}


def count_kept(gold: Sequence[GoldPage], pages: Sequence[Blocks], model: Model) -> tuple[int, int, int]:
    """Words kept, those in repeated paragraphs, and those of them that gold calls content."""
    repeated = repeated_texts(pages)
    kept = again = content = 0
    for page, blocks in zip(gold, pages, strict=True):
        wanted = f" {words_of(page.gold)} "
        for text, is_kept in zip(map(words_of, blocks.texts), label_blocks(blocks, model).keep, strict=True):
            if is_kept:
                number = len(text.split())
                kept += number
                again += number * (text in repeated)
                content += number * (text in repeated and f" {text} " in wanted)
    return kept, again, content


def main() -> None:
    """Print a line per site and method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="+")
    parser.add_argument("--pages", type=int, default=60)
    options = parser.parse_args()
    for path in options.sites:
        corpus = Corpus(path)
        gold = list(take(corpus, options.pages))
        pages = [segment(dehusk.read_page(page.raw)) for page in gold]
        models: dict[str, Model] = {"alone": PageEvidence().fit(), "with the site": Hybrid().fit_blocks(pages)}
        for name, model in models.items():
            kept, again, content = count_kept(gold, pages, model)
            share = 100 * again / max(1, kept)
            print(
                f"{corpus.name}, {name}: {kept:,} words kept, {again:,} repeated ({share:.2f} %), {content:,} in gold"
            )


if __name__ == "__main__":
    main()
