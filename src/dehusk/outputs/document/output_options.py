"""Options of all document formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What is shown besides the words. No option changes which blocks are kept."""

    links: bool = False
    """Link targets. The text of links is always shown."""
    images: bool = False
    """Images of the content, with their alternative text."""
    tables: bool = True
    """Data tables as tables; otherwise each cell is a paragraph."""
    comments: bool = True
    """Set kept readers' comments apart from the text."""
    formatting: bool = True
    """Bold, italic, code, subscripts and so on."""
    footnotes: bool = True
    """Collect footnotes at the end, with references in the text; otherwise leave them in place."""
    raw_characters: bool = False
    """In text and Markdown, leave spaces of all kinds, soft hyphens and characters without width as they are."""


WITH_LINKS_AND_IMAGES: Final = OutputOptions(links=True, images=True)
