"""XML: content and metadata of a page, in dehusk's own small vocabulary.

`docs/outputs.md` describes it, `document.rng` beside this module is its schema (RELAX NG). Written by the compiled
part, `native/src/document/xml.rs`.
"""

from __future__ import annotations

from dehusk.outputs.document.document_calls import Form, Labelled, markup_of
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions
from dehusk.outputs.page_metadata import facts_of


def render_xml(labelled: Labelled, options: OutputOptions | None = None) -> str:
    """A complete XML document, declared as UTF-8; valid against the schema whatever the page contains."""
    return markup_of(Form.XML, labelled, options or WITH_LINKS_AND_IMAGES, facts_of(labelled))
