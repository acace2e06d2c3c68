"""Plain text: one paragraph per block, list items and table rows on separate lines."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.document.plain_text import plain_text
from dehusk.outputs.document.spans import MARKS_OF_PLAIN_TEXT


@dataclass(frozen=True, slots=True)
class TextOptions(OutputOptions):
    """Options of plain text, which shows neither links nor images."""

    bullet: str = "- "
    """Written before each list item."""
    cell_separator: str = "\t"
    """Written between the cells of a table row."""


def render_text(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """The kept blocks as text; ends with a newline unless it is empty."""
    # An image that was built but not shown would leave the blanks around it.
    shown = replace(options or OutputOptions(), links=False, images=False)
    document = build_document(labelled, shown, marks=MARKS_OF_PLAIN_TEXT)
    if isinstance(options, TextOptions):
        return plain_text(document, options.bullet, options.cell_separator)
    return plain_text(document)
