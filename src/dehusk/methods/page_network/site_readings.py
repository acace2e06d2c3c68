"""What the page network said of the pages of a site, as counts that add up: by text, and by look.

Of every text: how many pages have it, how long it is, how much of it is links, and what the network thought of it. Of
every look (`places.looks`): the same over all its texts. Log-odds are kept as whole numbers of 64ths of a word, so that
sums are exact in any order: learning a site in parts gives what learning it at once does.

Memory is bounded as in `places.counting`: tables that are too large become fair samples of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.key_samples import (
    MOST_SAMPLES,
    NO_SAMPLES,
    Samples,
    add_samples,
    samples,
    samples_as_arrays,
    samples_from_arrays,
)
from dehusk.methods.style_signatures import looks_of_blocks
from dehusk.methods.tallies import MOST_KEYS, Tally, add_tallies, empty_tally, tally
from dehusk.page.stable_hashing import Keys, combine, find_keys, key_of_sequence, keys_of

SUREST: Final = 6.0
"""Log-odds beyond are as good as certain; without a bound one certain page would outvote ten that doubt."""
_SCALE: Final = 64
_LONGEST: Final = 1000
"""Words of a block that count: one endless block does not decide for a site."""
_MOST_TEXTS: Final = 400_000
_STEPS_SHOWN: Final = 3
"""Elements of a path that are shown."""


@dataclass(frozen=True, eq=False)
class ReadPage:
    """The m blocks of a page by text and look; one entry a block."""

    text: Keys
    look: Keys
    words: NDArray[np.int64]
    link_share: NDArray[np.float32]
    logits: NDArray[np.float32]
    """What the network says: log-odds of being content, from -`SUREST` to `SUREST`."""
    article: float = 0.0
    """What else it says: how likely the page is an article."""

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def content(self) -> Keys:
        """uint64, one entry: the key of all texts in their order; none of a page without."""
        return key_of_sequence(self.text)


def read_blocks(blocks: Blocks, logits: NDArray[np.float32], article: float = 0.0) -> ReadPage:
    """A page as the site sees it. Characters stand for words, five each: scripts without blanks have words, too."""
    words = np.clip(blocks.length.astype(np.int64) // 5, 1, _LONGEST)
    text = keys_of([text.lower() for text in blocks.texts])
    sure = np.clip(logits, -SUREST, SUREST)
    return ReadPage(text, looks_of_blocks(blocks), words, blocks.link_share, sure, article)


@dataclass(frozen=True, eq=False)
class SiteReadings:
    """Counts over some pages of a site."""

    pages: int
    texts: Tally
    """(text) -> pages, and sums over its blocks: words, words in links, words times log-odds."""
    looks: Tally
    """(look) -> pages, and the same sums."""
    contents: Tally
    """(all texts of a page) -> pages: equal pages have equal keys."""
    paths: Samples = NO_SAMPLES
    """For each look, the elements that have it: `div.post > p`."""
    examples: Samples = NO_SAMPLES
    """For each look, a text."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SiteReadings):
            return NotImplemented
        return all(getattr(self, field.name) == getattr(other, field.name) for field in fields(self))

    def __hash__(self) -> int:
        return hash((self.pages, self.texts, self.looks))

    @cached_property
    def level(self) -> float:
        """Log-odds that seven tenths of the text do not exceed that only one page has and that is no link.

        On a site of articles it is high. On a site of facts, where the network doubts everything, it is low, and tells
        that what is doubtful elsewhere is content here.
        """
        pages, words, linked, votes = self.texts.counts.T
        own = (pages <= 1) & (2 * linked < words)
        return weighted_quantile(votes[own] / (_SCALE * np.maximum(words[own], 1)), words[own], 0.7)


NOTHING_READ: Final = SiteReadings(0, empty_tally(1, 4), empty_tally(1, 4), empty_tally(1, 1))


def count_readings(page: ReadPage, blocks: Blocks | None = None) -> SiteReadings:
    """The counts of one page; with its blocks, paths and examples to show people, too."""
    words = page.words
    sums = [words, np.rint(words * page.link_share), np.rint(words * page.logits * _SCALE)]
    in_body = page.look != 0
    return SiteReadings(
        1,
        tally([page.text], [_is_first(page.text), *sums]),
        tally([page.look[in_body]], [_is_first(page.look[in_body]), *(column[in_body] for column in sums)]),
        tally([page.content], [np.ones(len(page.content), dtype=np.int64)]),
        *(_paths_and_examples(page, blocks) if blocks else ()),
    )


def other_pages(page: ReadPage, site: SiteReadings) -> int:
    """Pages of the site that are not this one: it may be among those learnt, and says nothing about itself."""
    itself = find_keys(site.contents.keys[:, 0], page.content) >= 0
    return site.pages - bool(itself.any())


def _paths_and_examples(page: ReadPage, blocks: Blocks) -> tuple[Samples, Samples]:
    looks, first = np.unique(page.look, return_index=True)
    looks, first = looks[looks != 0], first[looks != 0]
    paths = [_short(blocks.path(index)) for index in first.tolist()]
    texts = [" ".join(blocks.texts[index].split()) for index in first.tolist()]
    return samples(looks, looks, paths), samples(looks, combine(looks, page.text[first]), texts)


def _short(path: str) -> str:
    """The end of a path: what is around it all elements of the site have in common."""
    return " > ".join(path.split("/")[-_STEPS_SHOWN:])


def _is_first(keys: Keys) -> NDArray[np.int64]:
    """int64: 1 where a key comes first, so that a page counts once."""
    first = np.zeros(len(keys), dtype=np.int64)
    first[np.unique(keys, return_index=True)[1]] = 1
    return first


def add_readings(parts: Sequence[SiteReadings]) -> SiteReadings:
    """The counts over all pages of the parts."""
    return SiteReadings(
        sum(part.pages for part in parts),
        add_tallies([part.texts for part in parts], _MOST_TEXTS),
        add_tallies([part.looks for part in parts], MOST_KEYS),
        add_tallies([part.contents for part in parts], MOST_KEYS),
        add_samples([part.paths for part in parts], MOST_SAMPLES),
        add_samples([part.examples for part in parts], MOST_SAMPLES),
    )


def add_up_readings(parts: Iterable[SiteReadings], most_at_once: int = 64) -> SiteReadings:
    """The same, with only so many parts in memory at a time."""
    waiting = [NOTHING_READ]
    for part in parts:
        waiting.append(part)
        if len(waiting) >= most_at_once:
            waiting = [add_readings(waiting)]
    return add_readings(waiting)


@dataclass(frozen=True, eq=False)
class Found:
    """What a site knows of some keys; one entry a key, 0 where it knows nothing."""

    pages: NDArray[np.int64]
    words: NDArray[np.int64]
    logits: NDArray[np.float64]
    """Mean log-odds, by words."""

    @property
    def known(self) -> NDArray[np.bool_]:
        return self.words > 0


def find(counted: Tally, keys: Keys) -> Found:
    """Look keys up among the texts or the looks of a site."""
    position = find_keys(counted.keys[:, 0], keys)
    counts = np.zeros((len(keys), 4), dtype=np.int64)
    known = position >= 0
    counts[known] = counted.counts[position[known]]
    pages, words, _, votes = counts.T
    return Found(pages, words, votes / (_SCALE * np.maximum(words, 1)))


def weighted_quantile(values: NDArray[np.generic], weights: NDArray[np.generic], share: float) -> float:
    """The value that this share of the weight does not exceed; 0 without weight."""
    if not weights.any():
        return 0.0
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order], dtype=np.float64)
    return float(values[order[min(int(np.searchsorted(reached, share * reached[-1])), len(order) - 1)]])


def readings_as_arrays(readings: SiteReadings) -> Mapping[str, NDArray[Any]]:
    """One array for the keys and one for the numbers or texts of each table."""
    arrays: dict[str, NDArray[Any]] = {}
    for name in _TABLES:
        table = getattr(readings, name)
        arrays[f"{name}_keys"], arrays[f"{name}_values"] = (
            samples_as_arrays(table) if isinstance(table, Samples) else (table.keys, table.counts)
        )
    return arrays


def readings_from_arrays(pages: int, arrays: Mapping[str, NDArray[Any]]) -> SiteReadings:
    """The counts that were stored; KeyError or ValueError if the arrays are not such."""
    tables: dict[str, Any] = {}
    for name in _TABLES:
        keys, values = arrays[f"{name}_keys"], arrays[f"{name}_values"]
        tables[name] = (
            _checked(name, keys, values) if name in _TALLIES else samples_from_arrays(keys, values, MOST_SAMPLES)
        )
    if not 0 <= pages <= 1 << 53 or any(int(tables[name].counts[:, 0].max(initial=0)) > pages for name in _TALLIES):
        raise ValueError("pages are counted that cannot be")
    return add_readings([SiteReadings(pages, **tables)])


_TABLES: Final = tuple(field.name for field in fields(SiteReadings) if field.name != "pages")
_TALLIES: Final = tuple(name for name in _TABLES if isinstance(getattr(NOTHING_READ, name), Tally))


def _checked(name: str, keys: NDArray[Any], counts: NDArray[Any]) -> Tally:
    like: Tally = getattr(NOTHING_READ, name)
    if keys.dtype != np.uint64 or counts.dtype != np.int64 or keys.ndim != 2 or counts.ndim != 2:
        raise ValueError(f"{name} is of another type")
    if (keys.shape[1], counts.shape[1]) != (like.keys.shape[1], like.counts.shape[1]) or len(keys) != len(counts):
        raise ValueError(f"{name} is of another shape")
    whole, votes = counts[:, :3], counts[:, 3:]
    most_votes = (SUREST + 1) * _SCALE * counts[:, 1:2]
    if (whole < 0).any() or (whole > 1 << 53).any() or ((votes > most_votes) | (votes < -most_votes)).any():
        raise ValueError(f"{name} has counts that cannot be")
    return Tally(keys, counts)
