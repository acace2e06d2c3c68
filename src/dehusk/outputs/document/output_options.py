"""Options of all document formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What is shown besides the words. No option changes which blocks are kept.

    Arguments:
        links: link targets. The text of links is always shown.
        images: images of the content, with their alternative text.
        tables: data tables as tables; otherwise each cell is a paragraph.
        comments: kept readers' comments, set apart from the text.
        formatting: bold, italic, code, subscripts and so on.
        footnotes: footnotes at the end; otherwise in place.
        title: the heading that is the title of the page.
        repeat_spans: table cells that span several positions, in each of them; otherwise in the first.
        raw_characters: in text and Markdown, odd spaces and invisible characters as they are.

    >>> dehusk.clean("<p>" + "Steep <b>it</b>. " * 9).render("markdown", dehusk.OutputOptions(formatting=False))[:9]
    'Steep it.'
    """

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
    title: bool = True
    """The heading that is the title of the page."""
    repeat_spans: bool = False
    """Table cells that span several rows or columns are repeated in each; otherwise they are in the first."""
    raw_characters: bool = False
    """In text and Markdown, leave spaces of all kinds, soft hyphens and characters without width as they are."""


WITH_LINKS_AND_IMAGES: Final = OutputOptions(links=True, images=True)
