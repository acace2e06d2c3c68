"""HTML: semantic elements only, with no scripts, no embedded content except images, and no styles.

Written by the compiled part, `native/src/document/html.rs`.
"""

from __future__ import annotations

from dehusk.outputs.document.document_calls import Form, Labelled, markup_of
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions


def render_html(labelled: Labelled, options: OutputOptions | None = None) -> str:
    """A whole document; the body is empty if nothing is kept."""
    return markup_of(Form.HTML, labelled, options or WITH_LINKS_AND_IMAGES)
