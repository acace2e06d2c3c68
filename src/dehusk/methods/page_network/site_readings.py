"""The page network's readings of a site, as counts that can be added: by place, and by style signature.

A place is a text with a style signature: a heading that is also in the menu is in two places. For every place: the
number of pages that have it, its length, and the network's log-odds. For every style signature: the same over all its
texts. Log-odds are stored as integers (64ths per word), so that sums are exact in any order: learning a site in parts
equals learning it at once.

Memory is bounded: tables that grow too large are reduced to unbiased samples (`tallies`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, pairwise
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.key_samples import NO_SAMPLES, Samples, sampled
from dehusk.methods.site_models import CountTables, add_up
from dehusk.methods.tallies import Tally, counts_of
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import DescribedArray, Lendable, LentColumn, Outcome, as_given, with_deferred
from dehusk.page.stable_hashing import Keys, combine

LOG_ODDS_LIMIT: Final = 6.0
"""The most that log-odds count for, as in `native/src/site_evidence.rs`, which says why."""
_SCALE: Final = 64
_MOST_PLACES: Final = 400_000
_PAGES_OF_A_SUM: Final = 64
"""Pages that are added up before they become tables: enough for most sites, and a bound on memory, as in `add_up`."""
_COLUMNS_OF_COUNTS: Final = 3
_HALF: Final = 0.5
"""Share of the other pages from which on a text counts as that of the site."""


_READ: Final = ("text", "signature", "words", "link_share", "logits")
_FIRST: Final = 3
"""The first of these columns of a page that was measured: before are those of the network."""


@with_deferred(*_READ)
@dataclass(frozen=True, eq=False)
class PageReadings:
    """What a site counts of the blocks of a page; one entry per block."""

    text: Keys
    signature: Keys
    words: NDArray[np.int64]
    """Five characters count as one, so that scripts without spaces have words, too."""
    link_share: NDArray[np.float32]
    logits: NDArray[np.float32]
    """Log-odds of being content by the network, clipped to `LOG_ODDS_LIMIT`."""

    def __len__(self) -> int:
        return len(self.text)

    @property
    def arrays(self) -> tuple[Lendable, ...]:
        """The same as the compiled part takes it."""
        return tuple(as_given(self, name) for name in _READ)

    @cached_property
    def place(self) -> Keys:
        """uint64: equal for equal texts with the same style signature."""
        return combine(self.text, self.signature)


def page_readings(blocks: Blocks, logits: Lendable) -> PageReadings:
    """The readings of a page, from the log-odds of its blocks (float32)."""
    page = blocks.page
    return readings_in(ask(Question.PAGE_READINGS, (logits,), page.native, blocks.native, subject=page.label), first=0)


def readings_in(measured: Outcome, first: int = _FIRST) -> PageReadings:
    """The readings that the compiled part returned, by default of a page that it measured."""
    keys: Any = (LentColumn(measured, first, seen_as="uint64"), LentColumn(measured, first + 1, seen_as="uint64"))
    others: Any = (LentColumn(measured, first + number) for number in range(2, len(_READ)))
    return PageReadings(*keys, *others)


@dataclass(frozen=True)
class SiteReadings(CountTables):
    """Counts over pages of a site."""

    shapes: ClassVar = {"places": (2, 3), "signatures": (1, 4), "contents": (1, 1)}
    largest: ClassVar = {"places": _MOST_PLACES}
    stored_names: ClassVar = {"signatures": "looks"}

    places: Tally
    """Place and its style signature -> pages, and sums over its blocks: words, words times log-odds."""
    signatures: Tally
    """Style signature -> pages, words, words in links, words times log-odds."""
    contents: Tally
    """All texts of a page -> pages: equal pages have equal keys."""
    paths: Samples = NO_SAMPLES
    """For each signature, the elements that have it: `div.post > p`."""
    examples: Samples = NO_SAMPLES
    """For each signature, a text."""

    @classmethod
    def check_counts(cls, name: str, table: Tally) -> None:
        whole, votes = table.counts[:, :-1], table.counts[:, -1:]
        # Contents have nothing but a number of pages.
        most_votes = (LOG_ODDS_LIMIT + 1) * _SCALE * table.counts[:, 1:2] if whole.size else votes
        if (whole < 0).any() or (table.counts > 1 << 53).any() or (np.abs(votes) > most_votes).any():
            raise ValueError(f"{name}: impossible counts")

    @cached_property
    def looked_up(self) -> tuple[DescribedArray, ...]:
        """What the compiled part looks up about a page, in the order of `native/src/site_evidence.rs`."""
        counted = [array for table in (self.places, self.signatures) for array in (table.keys, table.counts)]
        regions = self.regions.signature, self.regions.repeated
        arrays = (np.array([self.pages]), *counted, self.contents.keys, *regions)
        return tuple(map(DescribedArray, arrays))

    @cached_property
    def regions(self) -> Regions:
        """What the style signatures of the site hold."""
        pages, words, votes = self.places.counts.T
        # A page does not repeat itself: of n pages, n - 1 can repeat a text.
        share = np.maximum(pages - 1, 0) / max(self.pages - 1, 1)
        return count_regions(self.places.keys[:, 1], words, votes / (_SCALE * np.maximum(words, 1)), share)


@dataclass(frozen=True, eq=False)
class Regions:
    """The style signatures of a site, each a region of its pages; one entry per signature, sorted by it."""

    signature: Keys
    words: NDArray[np.float64]
    """Words on all pages."""
    content: NDArray[np.float64]
    """The share of them that page evidence takes for content."""
    repeated: NDArray[np.float64]
    """From 0 to 1: how much of the text of one page the other pages have in the same place."""
    shared: NDArray[np.float64]
    """The share of the text that at least half of the other pages have in the same place."""
    shared_content: NDArray[np.float64]
    """The share of the text that is both: content by page evidence, and on half of the other pages."""


def count_regions(
    signatures: Keys, words: NDArray[np.int64], logits: NDArray[np.float64], share: NDArray[np.float64]
) -> Regions:
    """Sum places up by style signature; the arrays have one entry per place, `share` that of the other pages."""
    distinct, number = np.unique(signatures, return_inverse=True)
    weight = words.astype(np.float64)
    total = np.asarray(np.bincount(number, weight, len(distinct)), dtype=np.float64)
    likely = 1 / (1 + np.exp(-logits))

    def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(number, weight * values, len(distinct)) / np.maximum(total, 1))

    shared = (share >= _HALF).astype(np.float64)
    return Regions(distinct, total, mean(likely), mean(share), mean(shared), mean(likely * shared))


NOTHING_READ: Final = SiteReadings.of_no_pages()


def count_readings(page: PageReadings) -> SiteReadings:
    """The counts of one page, without paths and examples."""
    return _tables_in(ask(Question.SITE_COUNTS, page.arrays), 1)


def learn_readings(pages: Iterable[tuple[PageReadings, Blocks]]) -> SiteReadings:
    """The counts of a site's pages, with paths and examples to show people.

    The compiled part counts, `native/src/site_counts.rs`, and adds up a few pages, `site_sums.rs`; what is bounded is
    their sum.
    """
    counted = (
        ask(Question.SITE_COUNTS, readings.arrays, blocks.page.native, blocks.native) for readings, blocks in pages
    )
    return add_up(_sums(counted), NOTHING_READ, most_at_once=2)


def _sums(counted: Iterator[Outcome]) -> Iterator[SiteReadings]:
    while some := list(islice(counted, _PAGES_OF_A_SUM)):
        columns = [LentColumn(page, number) for page in some for number in range(_COLUMNS_OF_COUNTS)]
        yield _tables_in(ask(Question.SUM_OF_PAGES, columns), len(some))


def _tables_in(found: Outcome, pages: int) -> SiteReadings:
    """The tables in the columns of some counts: `native/src/site_sums.rs` lists them."""
    numbers = found.column(0)
    places, signatures, contents, ranks = sizes = numbers[: len(SiteReadings.shapes) + 1].tolist()
    lengths = len(sizes), 2 * places, 3 * places, signatures, 4 * signatures, contents, contents, ranks
    _, *parts = (numbers[start:end] for start, end in pairwise(accumulate(lengths, initial=0)))
    place, of_places, signature, of_signatures, content, of_contents, rank = parts
    tables = (
        Tally(_keys(place).reshape(-1, 2), of_places.reshape(-1, 3)),
        Tally(_keys(signature)[:, None], of_signatures.reshape(-1, 4)),
        Tally(_keys(content)[:, None], of_contents[:, None]),
    )
    if not ranks:
        return SiteReadings(pages, *tables)
    key, paths, texts = _keys(signature), found.texts(1), found.texts(2)
    return SiteReadings(pages, *tables, sampled(key, key, paths), sampled(key, _keys(rank), texts))


def _keys(column: NDArray[np.int64]) -> Keys:
    """Keys are not signed; columns are."""
    return column.view(np.uint64)


@dataclass(frozen=True, eq=False)
class SignatureStatistics:
    """What a site knows about style signatures; one entry per signature, 0 for unknown ones."""

    pages: NDArray[np.int64]
    words: NDArray[np.int64]
    logits: NDArray[np.float64]
    """Mean log-odds, weighted by words."""

    @property
    def known(self) -> NDArray[np.bool_]:
        return self.words > 0


def look_up_signatures(site: SiteReadings, signatures: Keys) -> SignatureStatistics:
    """Look style signatures up among those of a site."""
    pages, words, _, votes = counts_of(site.signatures, signatures).T
    return SignatureStatistics(pages, words, votes / (_SCALE * np.maximum(words, 1)))


def pages_with(site: SiteReadings, places: Keys) -> NDArray[np.int64]:
    """int64: the number of pages learnt that have each place."""
    return counts_of(site.places, places)[:, 0]
