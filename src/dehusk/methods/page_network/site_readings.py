"""The page network's readings of a site, as counts that can be added: by text, and by style signature.

For every text: the number of pages that have it, its length, how much of it is links, and the network's log-odds. For
every style signature: the same over all its texts. Log-odds are stored as integers (64ths per word), so that sums are
exact in any order: learning a site in parts equals learning it at once.

Memory is bounded: tables that grow too large are reduced to unbiased samples (`tallies`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.key_samples import NO_SAMPLES, Samples, samples
from dehusk.methods.site_models import CountTables
from dehusk.methods.style_signatures import signatures_of_blocks
from dehusk.methods.tallies import Tally, count_once, counts_of, is_first, tally
from dehusk.page.stable_hashing import Keys, combine, find_keys, key_of_sequence, keys_of

LOG_ODDS_LIMIT: Final = 6.0
"""Log-odds beyond this are as good as certain; without a limit one certain page would outvote ten doubtful ones."""
_SCALE: Final = 64
_LONGEST: Final = 1000
"""Words of a block that count, so that one endless block does not decide for a site."""
_MOST_TEXTS: Final = 400_000
_STEPS_SHOWN: Final = 3
"""Elements at the end of a path that are shown to people: the pages of a site share the rest."""


@dataclass(frozen=True, eq=False)
class PageReadings:
    """What a site counts of the blocks of a page; one entry per block."""

    text: Keys
    signature: Keys
    words: NDArray[np.int64]
    link_share: NDArray[np.float32]
    logits: NDArray[np.float32]
    """Log-odds of being content by the network, clipped to `LOG_ODDS_LIMIT`."""
    article: float = 0.0
    """Probability of the page being an article."""

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def content(self) -> Keys:
        """uint64, one entry: the key of all texts in order; empty for a page without text."""
        return key_of_sequence(self.text)


def page_readings(blocks: Blocks, logits: NDArray[np.float32], article: float = 0.0) -> PageReadings:
    """The readings of a page. Five characters count as a word, so that scripts without spaces have words, too."""
    words = np.clip(blocks.length.astype(np.int64) // 5, 1, _LONGEST)
    clipped = np.clip(logits, -LOG_ODDS_LIMIT, LOG_ODDS_LIMIT)
    return PageReadings(text_keys(blocks), signatures_of_blocks(blocks), words, blocks.link_share, clipped, article)


def text_keys(blocks: Blocks) -> Keys:
    """uint64, one entry per block: equal for texts that are equal but for case."""
    return keys_of([text.lower() for text in blocks.texts])


@dataclass(frozen=True)
class SiteReadings(CountTables):
    """Counts over pages of a site."""

    shapes: ClassVar = {"texts": (1, 4), "signatures": (1, 4), "contents": (1, 1)}
    largest: ClassVar = {"texts": _MOST_TEXTS}
    stored_names: ClassVar = {"signatures": "looks"}

    texts: Tally
    """Text -> pages, and sums over its blocks: words, words in links, words times log-odds."""
    signatures: Tally
    """Style signature -> pages, and the same sums."""
    contents: Tally
    """All texts of a page -> pages: equal pages have equal keys."""
    paths: Samples = NO_SAMPLES
    """For each signature, the elements that have it: `div.post > p`."""
    examples: Samples = NO_SAMPLES
    """For each signature, a text."""

    @classmethod
    def check_counts(cls, name: str, table: Tally) -> None:
        whole, votes = table.counts[:, :3], table.counts[:, 3:]
        most_votes = (LOG_ODDS_LIMIT + 1) * _SCALE * table.counts[:, 1:2]
        if (whole < 0).any() or (whole > 1 << 53).any() or ((votes > most_votes) | (votes < -most_votes)).any():
            raise ValueError(f"{name}: impossible counts")

    @cached_property
    def level(self) -> float:
        """The 70th percentile of the log-odds of text that only one page has and that is not a link.

        It is high on a site of articles. It is low on a site of facts, where the network doubts everything, and shows
        that text that would be doubtful elsewhere is content here.
        """
        pages, words, linked, votes = self.texts.counts.T
        own = (pages <= 1) & (2 * linked < words)
        return weighted_quantile(votes[own] / (_SCALE * np.maximum(words[own], 1)), words[own], 0.7)


NOTHING_READ: Final = SiteReadings.of_no_pages()


def count_readings(page: PageReadings, blocks: Blocks | None = None) -> SiteReadings:
    """The counts of one page; given its blocks, also paths and examples to show people."""
    words = page.words
    sums = [words, np.rint(words * page.link_share), np.rint(words * page.logits * _SCALE)]
    in_body = page.signature != 0
    return SiteReadings(
        1,
        tally([page.text], [is_first(page.text), *sums]),
        tally([page.signature[in_body]], [is_first(page.signature[in_body]), *(column[in_body] for column in sums)]),
        count_once(page.content),
        *(_paths_and_examples(page, blocks) if blocks else ()),
    )


def other_pages(page: PageReadings, site: SiteReadings) -> int:
    """Number of pages learnt other than this one, which is no evidence about itself."""
    itself = find_keys(site.contents.keys[:, 0], page.content) >= 0
    return site.pages - bool(itself.any())


def _paths_and_examples(page: PageReadings, blocks: Blocks) -> tuple[Samples, Samples]:
    signatures, first = np.unique(page.signature, return_index=True)
    signatures, first = signatures[signatures != 0], first[signatures != 0]
    tree = blocks.paths_of(first.tolist())  # few of the blocks: most share their signature with another
    paths = [" > ".join(tree.spelled_out(number).split("/")[-_STEPS_SHOWN:]) for number in tree.numbers]
    texts = [" ".join(blocks.texts[index].split()) for index in first.tolist()]
    ranks = combine(signatures, page.text[first])
    return samples(signatures, signatures, paths), samples(signatures, ranks, texts)


@dataclass(frozen=True, eq=False)
class KeyStatistics:
    """What a site knows about keys; one entry per key, 0 for unknown keys."""

    pages: NDArray[np.int64]
    words: NDArray[np.int64]
    logits: NDArray[np.float64]
    """Mean log-odds, weighted by words."""

    @property
    def known(self) -> NDArray[np.bool_]:
        return self.words > 0


def look_up(counted: Tally, keys: Keys) -> KeyStatistics:
    """Look keys up among the texts or signatures of a site."""
    pages, words, _, votes = counts_of(counted, keys).T
    return KeyStatistics(pages, words, votes / (_SCALE * np.maximum(words, 1)))


def weighted_quantile(values: NDArray[np.generic], weights: NDArray[np.generic], share: float) -> float:
    """The value below which this share of the weight lies; 0 without weight."""
    if not weights.any():
        return 0.0
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order], dtype=np.float64)
    return float(values[order[min(int(np.searchsorted(reached, share * reached[-1])), len(order) - 1)]])
