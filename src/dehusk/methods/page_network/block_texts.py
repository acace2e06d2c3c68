"""What the texts of blocks are made of: characters by kind, words, and words shared with the title of the page.

Everything is counted over the joined text of all blocks at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntFlag, auto
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.blocks.page_title import title_of
from dehusk.methods.page_network.character_kinds import CharacterKind, count_kinds, kinds_of
from dehusk.methods.page_network.function_words import FUNCTION_WORDS
from dehusk.methods.page_network.word_hashes import HashedWords, Hashes, hash_words, join_texts
from dehusk.page.page_columns import Page, make_read_only
from dehusk.page.tags import TAG_CODES

Counts = NDArray[np.float32]

_DESCRIPTIONS: Final = frozenset({"description", "og:description", "twitter:description"})


class WordKind(IntFlag):
    """Which words are counted of each block."""

    FUNCTION = auto()
    IN_TITLE = auto()
    IN_HEADING = auto()
    """In the first `<h1>`."""
    IN_DESCRIPTION = auto()
    """In what the page says about itself in its head."""


_WORD_KINDS: Final = np.array(list(WordKind), dtype=np.uint8)[:, None]
_SOUGHT: Final = (WordKind.IN_TITLE, WordKind.IN_HEADING, WordKind.IN_DESCRIPTION)


@dataclass(frozen=True, eq=False)
class BlockTexts:
    """Counts of m blocks. Arrays are read-only, float32, one entry per block unless said otherwise."""

    characters: Counts
    kinds: Mapping[CharacterKind, Counts]
    words: Counts
    word_kinds: Mapping[WordKind, Counts]
    sought: Mapping[WordKind, int]
    """How many different words of each kind there are to be found; of function words none is sought."""
    hashed: HashedWords
    """The words of all blocks."""
    ends_sentence: Counts
    starts_upper: Counts

    def __post_init__(self) -> None:
        make_read_only(self)


def count_texts(blocks: Blocks) -> BlockTexts:
    """Count everything once."""
    # What is sought in the blocks is hashed along with them: a call for it alone costs as much as one for all.
    joined = join_texts((*blocks.texts, *_sought_texts(blocks)))
    size = len(blocks)
    starts, ends = joined.starts[:size], joined.ends[:size]
    kinds = kinds_of(joined.codes)
    words, *sought_words = _split_words(hash_words(joined), size)
    sought = dict(zip(_SOUGHT, sought_words, strict=True))
    return BlockTexts(
        characters=(ends - starts).astype(np.float32),
        kinds=count_kinds(kinds, starts, ends),
        words=np.diff(words.start).astype(np.float32),
        word_kinds=_count_word_kinds(words, sought),
        sought={kind: len(set(some.tolist())) for kind, some in sought.items()},
        hashed=words,
        ends_sentence=_has(kinds, np.maximum(ends - 1, starts), CharacterKind.STOP),
        starts_upper=_has(kinds, starts, CharacterKind.UPPER),
    )


def _count_word_kinds(words: HashedWords, sought: Mapping[WordKind, Hashes]) -> dict[WordKind, Counts]:
    is_of_kind = (_flags(words.hashes, sought) & _WORD_KINDS) != 0
    before = np.zeros((len(_WORD_KINDS), len(words.hashes) + 1), dtype=np.int32)
    np.cumsum(is_of_kind, axis=1, out=before[:, 1:])
    return dict(zip(WordKind, np.diff(before.take(words.start, axis=1)).astype(np.float32), strict=True))


def _has(kinds: NDArray[np.uint8], places: NDArray[np.intp], wanted: CharacterKind) -> Counts:
    return np.asarray((kinds[places] & np.uint8(wanted)) != 0, dtype=np.float32)


def _sought_texts(blocks: Blocks) -> tuple[str, ...]:
    """One text each of the kinds of words that are sought."""
    return title_of(blocks), _first_heading(blocks), " ".join(_descriptions(blocks.page)).replace("\0", " ")


def _split_words(words: HashedWords, size: int) -> tuple[HashedWords, *tuple[Hashes, ...]]:
    """The words of the first texts, and the words of each other text."""
    others = [words.hashes[start:end] for start, end in pairwise(words.start[size:].tolist())]
    return HashedWords(words.hashes[: words.start[size]], words.start[: size + 1]), *others


def _first_heading(blocks: Blocks) -> str:
    of_top = (blocks.kind == Kind.HEADING) & (blocks.page.tag[blocks.kind_row] == TAG_CODES["h1"]) & ~blocks.hidden
    found = np.flatnonzero(of_top)
    return blocks.texts[found[0]] if len(found) else ""


def _descriptions(page: Page) -> Iterable[str]:
    for attribute in ("name", "property"):
        for row, value in page.with_attribute(attribute):
            if value.strip().lower() in _DESCRIPTIONS:
                yield page.attributes(row).get("content", "")


@cache
def _function_words() -> Hashes:
    return np.unique(hash_words(join_texts(tuple(sorted(FUNCTION_WORDS)))).hashes)


def _flags(words: Hashes, sought: Mapping[WordKind, Hashes]) -> NDArray[np.uint8]:
    """uint8, one entry per word: its `WordKind`s."""
    sets = {WordKind.FUNCTION: _function_words(), **sought}
    known = np.concatenate(list(sets.values()))
    flags = np.repeat(np.array(list(sets), dtype=np.uint8), list(map(len, sets.values())))
    order = np.argsort(known, kind="stable")
    known, flags = known[order], flags[order]
    first = np.flatnonzero(np.append(True, known[1:] != known[:-1]))
    known, flags = known[first], np.bitwise_or.reduceat(flags, first)
    place = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.where(known[place] == words, flags[place], 0).astype(np.uint8)
