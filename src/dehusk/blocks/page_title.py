"""The title of a page, and headings that repeat it."""

from __future__ import annotations

from array import array

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.native.calculations import Question, ask


def title_of(blocks: Blocks) -> str:
    """The text of the `<title>`; empty if there is none."""
    # Markup alone makes a title: no model reads another block as one.
    found = blocks.markup_kind_bytes.find(Kind.TITLE)
    return blocks.texts[found] if found >= 0 else ""


def repeats_title(blocks: Blocks, heading: int) -> bool | None:
    """Whether a block repeats the title; None if it is too short to tell. `native/src/deciding/title_words.rs` says."""
    found = ask(Question.TITLE_REPEATED, [array("i", [heading])], blocks.native, subject=blocks.page.label).bytes(0)
    return bool(found[0]) if found else None
