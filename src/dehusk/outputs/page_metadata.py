"""Metadata of a labelled page, for formats that include it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks

if TYPE_CHECKING:
    from dehusk.metadata.values import Metadata


def metadata_of(labelled: LabelledBlocks | CleanedAtOnce) -> Metadata:
    """Find the metadata of a page. Imported on first use, as most cleaning does not need it."""
    from dehusk.metadata.metadata_finding import find_metadata

    return find_metadata(labelled.page, labelled.page_type)


def facts_of(labelled: LabelledBlocks | CleanedAtOnce) -> list[str]:
    """What XML and TEI say of a page besides its content: the texts of `native/src/document/page_facts.rs`."""
    page, confidence = labelled.page, labelled.verdict.confidence
    facts = [page.url, page.name, labelled.model.method, "" if confidence is None else f"{confidence:.4f}"]
    known = metadata_of(labelled)
    for field, value in known.to_dict().items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                facts += field, text, known.sources[field]
    return facts
