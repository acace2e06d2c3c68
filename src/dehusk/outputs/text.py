"""Plain text: one paragraph per block, list items and table rows on separate lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_calls import plain_text
from dehusk.outputs.document.output_options import OutputOptions


@dataclass(frozen=True, slots=True)
class TextOptions(OutputOptions):
    """Options of plain text, which shows neither links nor images.

    Arguments:
        bullet: written before each list item.
        cell_separator: written between the cells of a table row; the others are those of `OutputOptions`.

    >>> dehusk.TextOptions(bullet="* ").bullet
    '* '
    """

    bullet: str = "- "
    cell_separator: str = "\t"


_DEFAULT: Final = OutputOptions()


def render_text(labelled: LabelledBlocks | CleanedAtOnce, options: OutputOptions | None = None) -> str:
    """The kept blocks as text; ends with a newline unless it is empty."""
    # An image that was built but not shown would leave the blanks around it.
    shown = options or _DEFAULT
    if shown.links or shown.images:
        shown = replace(shown, links=False, images=False)
    if isinstance(options, TextOptions):
        return plain_text(labelled, shown, options.bullet, options.cell_separator)
    return plain_text(labelled, shown)
