"""str -> Page. The only file that imports the html parser.

The parser (turbohtml) fires an event for each node of the tree that the html standard prescribes. Calling back into
Python is the most expensive part of reading, so the handler only records tags, texts and running counts; rows and
ancestry are computed from these with array arithmetic. Nothing here recurses.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from turbohtml.saxparse import sax_parse

from dehusk.errors import PageTooLarge, WrongType, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.page.characters import encodable
from dehusk.page.decoding import Decoded, decode
from dehusk.page.json_ld import unshown_paragraphs
from dehusk.page.page_columns import Page, RowMask, Rows, enclosing
from dehusk.page.tags import ATTRIBUTE_CODES, FLAGS, TAG_CODES, TAGS, TagSet
from dehusk.sources.file_types import not_html
from dehusk.sources.raw_page import RawPage

LINE_SEPARATOR: Final = "\v"
"""Stands for `<br>` in `Page.text`. A vertical tab is ASCII, so ASCII texts stay ASCII, and fast."""

_HIDING_STYLE = re.compile(r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)\b")
_JSON_LD = "application/ld+json"
MATH_SCRIPT: Final = "math/tex"
"""Prefix of the `type` of a script that holds a formula."""
_JSON_START = 200
_STARTS_JSON = frozenset({"{", "[", "<", "/"})
"""What JSON-LD starts with, within so many characters, comments included; checking attributes costs more."""

# Unclosed formatting elements are reopened in every block that follows, so markup can multiply. (<a> and <nobr> close
# the one before, so they cannot pile up.)
_FORMATTING: Final = ("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u")
_FORMATTING_TAG = re.compile(rf"<(/?)({'|'.join(_FORMATTING)})(?=[\s/>])", re.IGNORECASE | re.ASCII)
_WITH_ATTRIBUTES = re.compile(rf"<(?:{'|'.join(_FORMATTING)})[\s/]", re.IGNORECASE | re.ASCII)
_ALIAS: Final = "dehusk-"
_MOST_OPENED_ANEW: Final = 512
"""Formatting elements a block may reopen: as many as the tree may be deep."""
_MOST_WITHOUT_ATTRIBUTES: Final = 3 * len(_FORMATTING)
"""The same for those without attributes: the html standard reopens at most three equal ones."""
_MOST_ELEMENTS_A_TAG: Final = 4
"""Elements per `<` from which formatting elements are read as ordinary ones. Of 27,527 pages of all ages none has more
than 1.1; implied elements (`<table><td>`) make at most three of one."""
_FREE_ELEMENTS: Final = 1_000
"""Elements that any page may have beyond that: so few cost nothing."""
_LONG_VALUE: Final = 64
"""Characters from which equal attribute values are stored once: reopened elements repeat them."""


def read_page(source: bytes | str | RawPage, url: str = "", *, limits: Limits = DEFAULT_LIMITS) -> Page:
    """Read one page: undecoded bytes, decoded text, or a RawPage with its headers.

    Bytes of another format (a PDF, an image) raise `NotHtml`. Empty bytes are a page without content.
    """
    with enough_memory(source.label if isinstance(source, RawPage) else url or "<page>"):
        return _read(source, url, limits)


def _read(source: bytes | str | RawPage, url: str, limits: Limits) -> Page:
    if isinstance(source, str):
        label, tags = url or "<page>", source.count("<")
        _check_size(len(source), tags, label, limits)
        decoded, name = Decoded(source, "", "given as text"), ""
    else:
        raw = source if isinstance(source, RawPage) else RawPage(_bytes(source))
        url, name = url or raw.url, raw.name
        label = name or url or "<page>"
        tags = int(np.count_nonzero(np.frombuffer(raw.body, dtype=np.uint8) == ord("<")))
        _check_size(len(raw.body), tags, label, limits)
        if refusal := not_html(replace(raw, name=label)):
            raise refusal
        decoded = decode(raw.body, raw.header("content-type"))
    page = _build_page(_bounded_events(decoded.text, tags, limits), decoded, url, name, limits)
    if unshown := unshown_paragraphs(page):
        events = _bounded_events(decoded.text, tags, limits)
        events.insert_article(unshown)
        page = _build_page(events, decoded, url, name, limits)
    return page


def _bytes(source: object) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    accepted = "pass bytes, str, RawPage or (to clean) Page; dehusk.open_source reads files"
    raise WrongType("a page", f"{type(source).__name__} is not a page", accepted)


def _check_size(size: int, tags: int, label: str, limits: Limits) -> None:
    if size > limits.bytes:
        raise PageTooLarge(label, f"{size:,} bytes, {limits.bytes:,} allowed", "raise Limits.bytes to read it")
    if tags > limits.tags:
        raise PageTooLarge(label, f"{tags:,} tags, {limits.tags:,} allowed", "raise Limits.tags to read it")


def _could_multiply(html: str, tags: int, limits: Limits) -> bool:
    """Whether formatting elements, reopened in every block, could multiply the page beyond `limits.nodes`.

    A megabyte of markup can become 64 million nodes. Most pages have too few tags for that and are not examined.
    """
    if tags * _MOST_OPENED_ANEW <= limits.nodes:
        return False
    with_attributes = sum(1 for _ in _WITH_ATTRIBUTES.finditer(html))
    return tags * min(with_attributes + _MOST_WITHOUT_ATTRIBUTES, _MOST_OPENED_ANEW) > limits.nodes


class _Multiplied(Exception):
    """There are many more elements than tags."""


def _bounded_events(html: str, tags: int, limits: Limits) -> _Events:
    """Parse a page so that it has at most a few times as many elements as tags, whatever it leaves unclosed.

    The cost of methods grows with the elements: 35 KB of unclosed formatting made 1.6 million. The parser builds the
    whole tree before it reports any of it, so it runs only if the tree cannot exceed `limits.nodes`.
    """
    if not _could_multiply(html, tags, limits):
        try:
            return _record_events(html, limits.attributes, _MOST_ELEMENTS_A_TAG * tags + _FREE_ELEMENTS)
        except _Multiplied:
            pass
    return _record_renamed(html, limits.attributes)


_CODES_AND_ALIASES = {**TAG_CODES, **{_ALIAS + name: TAG_CODES[name] for name in _FORMATTING}}


class _TagCodes(dict[str, int]):
    """Tag name -> code; names outside the table get the next free code as they come."""

    def __init__(self) -> None:
        super().__init__(_CODES_AND_ALIASES)

    def __missing__(self, name: str) -> int:
        self[name] = len(TAGS) + len(self) - len(_CODES_AND_ALIASES)
        return self[name]

    @property
    def other_tags(self) -> tuple[str, ...]:
        """The names outside the table, in the order of their codes."""
        return tuple(self)[len(_CODES_AND_ALIASES) :]


class _Events:
    """The parser's events, in document order, as flat sequences of numbers and strings: containers that outlive an
    event would trigger Python's cycle collector and double the cost of reading."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        # Per element: its tag, and how many texts and kept attributes came before it.
        self.tags: list[str] = []
        self.texts_before: list[int] = []
        self.attributes_before: list[int] = []
        # Per end tag: how many elements and texts there were so far.
        self.rows_at_end: list[int] = []
        self.attribute_codes: list[int] = []
        self.attribute_values: list[str] = []

    def insert_article(self, paragraphs: list[str]) -> None:
        """Insert an `<article>` of these paragraphs at the start of the body."""
        body = self.tags.index("body") if "body" in self.tags else 0
        texts, attributes = self.texts_before[body], self.attributes_before[body + 1 : body + 2]
        rows, number = body + 1 + texts, len(paragraphs)
        ends = bisect_left(self.rows_at_end, rows)
        self.texts_before[body + 1 :] = [before + number for before in self.texts_before[body + 1 :]]
        self.rows_at_end[ends:] = [before + 1 + 2 * number for before in self.rows_at_end[ends:]]
        self.texts[texts:texts] = paragraphs
        self.tags[body + 1 : body + 1] = ["article", *["p"] * number]
        self.texts_before[body + 1 : body + 1] = [texts, *range(texts, texts + number)]
        self.attributes_before[body + 1 : body + 1] = (attributes or [len(self.attribute_codes)]) * (number + 1)
        self.rows_at_end[ends:ends] = [*range(rows + 3, rows + 2 * number + 2, 2), rows + 1 + 2 * number]


def _record_renamed(html: str, most_attributes: int) -> _Events:
    """Parse with formatting elements under other names, which the parser does not reopen."""
    events = _record_events(_FORMATTING_TAG.sub(rf"<\1{_ALIAS}\2", html), most_attributes)
    # Restore text that only resembled a tag (in a text area, an attribute, a script).
    events.texts[:] = map(_without_alias, events.texts)
    events.attribute_values[:] = map(_without_alias, events.attribute_values)
    return events


def _record_events(html: str, most_attributes: int, most_elements: int = sys.maxsize) -> _Events:
    """Parse; raises `_Multiplied` if there are more elements than `most_elements`."""
    events = _Events()
    texts, tags, values = events.texts, events.tags, events.attribute_values
    attribute_code = ATTRIBUTE_CODES.get
    add_text, add_tag, add_rows_at_end = texts.append, tags.append, events.rows_at_end.append
    add_texts_before, add_attributes_before = events.texts_before.append, events.attributes_before.append
    add_code, add_value, long_value = events.attribute_codes.append, values.append, dict[str, str]().setdefault

    def start_element(tag: str, attributes: tuple[tuple[str, str | None], ...]) -> None:
        if len(tags) >= most_elements:
            raise _Multiplied
        add_tag(tag)
        add_texts_before(len(texts))
        add_attributes_before(len(values))
        if attributes and len(values) < most_attributes:
            for name, value in attributes:
                code = attribute_code(name)
                if code is not None:
                    add_code(code)
                    add_value("" if not value else value if len(value) < _LONG_VALUE else long_value(value, value))
        if tag == "br":
            add_text(LINE_SEPARATOR)

    def end_element(tag: str) -> None:
        add_rows_at_end(len(tags) + len(texts))

    handler = SimpleNamespace(
        start_element=start_element,
        end_element=end_element,
        characters=add_text,
        comment=_ignore,
        doctype=_ignore,
        processing_instruction=_ignore,
    )
    # A namespace of closures has the handler's shape without its base class, and spares look-ups at every event.
    try:
        sax_parse(html, handler)  # type: ignore[arg-type]
    except UnicodeDecodeError:
        # The parser rejects lone surrogates in tag and attribute names. Only pages given as str can have any.
        return _record_events(encodable(html), most_attributes, most_elements)
    return events


def _without_alias(text: str) -> str:
    return text.replace(f"<{_ALIAS}", "<").replace(f"</{_ALIAS}", "</")


def _ignore(*_: object) -> None:
    """Comments, doctypes and processing instructions are not content."""


def _build_page(events: _Events, decoded: Decoded, url: str, name: str, limits: Limits) -> Page:
    size = len(events.tags) + len(events.texts)
    elements: Rows = np.add(_column(events.texts_before), np.arange(len(events.tags)), dtype=np.int32)
    tag = np.zeros(size, dtype=np.int32)
    tag_codes = _TagCodes()
    tag[elements] = np.fromiter(map(tag_codes.__getitem__, events.tags), dtype=np.int32, count=len(events.tags))
    elements_before = np.zeros(size + 1, dtype=np.int32)
    is_text = tag == 0
    np.cumsum(~is_text, out=elements_before[1:])
    parent, subtree_end, depth = _ancestry(~is_text, elements_before, _column(events.rows_at_end), limits.depth)
    flags = FLAGS[np.minimum(tag, len(TAGS))]
    attributes = _Attributes(events, elements_before)
    embedded = _take_out_raw_text(events.texts, tag, flags, attributes)
    text_length = np.zeros(size, dtype=np.int32)
    text_length[is_text] = _column([len(text.strip()) for text in events.texts])
    offsets = _text_offsets(events.texts, is_text)
    text = "".join(events.texts)
    return Page(
        url=url,
        name=name,
        encoding=decoded.encoding,
        encoding_reason=decoded.reason,
        damage=decoded.damage_in(text),
        text=text,
        tag=tag,
        flags=flags,
        other_tags=tag_codes.other_tags,
        parent=parent,
        subtree_end=subtree_end,
        depth=depth,
        text_start=offsets[:-1],
        text_end=offsets[subtree_end],
        text_length=text_length,
        hidden=_hidden(flags, attributes, subtree_end),
        attribute_start=attributes.start,
        attribute_name=attributes.name,
        attribute_value=tuple(attributes.value),
        embedded=embedded,
    )


def _column(values: list[int]) -> Rows:
    return np.fromiter(values, dtype=np.int32, count=len(values))


def _text_offsets(texts: list[str], is_text: RowMask) -> NDArray[np.int64]:
    """int64, one more than rows: where the text of each row starts in the joined texts."""
    lengths = np.zeros(len(is_text) + 1, dtype=np.int64)
    lengths[1:][is_text] = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return np.cumsum(lengths)


def _ancestry(
    is_element: RowMask, elements_before: Rows, rows_at_end: Rows, depth_limit: int
) -> tuple[Rows, Rows, Rows]:
    """(parent, subtree_end, depth) of every row.

    From which rows are elements, how many of them come before each row, and the number of rows at each end tag.
    """
    size = len(is_element)
    closed_before = np.cumsum(np.bincount(rows_at_end, minlength=size + 1)[:size], dtype=np.int32)
    depth = elements_before[:-1] - closed_before
    by_depth = _stable_order(depth)

    # Of the elements at one depth, the first to open is the first to close: sorted by depth, starts and ends pair up.
    depth_of_end: Rows = np.subtract(elements_before[rows_at_end], np.arange(1, len(rows_at_end) + 1), dtype=np.int32)
    subtree_end = np.arange(1, size + 1, dtype=np.int32)
    subtree_end[by_depth[is_element[by_depth]]] = rows_at_end[_stable_order(depth_of_end)]

    # Whatever is deeper than the limit becomes a child of the last element above it, so that every line of ancestors
    # is short; subtrees stay what they are.
    if depth.max(initial=0) > depth_limit:
        np.minimum(depth, depth_limit, out=depth)
        by_depth = _stable_order(depth)
    return _parents(depth, by_depth), subtree_end, depth


def _parents(depth: Rows, by_depth: NDArray[np.intp]) -> Rows:
    """int32: the parent of each row, -1 for the root.

    A row deeper than the one before is its first child. Sorted by depth, the n-th first child and the siblings that
    follow it belong to the n-th row that has children.
    """
    first_child = np.zeros(len(depth) + 1, dtype=bool)
    first_child[1:-1] = depth[1:] > depth[:-1]
    with_children = by_depth[first_child[1:][by_depth]]
    family = np.cumsum(first_child[:-1][by_depth])
    parent = np.empty(len(depth), dtype=np.int32)
    parent[by_depth] = np.concatenate(([-1], with_children))[family]
    return parent


def _stable_order(depth: Rows) -> NDArray[np.intp]:
    # Depth fits 16 bits wherever the parser has a limit of its own, and numpy sorts those by radix, three times faster.
    small = depth.astype(np.int16) if depth.max(initial=0) < 2**15 else depth
    return np.argsort(small, kind="stable")


class _Attributes:
    """The kept attributes of all rows, in document order."""

    def __init__(self, events: _Events, elements_before: Rows) -> None:
        events.attributes_before.append(len(events.attribute_codes))
        self.start: Rows = _column(events.attributes_before)[elements_before]
        self._codes = bytes(events.attribute_codes)
        self.name: NDArray[np.uint8] = np.frombuffer(self._codes, dtype=np.uint8)
        self.value = events.attribute_values

    def get(self, row: int, name: str) -> str:
        """The value of one attribute of one row, or the empty string."""
        begin, end = self.start[row : row + 2].tolist()
        codes = self._codes[begin:end]
        code = ATTRIBUTE_CODES[name]
        return self.value[begin + codes.index(code)] if code in codes else ""

    def select(self, name: str) -> Iterator[tuple[int, str]]:
        """(row, value) of every element that has the attribute."""
        if ATTRIBUTE_CODES[name] not in self._codes:
            return iter(())
        indexes = np.flatnonzero(self.name == ATTRIBUTE_CODES[name])
        rows = np.searchsorted(self.start, indexes, side="right") - 1
        return zip(rows.tolist(), map(self.value.__getitem__, indexes.tolist()), strict=True)


_HIDING_ATTRIBUTES: Final[dict[str, Callable[[str], bool]]] = {
    "hidden": lambda value: True,
    "aria-hidden": lambda value: value.strip().lower() == "true",
    "style": lambda value: _HIDING_STYLE.search(value.lower()) is not None,
}


def _hidden(flags: NDArray[np.uint16], attributes: _Attributes, subtree_end: Rows) -> RowMask:
    own = (flags & TagSet.HIDDEN.value) != 0
    for name, hides in _HIDING_ATTRIBUTES.items():
        own[[row for row, value in attributes.select(name) if hides(value)]] = True
    return enclosing(own, subtree_end) > 0


def _take_out_raw_text(
    texts: list[str], tag: Rows, flags: NDArray[np.uint16], attributes: _Attributes
) -> tuple[tuple[int, str], ...]:
    """Empty the texts of scripts and style sheets; (element row, text) of those that later parts read.

    These are style sheets, JSON-LD and formulas. The text rows stay, empty.
    """
    # The text of such an element, if it has any, is the row after it.
    is_owner = (flags & TagSet.RAW_TEXT.value) != 0
    owners = np.flatnonzero(is_owner[:-1] & (tag[1:] == 0))
    text_rows = np.flatnonzero(tag == 0)
    formulas = {row for row, value in attributes.select("type") if value.lower().startswith(MATH_SCRIPT)}
    embedded = []
    for owner, index in zip(owners.tolist(), np.searchsorted(text_rows, owners + 1).tolist(), strict=True):
        may_be_json = texts[index][:_JSON_START].lstrip()[:1] in _STARTS_JSON
        is_json = may_be_json and attributes.get(owner, "type").strip().lower() == _JSON_LD
        if is_json or tag[owner] == TAG_CODES["style"] or owner in formulas:
            embedded.append((owner, texts[index]))
        texts[index] = ""
    return tuple(embedded)
