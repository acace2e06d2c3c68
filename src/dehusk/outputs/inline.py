"""The inline content of one block: text, and the inline elements that start and end within it.

Shared by the outputs that show more than plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from dehusk.blocks.columns import Blocks
from dehusk.page.reading import LINE_SEPARATOR
from dehusk.page.tags import TagSet

_WHITE = re.compile(r"[ \t\n\f\r]+")


class Event(Enum):
    """What happens at this point of a block."""

    OPEN = auto()
    CLOSE = auto()
    TEXT = auto()
    BREAK = auto()
    IMAGE = auto()


class Inline(NamedTuple):
    """One event; `row` is the element's, `text` is folded text with a blank where white space was."""

    event: Event
    row: int
    text: str = ""


def inline_events(blocks: Blocks, index: int) -> Iterator[Inline]:
    """The events of one block in document order; every OPEN has its CLOSE."""
    page = blocks.page
    first, last = int(blocks.first_row[index]), int(blocks.last_row[index])
    hidden = bool(blocks.hidden[index])
    open_rows = _opened_before(blocks, index)
    yield from (Inline(Event.OPEN, row) for row in open_rows)
    for row in range(first, last + 1):
        while open_rows and page.subtree_end[open_rows[-1]] <= row:
            yield Inline(Event.CLOSE, open_rows.pop())
        if page.is_text[row]:
            yield from _text_events(blocks, row, hidden)
        elif page.tag_name(row) == "img":
            yield Inline(Event.IMAGE, row)
        elif page.subtree_end[row] > row + 1 and not page.flags[row] & TagSet.LINE_BREAK.value:
            open_rows.append(row)
            yield Inline(Event.OPEN, row)
    yield from (Inline(Event.CLOSE, row) for row in reversed(open_rows))


def _opened_before(blocks: Blocks, index: int) -> list[int]:
    """The inline elements between the owner and the first text, outermost first."""
    rows = []
    row = int(blocks.page.parent[blocks.first_row[index]])
    while row != blocks.owner[index]:
        rows.append(row)
        row = int(blocks.page.parent[row])
    return rows[::-1]


def _text_events(blocks: Blocks, row: int, hidden: bool) -> Iterator[Inline]:
    page = blocks.page
    if page.hidden[row] != hidden:
        yield Inline(Event.TEXT, row, " ")
        return
    lines = page.text[page.text_start[row] : page.text_end[row]].split(LINE_SEPARATOR)
    for number, line in enumerate(lines):
        if number:
            yield Inline(Event.BREAK, row)
        if line:
            yield Inline(Event.TEXT, row, _WHITE.sub(" ", line))
