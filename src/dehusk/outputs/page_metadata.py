"""What is known of a labelled page, for formats that tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dehusk.deciding.decisions import LabelledBlocks

if TYPE_CHECKING:
    from dehusk.metadata.values import Metadata


def metadata_of(labelled: LabelledBlocks) -> Metadata:
    """Its metadata. Imported on first use: most cleaning needs none of it."""
    from dehusk.metadata.metadata_finding import find_metadata

    return find_metadata(labelled.blocks.page, labelled.page_type)
