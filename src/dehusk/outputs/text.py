"""Plain text: one paragraph a block, list items and table rows on lines of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.document.plain_text import Style, plain_text


@dataclass(frozen=True, slots=True)
class TextOptions(OutputOptions):
    """How plain text looks. It shows neither links nor images."""

    bullet: str = "- "
    """What stands before a list item."""
    cell_separator: str = "\t"
    """What stands between the cells of a table row."""


def render_text(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """The kept blocks as text; ends with a newline unless it is empty."""
    # An image that is not shown would leave the blanks around it.
    document = build_document(labelled, replace(options or OutputOptions(), links=False, images=False))
    style = Style(options.bullet, options.cell_separator) if isinstance(options, TextOptions) else Style()
    return plain_text(document, style)
