"""A field of the metadata with its source, for tests that look at both."""

from __future__ import annotations

from dehusk.metadata.values import Metadata


def told(metadata: Metadata, field: str) -> tuple[object, str | None]:
    """A value as it is written, and where it was found; nothing for both if there is none."""
    return metadata.to_dict()[field], metadata.sources.get(field)
