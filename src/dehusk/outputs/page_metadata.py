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
