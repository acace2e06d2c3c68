"""Plain text: one paragraph per block, list items and table rows on separate lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from dehusk.arguments import checked
from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_calls import Writing, text_writing
from dehusk.outputs.document.output_options import OutputOptions


@checked
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


def render_text(labelled: LabelledBlocks | CleanedAtOnce, options: OutputOptions | None = None) -> str:
    """The kept blocks as text; ends with a newline unless it is empty."""
    return (usual_writing() if options is None else _writing(options)).text(labelled)


@cache
def usual_writing() -> Writing:
    """How text is written unless anything is set."""
    return _writing(OutputOptions())


def _writing(options: OutputOptions) -> Writing:
    # An image that was built but not shown would leave the blanks around it.
    shown = replace(options, links=False, images=False) if options.links or options.images else options
    if isinstance(options, TextOptions):
        return text_writing(shown, options.bullet, options.cell_separator)
    return text_writing(shown)
