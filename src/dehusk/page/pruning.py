"""Take elements out of a page: a page as if they had never been there, but for a note of what they were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.page_columns import Page, RemovedElement, RowMask
from dehusk.page.selectors import matching_rows
from dehusk.page.tags import TAG_CODES

_LONGEST_TEXT: Final = 300
"""Characters that a note has of an element's text."""
_MOST_NOTES: Final = 1000
"""Removed elements that are noted."""
_FRAME: Final = tuple(TAG_CODES[name] for name in ("html", "head", "body"))
"""Elements that every page has. Where a selector matches one, what is in it goes."""


def without_elements(page: Page, selectors: Sequence[str]) -> Page:
    """The page without the elements that match any of the selectors; the same page if none does."""
    taken = np.full(len(page), -1)
    for number in reversed(range(len(selectors))):
        taken[matching_rows(page, selectors[number])] = number
    matched = taken >= 0
    is_frame = np.isin(page.tag, _FRAME)
    gone = (page.covered(matched) > 0) & ~is_frame
    if not gone.any():
        return page
    top = np.flatnonzero(gone & ~np.append(gone, False)[page.parent])
    removed = tuple(
        _note(page, row, selectors[taken[row]] if matched[row] else "") for row in top[:_MOST_NOTES].tolist()
    )
    return _pruned(page, ~gone, (*page.removed, *removed))


def _note(page: Page, row: int, selector: str) -> RemovedElement:
    classes = page.attributes(row).get("class", "").split()
    text = page.text[page.text_start[row] : page.text_end[row]]
    return RemovedElement(selector, ".".join([page.tag_name(row), *classes]), " ".join(text.split())[:_LONGEST_TEXT])


def _pruned(page: Page, keep: RowMask, removed: tuple[RemovedElement, ...]) -> Page:
    """The page with the rows that are kept."""
    text, tag, flags, parent, subtree_end, depth, text_start, *rest = page.columns
    text_length, hidden, attribute_start, attribute_name, attribute_value, *strings = rest
    *strings, embedded_row, _, _ = strings
    before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int32)
    attributes = np.diff(attribute_start)
    kept_attributes = np.repeat(keep, attributes)
    # Text by text: beyond `Limits.depth`, what an element contains are rows beside it, which stay.
    gone = ~keep & page.is_text
    shift = _Shift(text_start[gone], np.append(text_start, len(text))[subtree_end[gone]])
    embedded = np.flatnonzero(keep[embedded_row])
    texts = [page.embedded_text[index].encode() for index in embedded.tolist()]
    kept_parent = parent[keep]
    columns = (
        shift.rest_of(text),
        *(tag[keep], flags[keep]),
        np.where(kept_parent < 0, kept_parent, before[kept_parent]),
        *(before[subtree_end[keep]], depth[keep], shift.moved(text_start[keep]), text_length[keep], hidden[keep]),
        np.concatenate([[0], np.cumsum(attributes[keep])]).astype(np.int32),
        *(attribute_name[kept_attributes], attribute_value[kept_attributes], *strings),
        before[embedded_row[embedded]],
        np.frombuffer(b"".join(texts), dtype=np.uint8),
        np.cumsum([len(one) for one in texts], dtype=np.int64),
    )
    return page.with_columns(columns, removed)


class _Shift:
    """Positions in a text after spans were taken out of it, which are in order and apart."""

    def __init__(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        self._starts, self._ends = starts, ends
        self._gone = np.concatenate([[0], np.cumsum(ends - starts)])

    def moved(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where each position is now; one inside a span is where the span was."""
        if not len(self._starts):
            return positions
        span = np.searchsorted(self._starts, positions, side="right") - 1
        inside = np.maximum(self._ends[span] - positions, 0) * (span >= 0)
        return np.asarray(positions - self._gone[span + 1] + inside)

    def rest_of(self, text: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The text, in bytes, without the spans."""
        begins, ends = [0, *self._ends.tolist()], [*self._starts.tolist(), len(text)]
        return np.concatenate([text[begin:end] for begin, end in zip(begins, ends, strict=True)])
