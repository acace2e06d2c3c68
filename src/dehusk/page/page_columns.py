"""The Page: one html document as columns.

One row per element or text node, in document order. The rows of a subtree are a slice, `row : subtree_end[row]`,
so every question about subtrees is a difference of prefix sums. Whitespace is kept as it was written; `blocks` folds
it as a browser does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias, overload

from dehusk.native.calculations import Question, ask
from dehusk.native.calls import (
    Outcome,
    call,
    call_about,
    column_of_booleans,
    column_of_bytes,
    column_of_flags,
    column_of_numbers,
)
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.page.tags import ATTRIBUTE_CODES, ATTRIBUTES, TAG_CODES, TAGS, TEXT, TagSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows: TypeAlias = "NDArray[np.int32]"
RowMask: TypeAlias = "NDArray[np.bool_]"


def make_read_only(columns: object) -> None:
    """Lock every array among the attributes of an object."""
    for value in vars(columns).values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


def enclosing(mask: RowMask, subtree_end: Rows) -> Rows:
    """int32: how many of the masked rows enclose each row, itself included."""
    size = len(subtree_end)
    change = mask.astype(np.int32)
    change -= np.bincount(subtree_end[mask], minlength=size + 1)[:size].astype(np.int32)
    return np.cumsum(change, dtype=np.int32)


@dataclass(frozen=True, eq=False, slots=True)
class Strings:
    """Strings stored one after the other. Each is decoded when it is asked for: most never are."""

    utf8: NDArray[np.uint8]
    end: NDArray[np.int64]
    """int64, one entry per string: where it ends, in bytes."""

    def __len__(self) -> int:
        return len(self.end)

    def __getitem__(self, index: int) -> str:
        begin = self.end[index - 1] if index else 0
        return self.utf8[begin : self.end[index]].tobytes().decode()

    def several(self, indexes: NDArray[np.integer[Any]]) -> list[str]:
        """Some of the strings: each takes a tenth of the time that it takes alone."""
        ends, begins = self.end[indexes].tolist(), np.where(indexes > 0, self.end[indexes - 1], 0).tolist()
        utf8 = self.utf8.tobytes()
        return [utf8[begin:end].decode() for begin, end in zip(begins, ends, strict=True)]

    def containing(self, letters: str) -> list[int]:
        """Indexes of the strings in which some lower-case ASCII letters may occur, in any case: no others have them."""
        found = re.finditer(re.escape(letters.encode("ascii")), self.utf8.tobytes().lower())
        indexes = np.searchsorted(self.end, [match.start() for match in found], side="right")
        return sorted(set(indexes.tolist()))


@dataclass(frozen=True, eq=False, slots=True)
class AttributeValues(Sequence[str]):
    """The values of attributes, in document order; equal ones may be stored once."""

    distinct: Strings
    number: Rows
    """int32, one entry per attribute: which of the distinct values it has."""

    def __len__(self) -> int:
        return len(self.number)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return AttributeValues(self.distinct, self.number[index])
        return self.distinct[int(self.number[index])]

    def several(self, indexes: NDArray[np.intp]) -> list[str]:
        """The values of some attributes, as `Strings.several`."""
        return self.distinct.several(self.number[indexes]) if len(indexes) else []


@dataclass(frozen=True, slots=True)
class RemovedElement:
    """An element that was taken out of a page: see `pruning`."""

    selector: str
    name: str
    """Tag and classes: `aside.related`."""
    text: str
    """The beginning of its text."""


@dataclass(frozen=True, eq=False)
class Page:
    """A document of n nodes. Arrays are read-only; all have n entries unless said otherwise.

    The compiled part keeps the columns; each becomes an array when it is first asked for.

    >>> page = dehusk.read_page("<p>Tea.", "https://a.example/")
    >>> page.url, len(page)
    ('https://a.example/', 5)
    """

    url: str
    name: str
    encoding: str
    """The encoding the bytes were read with (WHATWG name if it has one); empty when the page came as str."""
    encoding_reason: str
    damage: float
    """Share of the characters of the text, blanks aside, that could not be decoded and are U+FFFD."""
    native: Outcome
    """The page in the compiled part. The numbers of its columns are those of `native/src/page_exchange.rs`."""
    removed: tuple[RemovedElement, ...] = ()
    """What was taken out before anything else."""
    problem: str = ""
    """What is wrong with its bytes: `wrong-encoding`, `garbled` or `plain-text`; otherwise empty."""
    is_plain_text: bool = False
    """Whether it has no markup, and paragraphs were made of its lines."""

    text_utf8 = column_of_bytes(0)
    """uint8, one entry per byte: `text`, encoded."""
    tag = column_of_numbers(1)
    """int32: position in `TAGS`; from `len(TAGS)` up, position in `other_tags`."""
    flags = column_of_flags(2)
    """uint16: the `TagSet`s the tag belongs to."""
    parent = column_of_numbers(3)
    """int32: row of the parent, or of the last ancestor above `Limits.depth`; -1 for the root."""
    subtree_end = column_of_numbers(4)
    """int32: one past the last row of the subtree."""
    depth = column_of_numbers(5)
    """int32: number of ancestors."""
    text_length = column_of_numbers(7)
    """int32: characters of a text row without the white space around it; 0 for elements and blank text."""
    hidden = column_of_booleans(8)
    """bool: the row or an ancestor is hidden by tag, `hidden`, `aria-hidden` or inline style."""
    attribute_start = column_of_numbers(9)
    """int32, n + 1 entries: attributes of row r are `attribute_start[r] : attribute_start[r + 1]`."""
    attribute_name = column_of_bytes(10)
    """uint8, one entry per attribute: position in `ATTRIBUTES`."""
    embedded_row = column_of_numbers(16)
    """int32, one entry per text of `embedded`: the row of its element."""

    def __len__(self) -> int:
        return self.native.length(1)

    def __repr__(self) -> str:
        return f"<Page {self.label} ({len(self)} nodes, {len(self.text)} characters)>"

    def __reduce__(self) -> tuple[Any, ...]:
        """To copy or pickle a page, its columns are sent, and the compiled part is given them again."""
        return _made_again, (self._about, self.columns, self.removed)

    @property
    def _about(self) -> _About:
        about = self.url, self.name, self.encoding, self.encoding_reason, self.damage
        return *about, self.problem, self.is_plain_text

    @property
    def columns(self) -> list[NDArray[Any]]:
        """All columns as the compiled part has them; offsets of texts count bytes there."""
        return self.native.columns(_COLUMNS)

    def with_columns(self, columns: Sequence[NDArray[Any]], removed: tuple[RemovedElement, ...]) -> Page:
        """The same page with other columns, as from `columns`."""
        return _made_again(self._about, columns, removed)

    @property
    def label(self) -> str:
        """What to call this page in a message."""
        return self.name or self.url or "<page>"

    @property
    def may_store_text(self) -> bool:
        """Whether a JSON-LD script may hold the text of an article or a product that the page does not show."""
        return bool(lib.dehusk_page_stores_text(self.native.pointer))

    @cached_property
    def attribute_value(self) -> AttributeValues:
        """The values of attributes."""
        return AttributeValues(self._strings(12), self.native.column(11))

    @cached_property
    def other_tag_names(self) -> Strings:
        """Names of tags outside the table."""
        return self._strings(14)

    @cached_property
    def embedded_text(self) -> Strings:
        """The texts of `embedded`."""
        return self._strings(17)

    def _strings(self, number: int) -> Strings:
        return Strings(self.native.column(number), self.native.column(number + 1))

    @cached_property
    def text_start(self) -> NDArray[np.int64]:
        """int64: the text of the whole subtree is `text[text_start:text_end]`."""
        return self._text_offsets[0]

    @cached_property
    def text_end(self) -> NDArray[np.int64]:
        """int64: see `text_start`."""
        return self._text_offsets[1]

    @cached_property
    def _text_offsets(self) -> list[NDArray[np.int64]]:
        return ask(Question.OFFSETS, (), self.native, subject=self.label).columns(2)

    @cached_property
    def text(self) -> str:
        """All character data in document order; rows point into it. A `<br>` contains a vertical tab."""
        return self.text_utf8.tobytes().decode()

    @cached_property
    def other_tags(self) -> tuple[str, ...]:
        """Names of tags outside the table."""
        return tuple(self.other_tag_names[index] for index in range(len(self.other_tag_names)))

    @cached_property
    def embedded(self) -> tuple[tuple[int, str], ...]:
        """(row, text) of `<style>` elements, and of `<script>` elements that hold JSON-LD or a formula: not text."""
        rows = self.embedded_row.tolist()
        return tuple((row, self.embedded_text[index]) for index, row in enumerate(rows))

    @cached_property
    def style(self) -> NDArray[np.uint64]:
        """uint64: stable key of tag and display attributes; text rows share one key. See `native/src/keys`."""
        return self._keys(_STYLE_KEYS)

    @cached_property
    def class_keys(self) -> NDArray[np.uint64]:
        """uint64: stable key of tag and class names alone, which are normalised: `post-1` and `post-2` are the same."""
        return self._keys(_CLASS_KEYS)

    @property
    def class_names(self) -> list[str]:
        """The class names of every row as in its key: normalised, sorted, with full stops between them."""
        return derived(self, _CLASS_NAMES).texts(0)

    def _keys(self, what: int) -> NDArray[np.uint64]:
        return derived(self, what).column(0).view(np.uint64)

    @cached_property
    def is_text(self) -> RowMask:
        """bool: text rows."""
        mask: RowMask = self.tag == TAG_CODES[TEXT]
        mask.setflags(write=False)
        return mask

    def tagged(self, tags: TagSet) -> RowMask:
        """bool: elements whose tag is in any of the sets."""
        return np.asarray(self.flags & np.uint16(tags.value)).astype(bool)

    @cached_property
    def tag_names(self) -> tuple[str, ...]:
        """The tag name of every row, `#text` for text."""
        names = (*TAGS, *self.other_tags)
        return tuple(map(names.__getitem__, self.tag.tolist()))

    def tag_name(self, row: int) -> str:
        """The tag name of one row."""
        code = int(self.tag[row])
        return TAGS[code] if code < len(TAGS) else self.other_tags[code - len(TAGS)]

    def attributes(self, row: int) -> dict[str, str]:
        """The kept attributes of one element."""
        span = range(self.attribute_start[row], self.attribute_start[row + 1])
        return {ATTRIBUTES[self.attribute_name[index]]: self.attribute_value[index] for index in span}

    @cached_property
    def attribute_row(self) -> Rows:
        """int32, one entry per attribute: the element that has it."""
        rows: Rows = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.attribute_start))
        rows.setflags(write=False)
        return rows

    def with_attribute(self, name: str) -> Iterator[tuple[int, str]]:
        """(row, value) of every element that has the attribute, in document order."""
        indexes = np.flatnonzero(self.attribute_name == ATTRIBUTE_CODES[name])
        values = self.attribute_value.several(indexes)
        return zip(self.attribute_row[indexes].tolist(), values, strict=True)

    def has_attribute(self, *names: str) -> RowMask:
        """bool: elements that have any of the attributes."""
        mask = np.zeros(len(self), dtype=bool)
        mask[self.attribute_row[np.isin(self.attribute_name, [ATTRIBUTE_CODES[name] for name in names])]] = True
        return mask

    def covered(self, mask: RowMask) -> NDArray[np.int32]:
        """int32: by how many of the masked rows each row is enclosed, itself included."""
        return enclosing(mask, self.subtree_end)

    def climb(self, rows: Rows, mask: RowMask) -> Rows:
        """int32, shape of `rows`: the closest masked row at or above each; -1 where there is none (and for -1).

        For few rows, or a mask that is never far above: else `closest` is several times as fast.
        """
        found = rows.astype(np.int32)
        climbing = np.flatnonzero((found >= 0) & ~mask[found])
        while len(climbing):
            above = self.parent[found[climbing]]
            found[climbing] = above
            climbing = climbing[(above >= 0) & ~mask[above]]
        return found

    def closest(self, mask: RowMask) -> Rows:
        """int32, n + 1 entries: the closest masked row at or above each row, -1 where there is none; the last is -1.

        So rows that are -1, for none, stay -1 when they are looked up.
        """
        above = np.append(np.where(mask, np.arange(len(self)), self.parent), -1)
        # Each round doubles the steps that are taken at once.
        for _ in range(int(self.depth.max(initial=0)).bit_length()):
            above = above.take(above)
        return above.astype(np.int32)

    def texts(self, rows: NDArray[np.intp] | Rows) -> list[str]:
        """The text in each of some rows, as it was written."""
        spans = zip(self.text_start[rows].tolist(), self.text_end[rows].tolist(), strict=True)
        return [self.text[start:end] for start, end in spans]

    def levels(self, mask: RowMask) -> list[Rows]:
        """The masked rows by depth, from the top; in document order at each."""
        levels = [level[mask[level]] for level in self._levels]
        return [level for level in levels if len(level)]

    @cached_property
    def _levels(self) -> list[Rows]:
        order = np.argsort(self.depth, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(self.depth))
        return [order[start:end] for start, end in pairwise([0, *ends.tolist()])]

    def subtree_sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """float64: the sum of a column over the subtree of every row."""
        sums = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
        return np.asarray(sums[self.subtree_end] - sums[:-1])


_COLUMNS: Final = 19
"""Columns of a page in the compiled part."""
_STYLE_KEYS, _CLASS_KEYS, _CLASS_NAMES = range(3, 6)
"""What is derived from a page. The numbers are those of `native/src/derived_exchange.rs`."""


def derived(page: Page, what: int) -> Outcome:
    """Something that the compiled part finds out about a page; `native/src/derived_exchange.rs` has the numbers."""
    return call_about(page.native, lib.dehusk_page_derive, page.label, page.native.pointer, what)


_About: TypeAlias = tuple[str, str, str, str, float, str, bool]
"""URL, name, encoding, the reason for it, damage and problem of a page, and whether it is plain text."""


def _made_again(about: _About, columns: Sequence[NDArray[Any]], removed: tuple[RemovedElement, ...]) -> Page:
    """A page from its columns."""
    url, name, encoding, encoding_reason, damage, problem, is_plain_text = about
    native = call(lib.dehusk_page_new, columns, name or url or "<page>")
    return Page(url, name, encoding, encoding_reason, damage, native, removed, problem, is_plain_text)
