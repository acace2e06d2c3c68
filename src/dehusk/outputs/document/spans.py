"""Blocks -> spans: marked text, line breaks, images, formulas, footnote references.

Marks come from the ancestors of a text. Each ancestor is visited once, and only those of kept blocks are visited at
all. Most blocks are plain: one text without marks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from dehusk.blocks.block_columns import Blocks
from dehusk.outputs.document.footnotes import Notes
from dehusk.outputs.document.formulas import Formulas
from dehusk.outputs.document.images import image_address
from dehusk.outputs.document.nodes import DISPLAY, LINE_BREAK, UNMARKED, Marks, Span, SpanKind, Spans
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.page.characters import WITHOUT_CONTROLS
from dehusk.page.links import base_url, safe_url
from dehusk.page.page_reading import LINE_SEPARATOR
from dehusk.page.tags import TAG_CODES, TEXT, TagSet

_WHITE: Final = re.compile(r"[ \t\n\f\r]+")
_BLANKS: Final = re.compile(r" {2,}")
_TAGS_OF_MARKS: Final = {
    "reading": "rt rtc",
    "strong": "b strong",
    "emphasis": "i em",
    "deleted": "s strike del",
    "quoted": "q",
    "subscript": "sub",
    "superscript": "sup",
    "code": "code tt kbd samp",
}
_MARK_OF_TAG: Final = {TAG_CODES[tag]: mark for mark, tags in _TAGS_OF_MARKS.items() for tag in tags.split()}
_TELLING: Final = frozenset({"reading", "quoted"})
"""Marks that browsers show as characters: part of the text rather than formatting."""
MARKS: Final = frozenset(_TAGS_OF_MARKS)
MARKS_OF_PLAIN_TEXT: Final = _TELLING | {"superscript", "code"}
"""Marks that plain text shows: powers are written with ^, though not in code."""
_TEXT: Final = TAG_CODES[TEXT]
_IMAGE: Final = TAG_CODES["img"]
_SCRIPT: Final = TAG_CODES["script"]


class _Around(NamedTuple):
    """What the ancestors of a text mean for it."""

    marks: Marks = UNMARKED
    stand_in: int = -1
    """Row of the formula or footnote link that replaces the text inside it; -1 for none."""


_NOTHING: Final = _Around()


class _LinkRoom:
    """A budget for the characters of link targets.

    A link around blocks, lines or images is written at each of them, so one long URL could grow to any number of
    megabytes. Links may be repeated a few times on average; beyond that their text is written without the link.
    """

    def __init__(self) -> None:
        self._left = _FREE_CHARACTERS
        self._known: set[str] = set()

    def add(self, link: str) -> None:
        """Raise the budget by a link of the page. Equal ones count once, as parsers reopen misnested links."""
        if link not in self._known:
            self._known.add(link)
            self._left += _TIMES_REPEATED * len(link)

    def bounded(self, spans: Spans) -> Spans:
        """Drop links that exceed the budget. Adjacent spans share a link; images have asked `takes` before."""
        if not any(span.marks.link for span in spans):
            return spans
        written: list[Span] = []
        before, has_room = "", True
        for span in spans:
            link = span.marks.link
            if link and link != before and span.kind is not SpanKind.IMAGE:
                has_room = self.takes(link)
            written.append(span if has_room or span.kind is SpanKind.IMAGE else _unlinked(span))
            before = link
        return tuple(written)

    def takes(self, link: str) -> bool:
        """Whether a link is within the budget; if so, spends it."""
        if len(link) > self._left:
            return False
        self._left -= len(link)
        return True


_FREE_CHARACTERS: Final = 100_000
"""Budget of any page: enough for a list of a thousand linked blocks."""
_TIMES_REPEATED: Final = 8
"""A teaser inside a link has a picture, a headline, a line or two, an author and a date."""


def _unlinked(span: Span) -> Span:
    return span._replace(marks=span.marks._replace(link=""))


class SpanReader:
    """Reads the spans of the blocks of one page."""

    def __init__(
        self, blocks: Blocks, options: OutputOptions, formulas: Formulas, notes: Notes, marks: frozenset[str] = MARKS
    ) -> None:
        self._blocks, self._page, self._formulas, self._notes = blocks, blocks.page, formulas, notes
        self._options, self._marks = options, marks if options.formatting else _TELLING
        self._base = base_url(self._page)
        self._links = _LinkRoom()
        # Lists, because element access is faster than in arrays.
        self._tag = self.tags = self._page.tag.tolist()
        self._parent = self.parents = self._page.parent.tolist()
        self._first: list[int] = blocks.first_row.tolist()
        self._last: list[int] = blocks.last_row.tolist()
        shows_images = options.images or formulas.textless
        self._more_than_text = frozenset({_IMAGE, _SCRIPT, _RUBY} if shows_images else {_RUBY})
        self._around: dict[int, _Around] = {-1: _NOTHING}
        self._distinct: dict[_Around, _Around] = {_NOTHING: _NOTHING}
        self._visible = np.flatnonzero(~blocks.hidden)
        self._visible_starts: list[int] = blocks.first_row[self._visible].tolist()
        self._edges = self._formulas_at_edges() if formulas.textless else {}
        self._stand_ins = formulas.latex.keys() | notes.rows
        self._is_plain = self._plain_blocks()

    def spans(self, index: int) -> Spans:
        """The spans of a block."""
        if self._is_plain[index] and index not in self._edges:
            return _plain(self._blocks.texts[index])
        return self._links.bounded(self._read(index, self._first[index], self._last[index]))

    def image(self, row: int) -> Spans:
        """An image; nothing if it has no URL."""
        address = image_address(self._page, row, self._base)
        if not address:
            return ()
        alternative = self._page.attributes(row).get("alt", "").translate(WITHOUT_CONTROLS)
        link = self._around_of(self._parent[row]).marks.link
        marks = Marks(link=link if link and self._links.takes(link) else "")
        return (Span(" ".join(alternative.split()), marks, SpanKind.IMAGE, address),)

    def formula(self, row: int) -> Span:
        """A formula that has LaTeX."""
        latex = self._formulas.latex[row].translate(WITHOUT_CONTROLS)
        return Span(latex, kind=SpanKind.FORMULA, address=DISPLAY if row in self._formulas.displayed else "")

    @property
    def formulas_apart(self) -> frozenset[int]:
        """Rows of the formulas without text that are in no block."""
        taken = {row for rows in self._edges.values() for row in rows}
        return frozenset(row for row in self._formulas.textless if row not in taken and not self._is_inside(row))

    def _plain_blocks(self) -> list[bool]:
        """Whether each block is text without marks; for some that are, it is not known before they are read."""
        page, blocks = self._page, self._blocks
        telling = {_RUBY, _PARENTHESIS, *self._more_than_text, *([_LINK] if self._options.links else [])}
        telling.update(tag for tag, mark in _MARK_OF_TAG.items() if mark in self._marks)
        is_telling = np.zeros(len(TAG_CODES) + 1, dtype=bool)
        is_telling[list(telling)] = True
        mask = is_telling.take(page.tag, mode="clip")
        mask[list(self._stand_ins)] = True
        before = np.append(0, np.cumsum(mask))
        inside = before[blocks.last_row + 1] > before[blocks.first_row]
        plain: list[bool] = (~inside & (page.covered(mask)[blocks.first_row] == 0)).tolist()
        return plain

    def _is_inside(self, row: int) -> bool:
        """Whether a row is within the text of a visible block."""
        before = bisect_left(self._visible_starts, row) - 1
        return before >= 0 and row < self._blocks.last_row[self._visible[before]]

    def _formulas_at_edges(self) -> dict[int, list[int]]:
        """Block index -> rows of formulas without text at its start or end."""
        blocks, page = self._blocks, self._page
        visible = self._visible
        rows = [row for row in sorted(self._formulas.textless) if not self._is_inside(row)]
        owners = page.climb(page.parent[rows], page.tagged(TagSet.BLOCK)).tolist()
        positions = np.searchsorted(self._visible_starts, rows).tolist()
        edges: dict[int, list[int]] = {}
        for row, owner, position in zip(rows, owners, positions, strict=True):
            for neighbour in visible[max(position - 1, 0) : position + 1].tolist():
                if blocks.owner[neighbour] == owner:
                    edges.setdefault(neighbour, []).append(row)
                    break
        return edges

    def _around_of(self, row: int) -> _Around:
        """The marks that an element and its ancestors give to the text in it."""
        path = []
        while row not in self._around:
            path.append(row)
            row = self._parent[row]
        around = self._around[row]
        for element in reversed(path):
            if self._tag[element] in _TELLING_TAGS or element in self._stand_ins:
                further = self._further(around, element)
                # Equal values become one object, so that `_read` can compare them by identity.
                around = self._distinct.setdefault(further, further)
            self._around[element] = around
        return around

    def _further(self, around: _Around, row: int) -> _Around:
        """The marks of a text inside one more element."""
        tag = self._tag[row]
        if around.stand_in >= 0:
            return around  # its content is not shown
        if row in self._stand_ins:
            return _Around(around.marks, row)
        if tag == _LINK:
            return self._linked(around, row)
        if tag == _RUBY:
            return _Around(around.marks._replace(ruby=row), around.stand_in)
        if tag == _PARENTHESIS:
            # Not shown: formats write parentheses around a reading themselves.
            return _Around(around.marks, row)
        mark = _MARK_OF_TAG.get(tag, "")
        if mark == "reading" and not around.marks.ruby:
            return around  # outside of ruby text it has no meaning
        # Code has no marks inside it, but may be inside some.
        if mark not in self._marks or around.marks.code:
            return around
        return _Around(_with_mark(around.marks, mark), around.stand_in)

    def _linked(self, around: _Around, row: int) -> _Around:
        address = self._page.attributes(row).get("href", "").strip() if self._options.links else ""
        link = safe_url(address, self._base) if address else ""
        self._links.add(link)
        return around._replace(marks=around.marks._replace(link=link)) if link != around.marks.link else around

    def _read(self, index: int, first: int, last: int) -> Spans:
        """The spans of a block that is more than plain text."""
        edges, hidden = self._edges.get(index, ()), bool(self._blocks.hidden[index])
        spans, shown = _SpanList([self.formula(row) for row in edges if row < first]), set[int]()
        for around, begin, end in self._runs(first, last):
            if around is None:
                spans.add_others(self._textless(begin))
            elif around.stand_in < 0:
                spans.add_lines(self._text_of(begin, end, hidden), around.marks)
            elif around.stand_in not in shown:
                # An image inside it splits the run in two, but it must be added only once.
                shown.add(around.stand_in)
                spans.add_others(self._stand_in(around.stand_in))
        spans.add_others([self.formula(row) for row in edges if row > first])
        return spans.ended()

    def _runs(self, first: int, last: int) -> list[tuple[_Around | None, int, int]]:
        """(marks, first row, last row) of each run of texts with the same marks; no marks for an image or script.

        Texts of consecutive rows are adjacent in the page's text, whatever elements are between them, so a run is one
        slice of it.
        """
        runs: list[tuple[_Around | None, int, int]] = []
        for row in range(first, last + 1):
            tag = self._tag[row]
            if tag == _TEXT:
                around = self._around_of(self._parent[row])
                is_same = bool(runs) and runs[-1][0] is around
                begin = runs.pop()[1] if is_same else row
                runs.append((around, begin, row))
            elif tag in self._more_than_text and tag != _RUBY:
                runs.append((None, row, row))
        return runs

    def _textless(self, row: int) -> Spans:
        """An image, or a formula without text."""
        if row in self._formulas.textless:
            return (self.formula(row),)
        is_image = self._tag[row] == _IMAGE and not self._page.hidden[row]
        return self.image(row) if self._options.images and is_image else ()

    def _stand_in(self, row: int) -> Spans:
        if row in self._notes.labels:
            return (Span(self._notes.labels[row], kind=SpanKind.NOTE),)
        return (self.formula(row),) if row in self._formulas.latex and row not in self._formulas.textless else ()

    def _text_of(self, first: int, last: int, hidden: bool) -> str:
        """The text of some rows; rows whose visibility differs from the block's leave only their trace."""
        page = self._page
        if (page.hidden[first : last + 1] == hidden).all():
            text = page.text[page.text_start[first] : page.text_end[last]]
        else:
            rows = [row for row in range(first, last + 1) if self._tag[row] == _TEXT]
            text = "".join(
                text if page.hidden[row] == hidden else _trace_of(text, hidden)
                for row, text in zip(rows, page.texts(np.array(rows)), strict=True)
            )
        return text if text.isprintable() else _WHITE.sub(" ", text.translate(_WITHOUT_OTHER_CONTROLS))


class _SpanList:
    """Spans of one block, added from left to right; white space is folded as a browser shows it."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._spans = list(spans)

    def add_lines(self, text: str, marks: Marks = UNMARKED) -> None:
        """Add text with line breaks."""
        for number, line in enumerate(text.split(LINE_SEPARATOR)):
            if number:
                self._end_line()
                if self._spans:
                    self._spans.append(LINE_BREAK)
            self._add_text(line, marks)

    def _add_text(self, text: str, marks: Marks) -> None:
        """Add text, with blanks folded (also across spans) and none at the start of a line."""
        text = _BLANKS.sub(" ", text) if "  " in text else text
        before = self._spans[-1] if self._spans else LINE_BREAK
        if before is LINE_BREAK:
            text = text.lstrip()
        elif text.startswith(" ") and before.kind is SpanKind.TEXT and before.text.endswith(" "):
            text = text[1:]
        if text:
            self._spans.append(Span(text, marks))

    def add_others(self, others: Iterable[Span]) -> None:
        """Add images, footnote references and formulas; skips a formula repeated as MathML and as an image."""
        for span in others:
            last = self._spans[-1] if self._spans else LINE_BREAK
            if span.kind is not SpanKind.FORMULA or (last.kind, last.text) != (span.kind, span.text):
                self._spans.append(span)

    def ended(self) -> Spans:
        """The spans, without blanks and line breaks at the end."""
        self._end_line()
        if self._spans and self._spans[-1] is LINE_BREAK:
            self._spans.pop()
        return tuple(self._spans)

    def _end_line(self) -> None:
        """Strip blanks at the end of the line; drop the line break before it if it is empty."""
        spans = self._spans
        while spans and spans[-1].kind is SpanKind.TEXT:
            if text := spans[-1].text.rstrip():
                spans[-1] = spans[-1]._replace(text=text)
                return
            spans.pop()
        if spans and spans[-1] is LINE_BREAK:
            spans.pop()


_LINK: Final = TAG_CODES["a"]
_RUBY: Final = TAG_CODES["ruby"]
_PARENTHESIS: Final = TAG_CODES["rp"]
_TELLING_TAGS: Final = frozenset({*_MARK_OF_TAG, _LINK, _RUBY, _PARENTHESIS})
_WITHOUT_OTHER_CONTROLS: Final = {**WITHOUT_CONTROLS, ord(LINE_SEPARATOR): LINE_SEPARATOR}


def _plain(text: str) -> Spans:
    """Unmarked text as spans; newlines become line breaks."""
    if "\n" not in text:
        return (Span(text),)
    spans = _SpanList()
    spans.add_lines(text.replace("\n", LINE_SEPARATOR))
    return spans.ended()


def _with_mark(marks: Marks, mark: str) -> Marks:
    return Marks._make(True if name == mark else value for name, value in zip(Marks._fields, marks, strict=True))


def _trace_of(other: str, hidden: bool) -> str:
    """What text of the other visibility leaves inside a hidden or visible text, as in blocks: a space or nothing.

    In visible text, a hidden sign that sets things apart (· | /) still does; hidden words leave nothing.
    """
    return "" if not hidden and any(map(str.isalnum, other)) else " "
