"""What the network reads of a page: dense features, hashed tokens, and the parts of the page around each block.

All of it is measured by the compiled part, `native/src/features`, in time linear in the page.

Dense features are about as large as 1 and at most 4: counts go through a logarithm, shares stay as they are. Tokens are
hashed names of elements and words. Blocks share most of their ancestors, and many elements have the same names: tokens
belong to elements, elements with the same names are one, and each block says which of them stand above it. Parts are
the elements around a block, from the closest outwards, without wrappers that hold no other block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final
from zlib import crc32

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.native.calls import call_about
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.page.page_columns import make_read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

TABLE_BITS: Final = 14
TABLE_SIZE: Final = 1 << TABLE_BITS
LEVELS: Final = 9
"""Elements per block: the closest one, then the block-level one and its ancestors."""
PARTS: Final = 5
"""Parts around each block. On a news page the third is about the article, the fifth about the page."""

_ENCLOSING: Final = (
    *"article main section nav footer aside header form table ul ol dl li blockquote figure address".split(),
    *"button p td a".split(),
)
_OF_PARTS: Final = (
    *("words", "blocks", "link share", "words a block", "long share", "stops per word"),
    *("share of page", "share of page's text", "place"),
)
_OF_STYLES: Final = ("blocks", "words", "link share", "share of page", "long share")
FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    "text": (
        *("characters", "words", "long", "sentences", "commas", "link share", "unlinked words", "letter share"),
        *("digit share", "upper share", "capitals per word", "punctuation share", "sign share", "separators per word"),
        *("commas per word", "stops per word", "word length", "function words", "ends sentence", "starts upper"),
        *("links", "hidden"),
    ),
    "title": tuple(
        f"{share} IN_{text}" for text in ("TITLE", "HEADING", "DESCRIPTION") for share in ("share", "share of")
    ),
    "kind": (*(kind.label for kind in Kind), "h1", "h2", "h3", "list level"),
    "enclosing": (*(f"in {name}" for name in _ENCLOSING), "depth", "inline depth"),
    "position": (
        *("position", "from start", "from end", "words before", "text before", "after h1", "distance to h1"),
        "since heading",
    ),
    "repetition": (
        "same text",
        "look blocks",
        "look words",
        "look link share",
        "look share of page",
        "look long share",
    ),
    "part": tuple(f"part {step} {name}" for name in _OF_PARTS for step in range(PARTS)),
    "centre": ("votes 0", "votes 1", "votes 2", "in centre", "before centre", "after centre"),
    "page": tuple(
        f"page {name}"
        for name in (
            *("words", "blocks", "link share", "long share", "longest"),
            *("in paragraphs", "in lists", "in cells", "in code", "hidden"),
        )
    ),
}
"""Kind of evidence -> the names of its features, in the order of the columns (`native/src/features`)."""


@dataclass(frozen=True, eq=False)
class PageTokens:
    """Tokens of a page of m blocks. Arrays are read-only."""

    element_tokens: NDArray[np.uint16]
    """uint16: names of elements, one element after the other."""
    element_start: NDArray[np.int64]
    """int64, elements + 1 entries: where each element's tokens begin. The last element has none."""
    levels: NDArray[np.int32]
    """int32, m x LEVELS: the elements above each block; the last element where there are no more."""
    word_tokens: NDArray[np.uint16]
    """uint16: the first and last words of blocks, one block after the other."""
    word_start: NDArray[np.int64]
    """int64, m + 1 entries: where each block's words begin."""

    def __post_init__(self) -> None:
        make_read_only(self)


@dataclass(frozen=True, eq=False)
class PageInputs:
    """The m blocks of a page as the network sees them. Arrays are read-only."""

    dense: NDArray[np.float32]
    """float32, m x features: finite, from -4 to 4."""
    tokens: PageTokens
    part_first: NDArray[np.int32]
    part_last: NDArray[np.int32]
    """int32, m x PARTS: the blocks of each part of the page around a block are `part_first : part_last`."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.dense)


def page_inputs(blocks: Blocks) -> PageInputs:
    """The inputs for the blocks that `segment` finds on a page."""
    page = blocks.page
    about = page.native.pointer, blocks.native.pointer
    measured = call_about(page.native, lib.dehusk_page_inputs, page.label, *about)
    dense, element_tokens, element_start, levels, word_tokens, word_start, part_first, part_last = measured.columns(8)
    size = len(blocks)
    return PageInputs(
        dense.reshape(size, len(feature_names())),
        PageTokens(element_tokens, element_start, levels.reshape(size, LEVELS), word_tokens, word_start),
        part_first.reshape(size, PARTS),
        part_last.reshape(size, PARTS),
    )


def feature_names() -> tuple[str, ...]:
    """The names of the features, in order."""
    return _NAMES


_NAMES: Final = tuple(chain.from_iterable(FEATURES.values()))


def feature_groups() -> dict[str, slice]:
    """Kind of evidence -> the columns it has."""
    ends = accumulate(map(len, FEATURES.values()), initial=0)
    return {kind: slice(first, last) for kind, (first, last) in zip(FEATURES, pairwise(ends), strict=True)}


def token_of(word: str) -> int:
    """The number of a word, from 0 to `TABLE_SIZE`; the same on every machine."""
    return crc32(word.encode("utf-8", "surrogatepass")) % TABLE_SIZE
