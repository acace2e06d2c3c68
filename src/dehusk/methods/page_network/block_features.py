"""Blocks -> dense features: about a hundred numbers a block, each about as large as 1.

Counts go through a logarithm, shares stay as they are. Every column is computed for all blocks of a page at once, in
time linear in the size of the page.

`_FAMILIES` is the table of all features: a family is a kind of evidence, and its function returns the name of each
feature with how it is computed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.methods.page_network.block_texts import BlockTexts, WordKind, count_texts
from dehusk.methods.page_network.character_kinds import CharacterKind
from dehusk.methods.page_network.feature_columns import Feature, Log, Plain, Share, compute_columns
from dehusk.methods.page_network.surroundings import PARTS, Surroundings, find_surroundings
from dehusk.page.page_columns import Page
from dehusk.page.tags import ATTRIBUTE_CODES, TAG_CODES, TagSet

Dense = NDArray[np.float32]
"""float32, blocks x features."""
Family = dict[str | tuple[str, ...], Feature]
"""Features by name; one of k columns has k names."""

_ENCLOSING: Final = (
    *"article main section nav footer aside header form table ul ol dl li blockquote figure address".split(),
    *"button p td a".split(),
)
"""Elements whose being somewhere above a block is a feature."""
_NUMBER_OF_TAG: Final[NDArray[np.int64]] = np.full(len(TAG_CODES) + 1, -1, dtype=np.int64)
_NUMBER_OF_TAG[[TAG_CODES[name] for name in _ENCLOSING]] = np.arange(len(_ENCLOSING))
"""int64: by tag code, the index among those; -1 for all others. The last entry is for tags outside the table."""
_LONG: Final = 12
"""Words of a block that reads like a text rather than a label."""
_FEW_LINKS: Final = 0.34
"""Share of link text that running text seldom exceeds."""
_KINDS: Final = np.array(list(Kind), dtype=np.uint8)[:, None]
_KIND_NAMES: Final = tuple(kind.label for kind in Kind)
_HEADING_LEVELS: Final = np.arange(1, 4)[:, None]
_HEADING_NAMES: Final = tuple(f"h{level}" for level in range(1, 4))
_VOTES_NAMES: Final = tuple(f"votes {step}" for step in range(3))
_ENCLOSING_NAMES: Final = tuple(f"in {name}" for name in _ENCLOSING)
_LARGEST: Final = 4.0
"""No feature is larger: one page in a thousand has a block of a million characters."""


@dataclass(frozen=True, eq=False)
class Measured:
    """All that features are made of."""

    blocks: Blocks
    texts: BlockTexts
    around: Surroundings
    long: NDArray[np.float32]
    """float32: words of blocks that read like text; 0 for all others."""


def measure(blocks: Blocks) -> Measured:
    """Look at the texts and the tree once, for all features."""
    texts = count_texts(blocks)
    reads_like_text = (texts.words >= _LONG) & (blocks.link_share <= _FEW_LINKS) & ~blocks.hidden
    long = np.where(reads_like_text, texts.words, 0).astype(np.float32)
    return Measured(blocks, texts, find_surroundings(blocks), long)


def dense_features(measured: Measured) -> Dense:
    """float32, blocks x `len(feature_names())`: finite, from -4 to 4."""
    features = [feature for family in _FAMILIES.values() for feature in family(measured).values()]
    columns = compute_columns(features, len(measured.blocks))
    return np.ascontiguousarray(np.clip(columns, -_LARGEST, _LARGEST, out=columns).T)


def feature_names() -> tuple[str, ...]:
    """The names of the features, in order."""
    return tuple(name for names in _names_by_family().values() for name in names)


def feature_groups() -> dict[str, slice]:
    """Kind of evidence -> the columns it has."""
    families = _names_by_family()
    ends = np.cumsum([0, *map(len, families.values())]).tolist()
    return {kind: slice(first, last) for kind, first, last in zip(families, ends[:-1], ends[1:], strict=True)}


@cache
def _names_by_family() -> dict[str, tuple[str, ...]]:
    """Kind of evidence -> the names of its features, as its function returns them for any page."""
    from dehusk.blocks.segmentation import segment
    from dehusk.page.page_reading import read_page

    measured = measure(segment(read_page("<p>text")))
    return {kind: _names(family(measured)) for kind, family in _FAMILIES.items()}


def _names(family: Family) -> tuple[str, ...]:
    return tuple(chain.from_iterable((names,) if isinstance(names, str) else names for names in family))


def _text_features(measured: Measured) -> Family:
    texts, blocks = measured.texts, measured.blocks
    characters, words = texts.characters, texts.words
    letters, digits, upper, punctuation, commas, stops, signs, separators = texts.kinds.values()
    return {
        "characters": Log(characters),
        "words": Log(words),
        "long": Plain(measured.long > 0),
        "sentences": Log(stops),
        "commas": Log(commas),
        "link share": Plain(blocks.link_share),
        "unlinked words": Log(words * (1 - blocks.link_share)),
        "letter share": Share(letters, characters),
        "digit share": Share(digits, characters),
        "upper share": Share(upper, letters),
        "capitals per word": Share(upper, words),
        "punctuation share": Share(4 * punctuation, characters),
        "sign share": Share(4 * signs, characters),
        "separators per word": Share(separators, words),
        "commas per word": Share(4 * commas, words),
        "stops per word": Share(4 * stops, words),
        "word length": Share(letters, 10 * np.maximum(words, 1)),
        "function words": Share(2 * texts.word_kinds[WordKind.FUNCTION], words),
        "ends sentence": Plain(texts.ends_sentence),
        "starts upper": Plain(texts.starts_upper),
        "links": Log(_links(blocks)),
        "hidden": Plain(blocks.hidden),
    }


def _links(blocks: Blocks) -> NDArray[np.int64]:
    """int64: how many links begin inside each block, or around the whole of it."""
    page = blocks.page
    before = np.concatenate(([0], np.cumsum(page.tagged(TagSet.LINK))))
    around = page.tagged(TagSet.LINK)[np.maximum(page.parent[blocks.first_row], 0)]
    return np.asarray(before[blocks.last_row + 1] - before[blocks.first_row] + around)


def _title_features(measured: Measured) -> Family:
    texts = measured.texts
    columns: Family = {}
    for kind in (WordKind.IN_TITLE, WordKind.IN_HEADING, WordKind.IN_DESCRIPTION):
        found, sought = texts.word_kinds[kind], max(texts.sought[kind], 1)
        columns[f"share {kind.name}"] = Share(found, texts.words)
        columns[f"share of {kind.name}"] = Share(np.minimum(found, sought), sought)
    return columns


def _kind_features(measured: Measured) -> Family:
    blocks = measured.blocks
    heading = np.where(blocks.kind == Kind.HEADING, blocks.level, 0)
    list_level = np.where(blocks.kind == Kind.LIST_ITEM, blocks.level, 0)
    return {
        _KIND_NAMES: Plain(blocks.kind == _KINDS),
        _HEADING_NAMES: Plain(heading == _HEADING_LEVELS),
        "list level": Share(list_level, 4.0),
    }


def _enclosing_features(measured: Measured) -> Family:
    blocks = measured.blocks
    depth, owner_depth = blocks.page.depth[blocks.first_row], blocks.page.depth[blocks.owner]
    return {
        _ENCLOSING_NAMES: Plain(_enclosed(blocks.page, measured.around) > 0),
        "depth": Share(owner_depth, 16.0),
        "inline depth": Share(depth - owner_depth, 4.0),
    }


def _enclosed(page: Page, around: Surroundings) -> NDArray[np.int64]:
    """int64, tags x blocks: how many elements of each of the tags are open where a block begins."""
    size = len(around.number) + 1
    number = _NUMBER_OF_TAG.take(page.tag, mode="clip")
    rows = np.flatnonzero(number >= 0)
    first = number[rows] * size
    ends = (around.before[rows], around.before[page.subtree_end[rows]])
    opened, closed = (np.bincount(first + place, minlength=len(_ENCLOSING) * size) for place in ends)
    return np.cumsum((opened - closed).reshape(-1, size), axis=1).take(around.number, axis=1)


def _position_features(measured: Measured) -> Family:
    blocks = measured.blocks
    size = len(blocks)
    number = np.arange(size)
    before = np.cumsum(measured.texts.words) - measured.texts.words
    long_before = np.cumsum(measured.long) - measured.long
    is_heading = (blocks.kind == Kind.HEADING) & ~blocks.hidden
    tops = np.flatnonzero(is_heading & (blocks.level == 1))
    top = int(tops[0]) if len(tops) else 0
    # The beginning counts as a heading.
    since_heading = number + 1 - np.maximum.accumulate(np.where(is_heading, number + 1, 0))
    return {
        "position": Share(number, float(size)),
        "from start": Log(number),
        "from end": Log(size - 1 - number),
        "words before": Share(before, float(measured.texts.words.sum())),
        "text before": Share(long_before, float(measured.long.sum())),
        "after h1": Plain((number >= top) & bool(len(tops))),
        "distance to h1": Log(number - top),
        "since heading": Log(since_heading),
    }


def _repetition_features(measured: Measured) -> Family:
    """Blocks with the same text, and blocks of the same style: tag and class of the element and its parent agree."""
    blocks, words = measured.blocks, measured.texts.words
    same_text = _numbers(blocks.texts)
    look = _style_numbers(blocks)
    summed = (words, measured.long, blocks.link_length, blocks.length)
    look_words, long, link_length, length = (np.bincount(look, weights=column)[look] for column in summed)
    size = np.bincount(look)[look]
    return {
        "same text": Log(np.bincount(same_text)[same_text] - 1),
        "look blocks": Log(size),
        "look words": Log(look_words / size),
        "look link share": Share(link_length, length),
        "look share of page": Share(look_words, float(words.sum())),
        "look long share": Share(long, look_words),
    }


def _numbers(keys: Iterable[Hashable]) -> NDArray[np.int64]:
    """int64: equal keys get equal numbers, from 0 in the order of first occurrence."""
    number_of: defaultdict[Hashable, int] = defaultdict(count().__next__)
    return np.fromiter(map(number_of.__getitem__, keys), dtype=np.int64)


def _style_numbers(blocks: Blocks) -> NDArray[np.int64]:
    """Blocks whose elements, and the elements around these, have the same tags and classes get the same number."""
    page = blocks.page
    indexes = np.flatnonzero(page.attribute_name == ATTRIBUTE_CODES["class"])
    class_of_row = np.full(len(page), -1)
    class_of_row[page.attribute_row[indexes]] = indexes
    columns: list[Iterable[Hashable]] = []
    for rows in (blocks.owner, np.maximum(page.parent[blocks.owner], 0)):
        values = [index >= 0 and page.attribute_value[index] for index in class_of_row[rows].tolist()]
        columns += [page.tag[rows].tolist(), values]
    return _numbers(zip(*columns, strict=True))


def _part_features(measured: Measured) -> Family:
    """The parts of the page around each block."""
    around, texts, blocks = measured.around, measured.texts, measured.blocks
    summed = (texts.words, measured.long, texts.kinds[CharacterKind.STOP], blocks.link_length, blocks.length)
    words, long, stops, link_length, length = around.sums(summed)
    first, last = around.first.T, around.last.T
    size = last - first
    page_words, page_long = float(texts.words.sum()), float(measured.long.sum())
    tables: dict[str, Feature] = {
        "words": Log(words),
        "blocks": Log(size),
        "link share": Share(link_length, length),
        "words a block": Log(words / np.maximum(size, 1)),
        "long share": Share(long, words),
        "stops per word": Share(4 * stops, words),
        "share of page": Share(words, page_words),
        "share of page's text": Share(long, page_long),
        "place": Share(around.number - first, size),
    }
    return {_of_parts(name): table for name, table in tables.items()}


@cache
def _of_parts(name: str) -> tuple[str, ...]:
    return tuple(f"part {step} {name}" for step in range(PARTS))


def _centre_features(measured: Measured) -> Family:
    """How close a block is to where most of the text stands: long blocks vote for the parts around them."""
    around, blocks = measured.around, measured.blocks
    votes = np.zeros(len(blocks.page))
    for step, weight in enumerate((1.0, 0.5)):
        votes += np.bincount(around.row[:, step], weights=weight * measured.long, minlength=len(votes))
    most = float(votes.max(initial=0.0))
    centre = int(votes.argmax()) if len(votes) else 0
    end = blocks.page.subtree_end[centre] if len(votes) else 0
    inside = (blocks.first_row >= centre) & (blocks.first_row < end)
    within = np.flatnonzero(inside)
    first, last = (int(within[0]), int(within[-1])) if len(within) else (0, 0)
    number = np.arange(len(blocks))
    return {
        _VOTES_NAMES: Share(votes[around.row.T[: len(_VOTES_NAMES)]], most),
        "in centre": Plain(inside & (most > 0)),
        "before centre": Log(np.maximum(first - number, 0)),
        "after centre": Log(np.maximum(number - last, 0)),
    }


def _page_features(measured: Measured) -> Family:
    blocks, words = measured.blocks, measured.texts.words
    total = float(words.sum())
    of_kind = np.bincount(blocks.kind, weights=words, minlength=len(Kind)) / max(total, 1)
    values = {
        "page words": np.log1p(total) / 5,
        "page blocks": np.log1p(len(blocks)) / 5,
        "page link share": blocks.link_length.sum() / max(blocks.length.sum(), 1),
        "page long share": measured.long.sum() / max(total, 1),
        "page longest": np.log1p(words.max(initial=0)) / 5,
        "page in paragraphs": of_kind[Kind.PARAGRAPH],
        "page in lists": of_kind[Kind.LIST_ITEM],
        "page in cells": of_kind[Kind.CELL],
        "page in code": of_kind[Kind.CODE],
        "page hidden": words[blocks.hidden].sum() / max(total, 1),
    }
    return {tuple(values): Plain(np.repeat(np.array([*values.values()])[:, None], len(blocks), axis=1))}


_FAMILIES: Final[Mapping[str, Callable[[Measured], Family]]] = {
    "text": _text_features,
    "title": _title_features,
    "kind": _kind_features,
    "enclosing": _enclosing_features,
    "position": _position_features,
    "repetition": _repetition_features,
    "part": _part_features,
    "centre": _centre_features,
    "page": _page_features,
}
"""Kind of evidence -> its features, in the order of the network's weights."""
