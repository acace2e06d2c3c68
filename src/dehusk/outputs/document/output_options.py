"""What users may ask of every format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What is shown beyond the words. No option changes which blocks are kept."""

    links: bool = False
    """Where links lead. Their text is there in any case."""
    images: bool = False
    """Images of the content, with their alternative text."""
    tables: bool = True
    """Data tables as tables; else each cell is a paragraph."""
    comments: bool = True
    """Readers' comments, where they are kept, set apart from the text."""
    formatting: bool = True
    """Bold, italic, code, subscripts and so on."""
    footnotes: bool = True
    """Footnotes as footnotes: marked in the text, and all of them at the end; else as they stand on the page."""


WITH_LINKS_AND_IMAGES: Final = OutputOptions(links=True, images=True)
