"""Markdown -> the pieces it may be cut into: lines of code, rows of tables, words of paragraphs.

Between two pieces there is only white space. A line of code, a row of a table and a formula are one piece each,
whatever their length. How good a place between two pieces is for a cut is the `Cut` of the second one.

Reads Markdown as `outputs.markdown` writes it, line by line in one pass; any other text gives pieces, too, but may be
cut within what only a parser of all of CommonMark would recognise.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from enum import IntEnum, auto
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from dehusk.page.characters import UNSPACED, word_counts


class Cut(IntEnum):
    """Places to cut before a piece, the best first."""

    BLOCK = 0
    """Between blocks: after an empty line."""
    LINE = 1
    """Between items of a list, rows of a table, lines of code."""
    SENTENCE = 2
    WORD = 3
    MARKUP = 4
    """Within a link, between a fence and the code, between the head of a table and its first row."""
    HEADING = 5
    """Between a heading and its text, or within a heading."""
    NEVER = 6
    """Within a formula of several lines; no piece has it."""


class Piece(NamedTuple):
    """What is never cut: `text[start:end]`."""

    start: int
    end: int
    cut: Cut
    level: int = 0
    """That of the heading it is part of; 0 for other pieces."""
    words: int = 0


class Link(NamedTuple):
    """A link in Markdown: where its target begins and ends, and what it is."""

    start: int
    end: int
    target: str


_LONGEST_FORMULA: Final = 10_000
"""Characters between two dollars that can be a formula; more are text about money. The longest known has 3,000."""
_HEADING: Final = re.compile(r"(#{1,6}) ")
_PREFIX: Final = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>|\[\^[^\]\s]*\]:|\[[ xX]\])[ \t]+)*>?[ \t]*")
"""What stands before the text of a line: indentation, marks of quotes, items, tasks and notes."""
_LINE_WITH_LINK: Final = re.compile(r"^[^\n]*?\]\([^\n]*", re.MULTILINE)
_BEGINNINGS: Final = frozenset(" \t#|`$>-*+[0123456789")
"""How lines begin that may be anything but text."""
_DISPLAY: Final = "$$"
"""Before and after a formula on lines of its own."""
_FENCE: Final = re.compile(r"`{3,}(?=[^`]*$)")
_ROW: Final = re.compile(r"[ \t>]*\|")
_RULE: Final = re.compile(r"[ \t>]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$")
_TARGET: Final = re.compile(r"\]\((<[^<>\s]*>|(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*)\)")
_SENTENCE_END: Final = re.compile(r"[.!?…:;。！？][\"'”’»)\]*_]*$")
_LAST_SIGNS: Final = frozenset(".!?…:;。！？\"'”’»)]*_")
"""With which sentences end, the signs after the full stop among them."""
_LONGEST_END: Final = 8
"""Characters that are looked at to see whether a sentence ends."""
_MARKUP: Final = re.compile(r"\\([!-/:-@\[-`{-~])|`+|\*{1,3}|</?(?:del|sub|sup)>|!?\[|\]\([^)\s]*\)|\]")


class _Kind(IntEnum):
    """What a line is."""

    TEXT = auto()
    HEADING = auto()
    ROW = auto()
    RULE = auto()
    """Between the head of a table and its first row."""
    FENCE = auto()
    CODE = auto()
    CODE_END = auto()
    FORMULA = auto()
    """A line of a formula after the first."""


class _Line(NamedTuple):
    """A line that is not blank, without blanks at its end."""

    start: int
    end: int
    kind: _Kind
    cut: Cut


_OWN_CUT: Final = {_Kind.RULE: Cut.MARKUP, _Kind.CODE_END: Cut.MARKUP, _Kind.FORMULA: Cut.NEVER}
"""Of lines that belong to the one before; that of others depends on what they follow."""
_NEXT_CUT: Final = {_Kind.RULE: Cut.MARKUP, _Kind.FENCE: Cut.MARKUP, _Kind.HEADING: Cut.HEADING}
"""Of a line right after these; otherwise it is a new line."""
_CODE: Final = frozenset({_Kind.FENCE, _Kind.CODE})
_SPLIT: Final = frozenset({_Kind.TEXT, _Kind.HEADING})
"""Lines that may be cut between words."""


def pieces_of(markdown: str, longest: int = 0) -> list[Piece]:
    """The pieces of a text in order. They cover everything but white space.

    Lines of no more than `longest` words are one piece each: whoever has no need to cut them saves most of the time.
    """
    lines = list(_lines(markdown))
    words = word_counts([markdown[line.start : line.end] for line in lines])
    pieces: list[Piece] = []
    for line, number in zip(lines, words, strict=True):
        if line.cut == Cut.NEVER:
            pieces[-1] = pieces[-1]._replace(end=line.end, words=pieces[-1].words + number)
        elif line.kind in _SPLIT and number > longest:
            pieces += _in_line(markdown[line.start : line.end], line)
        else:
            pieces.append(Piece(line.start, line.end, line.cut, _level(markdown, line), number))
    return pieces


def _level(markdown: str, line: _Line) -> int:
    """The level of a heading; 0 for other lines."""
    return markdown.index(" ", line.start) - line.start if line.kind == _Kind.HEADING else 0


def _in_line(text: str, line: _Line) -> Iterator[Piece]:
    """The words of a line, roughly: what stands between two places where it may be cut."""
    heading = _HEADING.match(text) if line.kind == _Kind.HEADING else None
    level = len(heading[1]) if heading else 0
    places = [(0, line.cut), *_places(text, heading.end() if heading else _end_of_prefix(text)), (len(text), line.cut)]
    words = [text[first:end].rstrip() for (first, _), (end, _) in pairwise(places)]
    for (first, cut), word, number in zip(places, words, word_counts(words), strict=False):
        if word:
            inside = heading is not None and first > 0
            start = line.start + first
            yield Piece(start, start + len(word), Cut.HEADING if inside else cut, level, number)


def links_of(markdown: str) -> Iterator[Link]:
    """The links outside of code, in order; images are none."""
    for start, end in _lines_with_links(markdown):
        found = _links_in(markdown[start:end])
        yield from (Link(start + link.start, start + link.end, link.target) for link in found)


def _lines_with_links(markdown: str) -> Iterator[tuple[int, int]]:
    """Start and end of lines outside of code that may have links."""
    if "```" not in markdown:
        yield from (line.span() for line in _LINE_WITH_LINK.finditer(markdown))
        return
    for line in _lines(markdown):
        if line.kind not in _CODE and "](" in markdown[line.start : line.end]:
            yield line.start, line.end


def plain_heading(markdown: str) -> str:
    """The text of a heading without its marks."""
    return html.unescape(_MARKUP.sub(lambda found: found[1] or "", markdown.lstrip("#"))).strip()


def _lines(markdown: str) -> Iterator[_Line]:
    """The lines that are not blank."""
    closing, cut, start, opened = "", Cut.BLOCK, 0, 0
    for line in markdown.split("\n"):
        text = line.rstrip()
        if text:
            is_plain = not closing and text[0] not in _BEGINNINGS
            kind = _Kind.TEXT if is_plain else _kind_within(text, closing) if closing else _kind_of(text)
            own = _OWN_CUT.get(kind, cut)
            # What is indented after an empty line belongs to an item or a note.
            belongs = own == Cut.BLOCK and text[0].isspace()
            yield _Line(start, start + len(text), kind, Cut.LINE if belongs else own)
            cut = _NEXT_CUT.get(kind, Cut.LINE)
            if not is_plain:
                opened = opened if closing else start
                closing = _closing_after(text, kind, closing)
        elif not closing or closing == _DISPLAY:
            # A heading belongs to what follows, empty lines or not.
            closing, cut = "", cut if cut == Cut.HEADING else Cut.BLOCK
        if closing == _DISPLAY and start - opened > _LONGEST_FORMULA:
            closing = ""
        start += len(line) + 1


def _kind_within(text: str, closing: str) -> _Kind:
    """The kind of a line in code or in a formula."""
    if closing == _DISPLAY:
        return _Kind.FORMULA
    return _Kind.CODE_END if text.strip(" \t>") == closing else _Kind.CODE


def _kind_of(text: str) -> _Kind:
    if _HEADING.match(text):
        return _Kind.HEADING
    if _ROW.match(text):
        return _Kind.RULE if _RULE.match(text) else _Kind.ROW
    return _Kind.FENCE if _FENCE.match(text, _end_of_prefix(text)) else _Kind.TEXT


def _closing_after(text: str, kind: _Kind, closing: str) -> str:
    """What ends the code or the formula that the next line is in; empty if it is in none."""
    if kind == _Kind.FORMULA:
        return "" if text.endswith(_DISPLAY) else closing
    if kind == _Kind.FENCE and (fence := _FENCE.match(text, _end_of_prefix(text))):
        return fence[0]
    if kind == _Kind.TEXT:
        return _DISPLAY if text[_end_of_prefix(text) :] == _DISPLAY else ""
    return closing if kind == _Kind.CODE else ""


@cache
def _signs() -> re.Pattern[str]:
    """What decides where the text of a line may be cut."""
    # Compiled on first use: ranges this wide take five milliseconds.
    return re.compile(rf"\\.|`+|\$\$?|!?\[|\]|(?P<blank>\s+)|(?P<letter>[{UNSPACED}])")


def _end_of_prefix(line: str) -> int:
    found = _PREFIX.match(line)
    return found.end() if found else 0


def _places(line: str, begin: int) -> Iterator[tuple[int, Cut]]:
    """Where a line may be cut after its prefix, and how well."""
    ticks = Counter(map(len, re.findall("`+", line))) if "`" in line else Counter[int]()
    code = depth = 0
    free_from = begin
    """Where the last formula ends."""
    for sign in _signs().finditer(line, begin):
        place, text = sign.start(), sign[0]
        if text[0] == "`":
            ticks[len(text)] -= 1
            code = _code_after(code, len(text), ticks)
        elif code or place < free_from:
            if sign.lastgroup == "blank" and place >= free_from:
                yield sign.end(), Cut.MARKUP
        elif sign.lastgroup is not None:  # a blank or a letter: most signs
            if place > begin:
                yield _place_at(line, sign, depth)
        elif text[0] == "$":
            free_from = _end_of_formula(line, place, text)
        elif text in {"[", "!["}:  # and not an escaped one
            depth += 1
        elif text == "]":
            depth = max(depth - 1, 0)


def _code_after(code: int, length: int, left: Counter[int]) -> int:
    """The ticks that end the code span, after a run of ticks; 0 outside of code."""
    if code:
        return 0 if length == code else code
    return length if left[length] > 0 else 0


def _place_at(line: str, sign: re.Match[str], depth: int) -> tuple[int, Cut]:
    """A place after blanks, or before a letter of a script without blanks."""
    place = sign.start()
    cut = Cut.WORD
    # Most words end with a letter: no need to look closer.
    if line[place - 1] in _LAST_SIGNS and _SENTENCE_END.search(line[max(0, place - _LONGEST_END) : place]):
        cut = Cut.SENTENCE
    return (sign.end() if sign.lastgroup == "blank" else place), Cut.MARKUP if depth else cut


def _end_of_formula(line: str, place: int, dollars: str) -> int:
    """The end of the formula that dollars begin; their own end if they begin none.

    As in other tools, text stands right behind the first dollar and right before the last, and no digit follows.
    """
    begin = place + len(dollars)
    most = min(len(line), begin + _LONGEST_FORMULA)
    end = line.find(dollars, begin, most)
    while end > 0 and line[end - 1] == "\\":
        end = line.find(dollars, end + 1, most)
    if end < 0 or (len(dollars) == 1 and _is_money(line, begin, end)):
        return begin
    return end + len(dollars)


def _is_money(line: str, begin: int, end: int) -> bool:
    """Whether what is between two dollars is no formula."""
    return end == begin or line[begin].isspace() or line[end - 1].isspace() or line[end + 1 : end + 2].isdigit()


def _links_in(line: str) -> Iterator[Link]:
    if not any(sign in line for sign in ("`", "\\", "![")) and line.count("[") == line.count("]("):
        # Nothing else has brackets: most lines.
        for target in _TARGET.finditer(line):
            yield Link(target.start(), target.end(), target[1].strip("<>"))
        return
    yield from _links_among_signs(line)


def _links_among_signs(line: str) -> Iterator[Link]:
    ticks = Counter(map(len, re.findall("`+", line))) if "`" in line else Counter[int]()
    code = 0
    opened: list[bool] = []
    """For each bracket that is open: whether it began an image."""
    for sign in _signs().finditer(line):
        text = sign[0]
        if text[0] == "`":
            ticks[len(text)] -= 1
            code = _code_after(code, len(text), ticks)
        elif code:
            continue
        elif text[-1] == "[" and text[0] != "\\":
            opened.append(text[0] == "!")
        elif text == "]" and opened:
            target = _TARGET.match(line, sign.start())
            if not opened.pop() and target:
                yield Link(sign.start(), target.end(), re.sub(r"\\(.)", r"\1", target[1].strip("<>")))
