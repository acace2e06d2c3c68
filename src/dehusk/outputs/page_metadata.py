"""Metadata of a labelled page, for formats that include it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dehusk.deciding.decisions import LabelledBlocks

if TYPE_CHECKING:
    from dehusk.metadata.values import Metadata


def metadata_of(labelled: LabelledBlocks) -> Metadata:
    """Find the metadata of a page. Imported on first use, as most cleaning does not need it."""
    from dehusk.metadata.metadata_finding import find_metadata

    return find_metadata(labelled.blocks.page, labelled.page_type)
