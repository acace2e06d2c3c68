"""Blocks -> dense features: about a hundred numbers a block, each about as large as 1.

Counts go through a logarithm, shares stay as they are. Every column is computed for all blocks of a page at once, in
time linear in the size of the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks, Kind
from dehusk.network.block_texts import BlockTexts, WordKind, count_texts
from dehusk.network.character_kinds import CharacterKind
from dehusk.network.surroundings import PARTS, Surroundings, find_surroundings
from dehusk.page.columns import Page
from dehusk.page.tags import ATTRIBUTE_CODES, TAG_CODES, TagSet

Column = NDArray[np.float32]
Dense = NDArray[np.float32]
"""float32, blocks x features."""

_ENCLOSING: Final = (
    *"article main section nav footer aside header form table ul ol dl li blockquote figure address".split(),
    *"button p td a".split(),
)
"""Elements whose being somewhere above a block is a feature."""
_NUMBER_OF_TAG: Final[NDArray[np.int64]] = np.full(len(TAG_CODES) + 1, -1, dtype=np.int64)
_NUMBER_OF_TAG[[TAG_CODES[name] for name in _ENCLOSING]] = np.arange(len(_ENCLOSING))
"""int64: by tag code, the place among those; -1 for all others, of which the last stands for tags outside the table."""
_LONG: Final = 12
"""Words of a block that reads like a text rather than a label."""
_FEW_LINKS: Final = 0.34
"""Share of link text that running text seldom exceeds."""
_LOG_SCALE: Final = np.float32(0.25)
"""Logarithms of counts on pages end at about 8; times this they end at 2."""
_ONE_HOT: Final = np.eye(len(Kind), dtype=np.float32)
_LARGEST: Final = 4.0
"""No feature is larger: one page in a thousand has a block of a million characters."""


@dataclass(frozen=True, eq=False)
class Measured:
    """All that features are made of."""

    blocks: Blocks
    texts: BlockTexts
    around: Surroundings
    long: Column
    """float32: words of blocks that read like text; 0 for all others."""


def measure(blocks: Blocks) -> Measured:
    """Look at the texts and the tree once, for all features."""
    texts = count_texts(blocks)
    reads_like_text = (texts.words >= _LONG) & (blocks.link_share <= _FEW_LINKS) & ~blocks.hidden
    long = np.where(reads_like_text, texts.words, 0).astype(np.float32)
    return Measured(blocks, texts, find_surroundings(blocks), long)


def dense_features(measured: Measured) -> Dense:
    """float32, blocks x `len(FEATURES)`: finite, from -4 to 4."""
    columns = [column for family in _FAMILIES for column in family(measured).values()]
    dense = np.array(columns, dtype=np.float32).T if columns else np.zeros((0, 0), dtype=np.float32)
    return np.clip(np.ascontiguousarray(dense), -_LARGEST, _LARGEST)


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
    """Kind of evidence -> the names of its features: a family names its columns when it computes them."""
    from dehusk.blocks.segmenting import segment
    from dehusk.page.reading import read_page

    measured = measure(segment(read_page("<p>text")))
    return {family.__name__.strip("_").removesuffix("_features"): tuple(family(measured)) for family in _FAMILIES}


def _log(counts: NDArray[np.generic]) -> Column:
    return np.log1p(counts.astype(np.float32)) * _LOG_SCALE


def _share(part: NDArray[np.generic] | float, whole: NDArray[np.generic] | float) -> Column:
    return np.asarray(part / np.maximum(whole, 1), dtype=np.float32)


def _flag(mask: NDArray[np.bool_]) -> Column:
    return mask.astype(np.float32)


def _text_features(measured: Measured) -> dict[str, Column]:
    texts, blocks = measured.texts, measured.blocks
    kinds, words = texts.kinds, texts.words
    letters = kinds[CharacterKind.LETTER]
    return {
        "characters": _log(texts.characters),
        "words": _log(words),
        "long": _flag(measured.long > 0),
        "sentences": _log(kinds[CharacterKind.STOP]),
        "commas": _log(kinds[CharacterKind.COMMA]),
        "link share": blocks.link_share,
        "unlinked words": _log(words * (1 - blocks.link_share)),
        "letter share": _share(letters, texts.characters),
        "digit share": _share(kinds[CharacterKind.DIGIT], texts.characters),
        "upper share": _share(kinds[CharacterKind.UPPER], letters),
        "capitals per word": _share(kinds[CharacterKind.UPPER], words),
        "punctuation share": 4 * _share(kinds[CharacterKind.PUNCTUATION], texts.characters),
        "sign share": 4 * _share(kinds[CharacterKind.SIGN], texts.characters),
        "separators per word": _share(kinds[CharacterKind.SEPARATOR], words),
        "commas per word": 4 * _share(kinds[CharacterKind.COMMA], words),
        "stops per word": 4 * _share(kinds[CharacterKind.STOP], words),
        "word length": _share(letters, 10 * np.maximum(words, 1)),
        "function words": 2 * _share(texts.word_kinds[WordKind.FUNCTION], words),
        "ends sentence": texts.ends_sentence,
        "starts upper": texts.starts_upper,
        "links": _log(_links(blocks)),
        "hidden": _flag(blocks.hidden),
    }


def _links(blocks: Blocks) -> NDArray[np.int64]:
    """int64: how many links begin inside each block, or around the whole of it."""
    page = blocks.page
    before = np.concatenate(([0], np.cumsum(page.tagged(TagSet.LINK))))
    around = page.tagged(TagSet.LINK)[np.maximum(page.parent[blocks.first_row], 0)]
    return np.asarray(before[blocks.last_row + 1] - before[blocks.first_row] + around)


def _title_features(measured: Measured) -> dict[str, Column]:
    texts = measured.texts
    columns: dict[str, Column] = {}
    for kind in (WordKind.IN_TITLE, WordKind.IN_HEADING, WordKind.IN_DESCRIPTION):
        found = texts.word_kinds[kind]
        columns[f"share {kind.name}"] = _share(found, texts.words)
        columns[f"share of {kind.name}"] = np.minimum(_share(found, float(texts.sought[kind])), 1)
    return columns


def _kind_features(measured: Measured) -> dict[str, Column]:
    blocks = measured.blocks
    columns: dict[str, Column] = dict(zip((kind.label for kind in Kind), _ONE_HOT[:, blocks.kind], strict=True))
    heading = np.where(blocks.kind == Kind.HEADING, blocks.level, 0)
    columns |= {f"h{level}": _flag(heading == level) for level in (1, 2, 3)}
    columns["list level"] = np.where(blocks.kind == Kind.LIST_ITEM, blocks.level, 0).astype(np.float32) / np.float32(4)
    return columns


def _enclosing_features(measured: Measured) -> dict[str, Column]:
    blocks = measured.blocks
    page, rows = blocks.page, blocks.first_row
    columns = dict(zip((f"in {name}" for name in _ENCLOSING), _flag(_enclosed(page)[:, rows] > 0), strict=True))
    columns["depth"] = page.depth[blocks.owner].astype(np.float32) / np.float32(16)
    columns["inline depth"] = (page.depth[rows] - page.depth[blocks.owner]).astype(np.float32) / np.float32(4)
    return columns


def _enclosed(page: Page) -> NDArray[np.int64]:
    """int64, tags x rows of the page: how many elements of each of the tags are open at a row."""
    size = len(page) + 1
    number = _NUMBER_OF_TAG.take(page.tag, mode="clip")
    rows = np.flatnonzero(number >= 0)
    first = number[rows] * size
    cells = len(_ENCLOSING) * size
    starts, ends = (np.bincount(first + places, minlength=cells) for places in (rows, page.subtree_end[rows]))
    return np.cumsum((starts - ends).reshape(len(_ENCLOSING), size), axis=1)


def _position_features(measured: Measured) -> dict[str, Column]:
    blocks = measured.blocks
    size = len(blocks)
    number = np.arange(size)
    before = np.cumsum(measured.texts.words) - measured.texts.words
    long_before = np.cumsum(measured.long) - measured.long
    is_heading = (blocks.kind == Kind.HEADING) & ~blocks.hidden
    tops = np.flatnonzero(is_heading & (blocks.level == 1))
    top = int(tops[0]) if len(tops) else 0
    headings = np.flatnonzero(np.append(True, is_heading))  # the beginning counts as one
    since_heading = number + 1 - headings[np.searchsorted(headings, number + 1, side="right") - 1]
    return {
        "position": _share(number, float(size)),
        "from start": _log(number),
        "from end": _log(size - 1 - number),
        "words before": _share(before, float(measured.texts.words.sum())),
        "text before": _share(long_before, float(measured.long.sum())),
        "after h1": _flag((number >= top) & bool(len(tops))),
        "distance to h1": np.sign(number - top).astype(np.float32) * _log(np.abs(number - top)),
        "since heading": _log(since_heading),
    }


def _repetition_features(measured: Measured) -> dict[str, Column]:
    """Blocks with the same text, and blocks that look alike: tag and class of their element and its parent agree."""
    blocks, words = measured.blocks, measured.texts.words
    same_text = _numbers(blocks.texts)
    look = _looks(blocks)
    size = np.bincount(look, minlength=1)
    total = float(words.sum())

    def of_look(values: NDArray[np.generic]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(look, weights=values.astype(np.float64), minlength=1), dtype=np.float64)

    look_words = of_look(words)
    return {
        "same text": _log(np.bincount(same_text, minlength=1)[same_text] - 1),
        "look blocks": _log(size[look]),
        "look words": _log((look_words / np.maximum(size, 1))[look]),
        "look link share": _share(of_look(blocks.link_length), of_look(blocks.length))[look],
        "look share of page": _share(look_words, total)[look],
        "look long share": _share(of_look(measured.long), look_words)[look],
    }


def _numbers(keys: Sequence[str]) -> NDArray[np.int64]:
    """int64: equal keys get equal numbers, from 0 in the order of their first places."""
    number_of: defaultdict[str, int] = defaultdict(count().__next__)
    return np.fromiter(map(number_of.__getitem__, keys), dtype=np.int64, count=len(keys))


def _looks(blocks: Blocks) -> NDArray[np.intp]:
    """Blocks whose elements, and the elements around these, have the same tags and classes get the same number."""
    page = blocks.page
    indexes = np.flatnonzero(page.attribute_name == ATTRIBUTE_CODES["class"])
    classes = _numbers([page.attribute_value[index] for index in indexes.tolist()])
    of_row = np.zeros(len(page), dtype=np.int64)
    of_row[np.searchsorted(page.attribute_start, indexes, side="right") - 1] = classes + 1
    of_row += page.tag.astype(np.int64) * (len(classes) + 1)
    outer = np.maximum(page.parent[blocks.owner], 0)
    return np.unique(of_row[blocks.owner] * (of_row.max(initial=0) + 1) + of_row[outer], return_inverse=True)[1]


def _part_features(measured: Measured) -> dict[str, Column]:
    """The parts of the page around each block."""
    around, texts, blocks = measured.around, measured.texts, measured.blocks
    summed = (texts.words, measured.long, texts.kinds[CharacterKind.STOP], blocks.link_length, blocks.length)
    words, long, stops, link_length, length = around.sums(summed)
    size = around.last - around.first
    links = _share(link_length, length)
    before = around.number[:, None] - around.first
    page_words, page_long = float(texts.words.sum()), float(measured.long.sum())
    tables = {
        "words": _log(words),
        "blocks": _log(size),
        "link share": links,
        "words a block": _log(words / np.maximum(size, 1)),
        "long share": _share(long, words),
        "stops per word": 4 * _share(stops, words),
        "share of page": _share(words, page_words),
        "share of page's text": _share(long, page_long),
        "place": _share(before, size),
    }
    return {f"part {step} {name}": table[:, step] for name, table in tables.items() for step in range(PARTS)}


def _centre_features(measured: Measured) -> dict[str, Column]:
    """How close a block is to where most of the text stands: long blocks vote for the parts around them."""
    around, blocks = measured.around, measured.blocks
    votes = np.zeros(len(blocks.page))
    for step, weight in enumerate((1.0, 0.5)):
        votes += np.bincount(around.row[:, step], weights=weight * measured.long, minlength=len(votes))
    most = float(votes.max(initial=0.0))
    centre = int(votes.argmax()) if len(votes) else 0
    end = blocks.page.subtree_end[centre] if len(votes) else 0
    inside = (blocks.first_row >= centre) & (blocks.first_row < end)
    columns = {f"votes {step}": _share(votes[around.row[:, step]], most) for step in range(3)}
    within = np.flatnonzero(inside)
    first, last = (int(within[0]), int(within[-1])) if len(within) else (0, 0)
    number = np.arange(len(blocks))
    return {
        **columns,
        "in centre": _flag(inside & (most > 0)),
        "before centre": _log(np.maximum(first - number, 0)),
        "after centre": _log(np.maximum(number - last, 0)),
    }


def _page_features(measured: Measured) -> dict[str, Column]:
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
    columns = np.repeat(np.array(list(values.values()), dtype=np.float32)[:, None], len(blocks), axis=1)
    return dict(zip(values, columns, strict=True))


_FAMILIES: Final = (
    _text_features,
    _title_features,
    _kind_features,
    _enclosing_features,
    _position_features,
    _repetition_features,
    _part_features,
    _centre_features,
    _page_features,
)
