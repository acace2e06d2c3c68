"""Markdown (CommonMark with tables): headings, nested lists, tables, fenced code, quotes, emphasis, links, images.

What CommonMark lacks follows common extensions: footnotes as `[^1]`, formulas between dollars, definition lists as
nested lists, subscripts and the like as HTML elements. Written by the compiled part, `native/src/document/markdown.rs`.
"""

from __future__ import annotations

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_calls import markdown_text
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions


def render_markdown(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty."""
    return markdown_text(labelled, options or WITH_LINKS_AND_IMAGES)
