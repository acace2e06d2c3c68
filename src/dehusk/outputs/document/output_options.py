"""Options of all document formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.arguments import checked


@checked
@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What is shown besides the words. No option changes which blocks are kept.

    Arguments:
        links: link targets. The text of links is always shown.
        images: images of the content, with their alternative text.
        tables: data tables as tables; otherwise each cell is a paragraph.
        comments: set kept readers' comments apart from the text.
        formatting: bold, italic, code, subscripts and so on.
        footnotes: collect footnotes at the end, with references in the text; otherwise leave them in place.
        title: the heading that is the title of the page.
        repeat_spans: table cells that span several rows or columns are repeated in each; otherwise they are in the
            first.
        raw_characters: in text and Markdown, leave spaces of all kinds, soft hyphens and characters without width
            as they are.

    >>> dehusk.clean("<p>" + "Steep <b>it</b>. " * 9).render("markdown", dehusk.OutputOptions(formatting=False))[:9]
    'Steep it.'
    """

    links: bool = False
    images: bool = False
    tables: bool = True
    comments: bool = True
    formatting: bool = True
    footnotes: bool = True
    title: bool = True
    repeat_spans: bool = False
    raw_characters: bool = False


WITH_LINKS_AND_IMAGES: Final = OutputOptions(links=True, images=True)
