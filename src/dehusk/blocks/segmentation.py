"""Page -> Blocks, by array arithmetic over the rows.

Every block-level start or end between two text rows separates them: the running count of such boundaries is the number
of the run a text row belongs to.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import enough_memory
from dehusk.page.characters import HIGH_CONTROLS, LOW_CONTROLS, WITHOUT_CONTROLS
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.page_reading import LINE_SEPARATOR
from dehusk.page.tags import TAG_CODES, TagSet

_BLANKS = bytes.maketrans(b"\t\n\f\r", b"    ")
_CONTROLS = bytes(LOW_CONTROLS - {ord(LINE_SEPARATOR)})
_EXACT = {**WITHOUT_CONTROLS, ord(LINE_SEPARATOR): "\n"}


def segment(page: Page) -> Blocks:
    """The blocks of a page, in document order. Hidden text forms blocks of its own, marked."""
    with enough_memory(page.label):
        return _segment(page)


def _segment(page: Page) -> Blocks:
    is_block = _block_level(page)
    preformatted = _preformatted(page)
    rows = np.flatnonzero(page.text_length).astype(np.int32)
    runs = _runs(page, is_block, preformatted)[rows]
    hidden = page.hidden[rows]
    if hidden.any():
        # The hidden part of a run follows its visible part.
        order = np.argsort(2 * runs + hidden, kind="stable")
        rows, runs, hidden = rows[order], runs[order], hidden[order]
    changes = np.ones(len(rows) + 1, dtype=bool)
    changes[1:-1] = (runs[1:] != runs[:-1]) | (hidden[1:] != hidden[:-1])
    edges = np.flatnonzero(changes)
    starts = edges[:-1]
    first, last = rows[starts], rows[edges[1:] - 1]
    texts = _texts(page, first, last, preformatted, _interrupted(runs[starts]))
    length = page.text_length[rows]
    in_link = page.covered(page.tagged(TagSet.LINK))[rows] > 0
    blocks = Blocks(
        page=page,
        texts=texts,
        first_row=first,
        last_row=last,
        owner=page.climb(page.parent[first], is_block),
        hidden=hidden[starts],
        length=_sums(length, starts),
        link_length=_sums(np.where(in_link, length, 0), starts),
    )
    return _without_empty(blocks) if "" in texts else blocks


def _without_empty(blocks: Blocks) -> Blocks:
    """Text of control characters alone makes no block."""
    shown = np.array([bool(text) for text in blocks.texts])
    columns = {name: value[shown] for name, value in vars(blocks).items() if isinstance(value, np.ndarray)}
    return replace(blocks, texts=tuple(filter(None, blocks.texts)), **columns)


def _block_level(page: Page) -> RowMask:
    """Elements that cut text; none does inside a drawing, whose titles and labels may stand amid a sentence."""
    is_block = page.tagged(TagSet.BLOCK)
    drawings = page.tag == TAG_CODES["svg"]
    return is_block & (page.covered(drawings) == 0) if drawings.any() else is_block


def _preformatted(page: Page) -> RowMask | None:
    """Rows inside `<pre>` and its like; None when there are none."""
    mask = page.tagged(TagSet.PREFORMATTED)
    return page.covered(mask) > 0 if mask.any() else None


def _runs(page: Page, is_block: RowMask, preformatted: RowMask | None) -> NDArray[np.int64]:
    """int64: number of the run each row is in."""
    size = len(page)
    boundaries = np.bincount(page.subtree_end[is_block], minlength=size + 1)[:size] + is_block
    line_breaks = page.tagged(TagSet.LINE_BREAK)
    if line_breaks.any():
        # A break after a break, with nothing to see between them, is an empty line: it separates like a paragraph.
        marks = np.flatnonzero(((page.text_length > 0) & ~page.hidden) | line_breaks)
        doubled = marks[1:][line_breaks[marks[1:]] & line_breaks[marks[:-1]]]
        boundaries[doubled if preformatted is None else doubled[~preformatted[doubled]]] += 1
    return np.cumsum(boundaries)


def _sums(values: Rows, starts: NDArray[np.intp]) -> Rows:
    return np.add.reduceat(values, starts).astype(np.int32) if len(starts) else np.zeros(0, dtype=np.int32)


def _interrupted(run_of_block: NDArray[np.int64]) -> list[int]:
    """Blocks that share their run with another: visible text inside hidden text, or the reverse."""
    shared = run_of_block[1:] == run_of_block[:-1]
    return np.flatnonzero(np.append(shared, False) | np.append(False, shared)).tolist() if shared.any() else []


def _texts(
    page: Page, first: Rows, last: Rows, preformatted: RowMask | None, interrupted: list[int]
) -> tuple[str, ...]:
    begins, ends = page.text_start[first].tolist(), page.text_end[last].tolist()
    written = [page.text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    for index in interrupted:
        written[index] = _own_part(page, int(first[index]), int(last[index]))
    texts = _fold_white_space(written)
    if preformatted is not None:
        inside = np.flatnonzero(preformatted[first])
        elements = page.climb(page.parent[first[inside]], page.tagged(TagSet.PREFORMATTED))
        for index, element in zip(inside.tolist(), elements.tolist(), strict=True):
            indent = _indent(page, int(first[index]), element, ends[index - 1] if index else 0)
            texts[index] = (indent + written[index]).translate(_EXACT).strip("\n\r")
    return tuple(texts)


def _indent(page: Page, first: int, element: int, end_before: int) -> str:
    """Spaces before preformatted text, in text rows of their own: `<pre>  <b>if</b>`."""
    before = page.text[max(int(page.text_start[element]), end_before) : int(page.text_start[first])]
    return before[len(before.rstrip(" \t")) :]


def _fold_white_space(texts: list[str]) -> list[str]:
    """Collapse white space as browsers do: runs become one space, none at line ends; for all texts at once.

    NUL separates the texts: the parser never lets one through. Only ASCII white space folds.
    """
    if not texts:
        return []
    encoded = "\0".join(texts).encode("utf-8", "surrogatepass").translate(_BLANKS, _CONTROLS)
    joined = np.frombuffer(_without_high_controls(encoded), dtype=np.uint8)
    blank = joined == ord(" ")
    kept = np.ones(len(joined), dtype=bool)
    kept[1:] = ~(blank[1:] & blank[:-1])
    folded = joined[kept].tobytes().decode("utf-8", "surrogatepass")
    if LINE_SEPARATOR in folded:
        folded = folded.replace(f" {LINE_SEPARATOR}", "\n").replace(LINE_SEPARATOR, "\n").replace("\n ", "\n")
    return [text.strip() for text in folded.split("\0")]


def _without_high_controls(encoded: bytes) -> bytes:
    """UTF-8 without the control characters beyond ASCII: 0xC2 and a byte below 0xA0. Hardly any page has some."""
    array = np.frombuffer(encoded, dtype=np.uint8)
    if not ((array[:-1] == 0xC2) & (array[1:] < HIGH_CONTROLS.stop)).any():
        return encoded
    kept = {**WITHOUT_CONTROLS, ord(LINE_SEPARATOR): LINE_SEPARATOR}
    return encoded.decode("utf-8", "surrogatepass").translate(kept).encode("utf-8", "surrogatepass")


def _own_part(page: Page, first: int, last: int) -> str:
    """The text of the rows with the same visibility as the first one."""
    texts = np.arange(first, last + 1)[page.is_text[first : last + 1]]
    own = page.hidden[texts] == page.hidden[first]
    parts = [page.text[page.text_start[row] : page.text_end[row]] for row in texts.tolist()]
    hidden = bool(page.hidden[first])
    traced = (part if belongs else trace_of(part, hidden) for part, belongs in zip(parts, own.tolist(), strict=True))
    return "".join(traced)


def trace_of(other: str, hidden: bool) -> str:
    """What text of the other visibility leaves inside a hidden or visible text: a space or nothing.

    In visible text, a hidden sign that sets things apart (· | /) still does; hidden words leave nothing.
    """
    return "" if not hidden and any(map(str.isalnum, other)) else " "
