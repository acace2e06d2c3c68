"""Blocks: the texts of a page, in reading order, each with its position in the tree.

A block is a maximal run of text that no block-level tag, `<br><br>` or void block interrupts. Fields that every caller
needs are plain columns; others (kind, level, table position) are computed on demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.paths import PathTree, path_tree
from dehusk.blocks.table_cells import TablePositions, table_positions
from dehusk.page.page_columns import Page, Rows, make_read_only
from dehusk.page.tags import MEMBERS, TAG_CODES, TagSet

BlockMask = NDArray[np.bool_]


class Kind(IntEnum):
    """What a block is to a reader."""

    OTHER = 0
    TITLE = 1
    HEADING = 2
    PARAGRAPH = 3
    LIST_ITEM = 4
    CELL = 5
    CODE = 6
    QUOTE = 7
    CAPTION = 8
    FORM = 9

    @property
    def label(self) -> str:
        """The name people read: `list item`."""
        return self.name.lower().replace("_", " ")


_KIND_OF_TAG = {
    "title": Kind.TITLE,
    **dict.fromkeys(MEMBERS[TagSet.HEADING], Kind.HEADING),
    "p": Kind.PARAGRAPH,
    **dict.fromkeys(("li", "dt", "dd"), Kind.LIST_ITEM),
    **dict.fromkeys(("td", "th"), Kind.CELL),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), Kind.CODE),
    "blockquote": Kind.QUOTE,
    **dict.fromkeys(("figcaption", "caption"), Kind.CAPTION),
    **dict.fromkeys(("button", "select", "optgroup", "option", "textarea", "legend", "label", "datalist"), Kind.FORM),
}
_KIND_OF_CODE: NDArray[np.uint8] = np.zeros(len(TAG_CODES) + 1, dtype=np.uint8)
_KIND_OF_CODE[[TAG_CODES[tag] for tag in _KIND_OF_TAG]] = list(_KIND_OF_TAG.values())
"""uint8: the kind of text inside an element, by tag code; the closest element with a kind decides."""


_WRAPS_PARAGRAPHS: NDArray[np.bool_] = np.zeros(len(TAG_CODES) + 1, dtype=bool)
_WRAPS_PARAGRAPHS[[TAG_CODES[tag] for tag in "li dt dd blockquote figcaption caption".split()]] = True
"""A `<p>` directly inside one of these is only its wrapping: `<li><p>text` is a list item."""

_READ_LEVELS: NDArray[np.int32] = np.zeros(len(Kind), dtype=np.int32)
_READ_LEVELS[[Kind.HEADING, Kind.LIST_ITEM]] = 2, 1
"""int32: by kind, the level of blocks without its markup; for headings the one below the title."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """The m blocks of a page. Arrays are read-only, one entry per block unless said otherwise."""

    page: Page
    texts: tuple[str, ...]
    """White space as a browser shows it: runs folded to one blank, `<br>` a newline, `<pre>` exact."""
    first_row: Rows
    last_row: Rows
    """int32: first and last text row that is not blank; rows between may be of another block if `hidden` differs."""
    owner: Rows
    """int32: row of the closest block-level element."""
    hidden: BlockMask
    """bool: the text is in the page, but a browser does not show it."""
    length: Rows
    """int32: characters, white space around inline elements not counted."""
    link_length: Rows
    """int32: characters inside links."""
    read_kind: NDArray[np.uint8] | None = None
    """uint8: HEADING or LIST_ITEM where a model reads a block as one though its markup does not say so, else 0."""

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"<Blocks of {self.page.label}: {len(self)}>"

    @cached_property
    def link_share(self) -> NDArray[np.float32]:
        """float32: share of the characters that are link text."""
        return (self.link_length / np.maximum(self.length, 1)).astype(np.float32)

    @cached_property
    def kind(self) -> NDArray[np.uint8]:
        """uint8: the `Kind` of each block."""
        row = self._markup_row
        kind = np.where(row >= 0, _KIND_OF_CODE[self._known_tag[row]], Kind.OTHER).astype(np.uint8)
        in_data_cell = self.table.cell >= 0
        kind[(kind == Kind.TITLE) & self.hidden] = Kind.OTHER  # the title of a drawing
        kind[(kind == Kind.CELL) & ~in_data_cell] = Kind.OTHER
        kind[((kind == Kind.OTHER) | (kind == Kind.PARAGRAPH)) & in_data_cell] = Kind.CELL
        return kind if self.read_kind is None else np.where(self.read_kind, self.read_kind, kind)

    @cached_property
    def kind_row(self) -> Rows:
        """int32: row of the element that determines the kind; -1 if none does."""
        row = self._markup_row
        return row if self.read_kind is None else np.where(self.read_kind, self.owner, row)

    @cached_property
    def _markup_row(self) -> Rows:
        gives_kind = _KIND_OF_CODE[self._known_tag] != Kind.OTHER
        closest = self.page.closest(gives_kind)
        row = closest[self.page.parent[self.first_row]]
        is_paragraph = (row >= 0) & (self.page.tag[row] == TAG_CODES["p"])
        outer = closest[self.page.parent[row]]
        wrapped = is_paragraph & (outer >= 0) & _WRAPS_PARAGRAPHS[self._known_tag[outer]]
        return np.where(wrapped, outer, row)

    @cached_property
    def _known_tag(self) -> Rows:
        """int32, one entry per page row: the tag code, with one code for all tags outside the table."""
        return np.minimum(self.page.tag, np.int32(len(TAG_CODES)))

    @cached_property
    def level(self) -> Rows:
        """int32: 1-6 for headings, depth of nesting from 1 for list items, else 0."""
        heading_level = self.page.tag[self.kind_row] - (TAG_CODES["h1"] - 1)
        list_depth = self.page.covered(self.page.tagged(TagSet.LIST))[self.kind_row]
        level = np.where(self.kind == Kind.HEADING, heading_level, 0)
        level = np.where(self.kind == Kind.LIST_ITEM, np.maximum(list_depth, 1), level).astype(np.int32)
        return level if self.read_kind is None else np.where(self.read_kind, _READ_LEVELS[self.read_kind], level)

    def with_kinds(self, headings: BlockMask, items: BlockMask) -> Blocks:
        """The same blocks, some turned into headings and list items. Only paragraphs and other blocks change."""
        is_plain = (self.kind == Kind.OTHER) | (self.kind == Kind.PARAGRAPH)
        before = 0 if self.read_kind is None else self.read_kind
        kinds = np.select([headings & is_plain, items & is_plain], [Kind.HEADING, Kind.LIST_ITEM], before)
        return replace(self, read_kind=kinds.astype(np.uint8))

    @cached_property
    def table(self) -> TablePositions:
        """Which cell of which data table each block is in."""
        return table_positions(self.page, self.owner)

    def paths_of(self, indexes: Sequence[int]) -> PathTree:
        """The DOM paths of some blocks, one number each; blocks with the same path share one."""
        return path_tree(self.page, self.owner[np.array(indexes, dtype=np.intp)].tolist())

    def path(self, index: int) -> str:
        """The DOM path of a block, `html/body/div.post/p`; the middle of a very long path is left out."""
        number = self._paths.numbers[index]
        if number not in self._spelled_out:
            self._spelled_out[number] = self._paths.spelled_out(number)
        return self._spelled_out[number]

    @cached_property
    def _paths(self) -> PathTree:
        return self.paths_of(range(len(self)))

    @cached_property
    def _spelled_out(self) -> dict[int, str]:
        """Paths already formatted, by number: blocks that share a path share its text."""
        return {}
