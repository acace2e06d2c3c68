"""Markdown (CommonMark with tables): headings, nested lists, tables, fenced code, quotes, emphasis, links, images.

What CommonMark lacks follows common extensions: footnotes as `[^1]`, formulas between dollars, definition lists as
nested lists, subscripts and the like as HTML elements. Written by the compiled part, `native/src/document/markdown.rs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.arguments import checked
from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.native.calls import made
from dehusk.outputs.document.document_calls import markdown_writing
from dehusk.outputs.document.output_options import OutputOptions


@checked
@dataclass(frozen=True, slots=True)
class MarkdownOptions(OutputOptions):
    r"""Options of Markdown.

    Arguments:
        front_matter: what is known of the page, in YAML. The others are those of `OutputOptions`, with links and
            images.

    >>> page = dehusk.clean("<title>Tea</title><p>" + "Steep it. " * 9)
    >>> page.render("markdown", dehusk.MarkdownOptions(front_matter=True)).split("\n")[1]
    'title: "Tea"'
    """

    links: bool = True
    images: bool = True
    front_matter: bool = False
    """Begin with what is known of the page, in YAML: title, author, published, language, site, address, type and
    confidence."""


_DEFAULT: Final = MarkdownOptions()


def render_markdown(labelled: LabelledBlocks | CleanedAtOnce, options: OutputOptions | None = None) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty."""
    text = markdown_writing(options or _DEFAULT).markdown(labelled)
    if not isinstance(options, MarkdownOptions) or not options.front_matter:
        return text
    from dehusk.outputs.front_matter import front_matter  # few need it

    above = front_matter(made(labelled))
    return f"{above}\n{text}" if above and text else above or text
