"""The content of one block in pieces: text, line breaks and images, as they follow each other.

Shared by the outputs that show more than plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from dehusk.blocks.columns import Blocks
from dehusk.blocks.segmenting import trace_of
from dehusk.page.characters import WITHOUT_CONTROLS
from dehusk.page.reading import LINE_SEPARATOR
from dehusk.page.tags import TAG_CODES

_WHITE = re.compile(r"[ \t\n\f\r]+")


class Piece(Enum):
    """What there is at this point of a block."""

    TEXT = auto()
    LINE_BREAK = auto()
    IMAGE = auto()


class Inline(NamedTuple):
    """One piece; `row` is the text's or the image's, `text` has single blanks where white space was."""

    piece: Piece
    row: int
    text: str = ""


def inline_pieces(blocks: Blocks, index: int) -> Iterator[Inline]:
    """The pieces of one block in document order."""
    page = blocks.page
    hidden = bool(blocks.hidden[index])
    for row in range(int(blocks.first_row[index]), int(blocks.last_row[index]) + 1):
        if page.is_text[row]:
            yield from _text_pieces(blocks, row, hidden)
        elif page.tag[row] == TAG_CODES["img"]:
            yield Inline(Piece.IMAGE, row)


def _text_pieces(blocks: Blocks, row: int, hidden: bool) -> Iterator[Inline]:
    page = blocks.page
    text = page.text[page.text_start[row] : page.text_end[row]]
    lines = text.split(LINE_SEPARATOR) if page.hidden[row] == hidden else [trace_of(text, hidden)]
    for number, line in enumerate(lines):
        if number:
            yield Inline(Piece.LINE_BREAK, row)
        if line:
            yield Inline(Piece.TEXT, row, _WHITE.sub(" ", line.translate(WITHOUT_CONTROLS)))
