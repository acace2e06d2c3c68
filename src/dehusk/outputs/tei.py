"""TEI P5: content in the text, metadata in the header. Written by the compiled part, `native/src/document/tei.rs`."""

from __future__ import annotations

from dehusk.outputs.document.document_calls import Form, Labelled, markup_of
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions
from dehusk.outputs.page_metadata import facts_of


def render_tei(labelled: Labelled, options: OutputOptions | None = None) -> str:
    """A whole TEI document."""
    return markup_of(Form.TEI, labelled, options or WITH_LINKS_AND_IMAGES, facts_of(labelled))
