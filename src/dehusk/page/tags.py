"""Tags and attributes: their numbers, and the sets that tags belong to.

The tables are those of the compiled part, `native/src/html`, which reads pages by them: Python asks for them when it
imports this module, and has none of its own. Known tags have a fixed code (their position in `TAGS`), so that whole
pages can be asked about at once with a table look-up: `page.tagged(TagSet.BLOCK)`. Tags outside the table get codes
from `len(TAGS)` up, per page, and behave as inline elements, which is what browsers make of them.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import Final

from dehusk.native.calculations import Question, ask

_tables: Final = ask(Question.TABLES, subject="the tables of tags and attributes")

TEXT: Final = "#text"
TAGS: Final = tuple(_tables.texts(0))
TAG_CODES: Final = {name: code for code, name in enumerate(TAGS)}


class TagSet(Flag):
    """Sets of tags; `Page.flags` has all that a tag belongs to, so one look-up serves every question.

    The order is that of the bits in `native/src/html/tag_sets.rs`.
    """

    BLOCK = auto()
    """Elements that start a new block and end it. Form controls are inline boxes to a browser, but each holds a
    text of its own: `<option>Red<option>Blue` is two texts."""

    LINK = auto()
    LINE_BREAK = auto()
    HEADING = auto()
    LIST = auto()
    TABLE = auto()
    TABLE_ROW = auto()
    CELL = auto()

    PREFORMATTED = auto()
    """Elements whose white space is shown as written."""

    RAW_TEXT = auto()
    """Elements whose text is neither markup nor content: it is taken out of the Page."""

    HIDDEN = auto()
    """Elements whose text a browser with script does not show as running text: alternatives (`noscript`, `object`,
    `rp`), inert parts (`template`, `datalist`) and drawings (`svg`: titles and labels of icons)."""


_flags: Final = dict(zip(TAGS, _tables.entries(1), strict=True))
MEMBERS: Final = {
    tag_set: frozenset(name for name, flags in _flags.items() if flags & tag_set.value) for tag_set in TagSet
}
"""The tags of each set."""

ATTRIBUTES: Final = tuple(_tables.texts(2))
"""The attributes a Page keeps; event handlers and everything else are left behind by the reader. `*src` and `*srcset`
stand for all others that end so."""
ATTRIBUTE_CODES: Final = {name: code for code, name in enumerate(ATTRIBUTES)}
