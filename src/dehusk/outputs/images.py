"""Which images belong to the kept content.

An image inside the text of a kept block does. One that stands alone does if the blocks around it are kept: the one
before and the one after (a page's edge counts as dropped, so that logos and trackers stay out).
"""

from __future__ import annotations

import numpy as np

from dehusk.labels import LabelledBlocks
from dehusk.page.tags import TAG_CODES


def kept_images(labelled: LabelledBlocks) -> dict[int, list[int]]:
    """Block index -> rows of the images that stand alone directly before it, and belong to the content."""
    blocks, keep = labelled.blocks, labelled.keep
    visible = np.flatnonzero(~blocks.hidden)
    images = np.flatnonzero((blocks.page.tag == TAG_CODES["img"]) & ~blocks.page.hidden)
    after = np.searchsorted(blocks.first_row[visible], images)
    found: dict[int, list[int]] = {}
    for image, position in zip(images.tolist(), after.tolist(), strict=True):
        if not 0 < position < len(visible):
            continue
        before, behind = int(visible[position - 1]), int(visible[position])
        inside = image < blocks.last_row[before]
        if not inside and keep[before] and keep[behind]:
            found.setdefault(behind, []).append(image)
    return found
