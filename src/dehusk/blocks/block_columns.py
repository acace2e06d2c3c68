"""Blocks: the texts of a page, in reading order, each with its position in the tree.

A block is a maximal run of text that no block-level tag, `<br><br>` or void block interrupts. Fields that every caller
needs are plain columns; others (kind, level, table position) are computed on demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dehusk.blocks.paths import PathTree, path_tree
from dehusk.errors import UnknownName
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Outcome, call_about, column_of_booleans, column_of_bytes, column_of_numbers
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.page.page_columns import Page, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

BlockMask: TypeAlias = "NDArray[np.bool_]"


class Kind(IntEnum):
    """What a block is to a reader.

    >>> dehusk.Kind.HEADING.label
    'heading'
    """

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

    @classmethod
    def _missing_(cls, value: object) -> Any:
        raise UnknownName(repr(value), "no such kind of block", f"choose one of {', '.join(cls.__members__)}")


_READ_LEVELS: Final = {Kind.HEADING: 2, Kind.LIST_ITEM: 1}
"""Kind -> the level of blocks without its markup; for headings the one below the title."""


_HIDDEN, _LENGTH, _MARKUP_KIND = 4, 5, 7
"""Numbers of the columns that are read both as arrays and without numpy."""


_WITH_READ_KIND = frozenset({"read_kind", "kind", "kind_row", "level"})
"""What changes when a model reads blocks as others than their markup says."""


@dataclass(frozen=True, slots=True)
class TablePositions:
    """Per block: rows of the cell and table elements in the page, and grid position; -1 outside data tables.

    A table is for layout, and its cells are ordinary text, if it says so (`role=presentation`), contains another table,
    or has only one row or column. Spans of columns count, spans of rows do not.
    """

    cell: Rows
    table: Rows
    row: Rows
    column: Rows


@dataclass(frozen=True, eq=False)
class Blocks:
    """The m blocks of a page. Arrays are read-only, one entry per block unless said otherwise.

    >>> blocks = dehusk.segment(dehusk.read_page("<h2>Tea</h2><p>Steep it."))
    >>> len(blocks), blocks.level.tolist(), dehusk.Kind(blocks.kind[1]).label
    (2, [2, 0], 'paragraph')
    """

    page: Page
    native: Outcome
    """The blocks in the compiled part. The numbers of its columns are those of `native/src/page_exchange.rs`."""
    read_kind: NDArray[np.uint8] | None = None
    """uint8: HEADING or LIST_ITEM where a model reads a block as one though its markup does not say so, else 0."""

    first_row = column_of_numbers(1)
    last_row = column_of_numbers(2)
    """int32: first and last text row that is not blank; rows between may be of another block if `hidden` differs."""
    owner = column_of_numbers(3)
    """int32: row of the closest block-level element."""
    hidden = column_of_booleans(_HIDDEN)
    """bool: the text is in the page, but a browser does not show it."""
    length = column_of_numbers(_LENGTH)
    """int32: characters, white space around inline elements not counted."""
    link_length = column_of_numbers(6)
    """int32: characters inside links."""
    markup_kind = column_of_bytes(_MARKUP_KIND)
    """uint8: the `Kind` that the markup gives each block; the closest element with a kind decides."""
    markup_row = column_of_numbers(8)
    """int32: row of that element; -1 if there is none."""
    markup_level = column_of_numbers(9)
    """int32: 1-6 for headings, depth of nesting from 1 for list items, else 0."""

    def __post_init__(self) -> None:
        if self.read_kind is not None:
            self.read_kind.setflags(write=False)

    def __len__(self) -> int:
        return self.native.length(1)

    def __reduce__(self) -> tuple[Any, ...]:
        """To copy or pickle blocks, their page is sent, and they are found again."""
        return _found_again, (self.page, self.read_kind)

    # The same columns for what every page goes through: no arrays, so that cleaning one page needs no numpy.

    @property
    def hidden_bytes(self) -> bytes:
        """`hidden`, a byte a block."""
        return self.native.bytes(_HIDDEN)

    @property
    def lengths(self) -> list[int]:
        """`length` as a list."""
        return self.native.entries(_LENGTH)

    @property
    def markup_kind_bytes(self) -> bytes:
        """`markup_kind`, a byte a block."""
        return self.native.bytes(_MARKUP_KIND)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """White space as a browser shows it: runs folded to one blank, `<br>` a newline, `<pre>` exact."""
        # Each text ends with a NUL: no page contains one.
        return tuple(self.native.texts(0))

    @cached_property
    def table(self) -> TablePositions:
        """Which cell of which data table each block is in."""
        return TablePositions(*map(self.native.column, range(10, 14)))

    @property
    def text_keys(self) -> NDArray[np.uint64]:
        """uint64: stable keys of the texts, equal for texts that are equal but for case."""
        return self._keys[0]

    @property
    def signatures(self) -> NDArray[np.uint64]:
        """uint64: the style signature of each block's element, a hash of the tags and class names from BODY down to it.

        The items of a list share a signature, and so do the paragraphs of an article: a signature says what kind of
        element it is, a template position (`site_trees.template_positions`) which one. Hidden elements have signatures
        as well, because scripts show and hide parts of a page that readers see; outside BODY they are 0.
        """
        return self._keys[1]

    @cached_property
    def _keys(self) -> tuple[NDArray[np.uint64], ...]:
        found = ask(Question.BLOCK_KEYS, (), self.page.native, self.native, subject=self.page.label)
        return tuple(keys.view(np.uint64) for keys in found.columns(2))

    def __repr__(self) -> str:
        return f"<Blocks of {self.page.label}: {len(self)}>"

    @cached_property
    def link_share(self) -> NDArray[np.float32]:
        """float32: share of the characters that are link text."""
        return (self.link_length / np.maximum(self.length, 1)).astype(np.float32)

    @cached_property
    def kind(self) -> NDArray[np.uint8]:
        """uint8: the `Kind` of each block."""
        return (
            self.markup_kind if self.read_kind is None else np.where(self.read_kind, self.read_kind, self.markup_kind)
        )

    def of_kind(self, kind: Kind) -> BlockMask:
        """bool: blocks of a kind."""
        # By number: comparing an array with a member of an enum takes five times as long.
        return np.asarray(self.kind == kind.value)

    @cached_property
    def kind_row(self) -> Rows:
        """int32: row of the element that determines the kind; -1 if none does."""
        return self.markup_row if self.read_kind is None else np.where(self.read_kind, self.owner, self.markup_row)

    @cached_property
    def level(self) -> Rows:
        """int32: 1-6 for headings, depth of nesting from 1 for list items, else 0."""
        if self.read_kind is None:
            return self.markup_level
        levels = np.array([_READ_LEVELS.get(kind, 0) for kind in Kind], dtype=np.int32)
        return np.where(self.read_kind, levels[self.read_kind], self.markup_level)

    def with_kinds(self, headings: BlockMask, items: BlockMask) -> Blocks:
        """The same blocks, some turned into headings and list items. Only paragraphs and other blocks change."""
        is_plain = (self.kind == Kind.OTHER) | (self.kind == Kind.PARAGRAPH)
        before = 0 if self.read_kind is None else self.read_kind
        kinds = np.select([headings & is_plain, items & is_plain], [Kind.HEADING, Kind.LIST_ITEM], before)
        again = replace(self, read_kind=kinds.astype(np.uint8))
        vars(again).update({name: value for name, value in vars(self).items() if name not in _WITH_READ_KIND})
        return again

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


def find_blocks(page: Page) -> Outcome:
    """The blocks of a page, in the compiled part."""
    return call_about(page.native, lib.dehusk_page_blocks, page.label, page.native.pointer)


def _found_again(page: Page, read_kind: NDArray[np.uint8] | None) -> Blocks:
    """The blocks of a page that was copied."""
    return Blocks(page, find_blocks(page), read_kind)
