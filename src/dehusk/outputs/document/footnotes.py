"""Footnotes: short links to a part of the same page, and the parts they link to.

A link is a footnote reference if it is declared as one (`role=doc-noteref`), superscript, or in brackets, and its text
looks like one. Its target is a note if it is a small, kept part of the page, is no heading, and starts after the
reference; this excludes the targets of back links. Back links from a note to its reference are not shown, nor is the
mark at the start of a note: its label replaces it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Final
from urllib.parse import unquote, urldefrag

import numpy as np

from dehusk.blocks.block_columns import Kind
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.page.page_columns import Page
from dehusk.page.tags import ATTRIBUTE_CODES, TAG_CODES, TagSet

_MARK: Final = re.compile(
    r"[\[(]?\s*(?:note |nb |n\. ?|fn\. ?)?(\d{1,4}[a-z]?|[a-z]{1,2}|[ivxlc]{1,6}|[*†‡§¶#]{1,3})\s*[\])]?", re.IGNORECASE
)
_LONGEST_BACK_LINK: Final = 8
_MOST_BLOCKS: Final = 12
"""Blocks of one note. A link to more is a link to a section."""
_NOT_IN_LABELS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Notes:
    """The footnotes of a page; rows are those of `<a>` elements."""

    labels: Mapping[int, str] = field(default_factory=dict)
    """Row of a reference -> label of its note."""
    back_links: frozenset[int] = frozenset()
    """Rows of links from notes to references."""
    blocks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Label -> indexes of the note's blocks, in the order of the references."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Label -> the page's own mark, without brackets."""

    @cached_property
    def rows(self) -> frozenset[int]:
        """Rows of references and back links."""
        return self.back_links | self.labels.keys()


NO_NOTES: Final = Notes()


def find_notes(labelled: LabelledBlocks) -> Notes:
    """The footnotes among the kept blocks."""
    if not labelled.kept:
        return NO_NOTES
    first, last = labelled.blocks.first_row[labelled.kept[0]], labelled.blocks.last_row[list(labelled.kept)].max()
    links = _links_within(labelled.blocks.page, int(labelled.blocks.page.parent[first]), int(last))
    marks = [(row, target, mark) for row, target in links.items() if (mark := _mark_of(labelled.blocks.page, row))]
    return _Finder(labelled, links).notes(marks) if marks else NO_NOTES


class _Finder:
    """Resolves references to notes."""

    def __init__(self, labelled: LabelledBlocks, links: Mapping[int, str]) -> None:
        self._labelled, self._blocks, self._page = labelled, labelled.blocks, labelled.blocks.page
        self._links = links
        self._rows_of_ids = _rows_of_ids(self._page)
        self._is_block = self._page.tagged(TagSet.BLOCK)
        # Blocks are not in row order: the hidden text of a block follows its visible text.
        order = np.argsort(self._blocks.first_row, kind="stable")
        self._order: list[int] = order.tolist()
        self._starts: list[int] = self._blocks.first_row[order].tolist()

    def notes(self, marks: list[tuple[int, str, str]]) -> Notes:
        labels: dict[int, str] = {}
        label_of_part: dict[int, str] = {}
        blocks: dict[str, tuple[int, ...]] = {}
        own_marks: dict[str, str] = {}
        taken: set[int] = set()
        free_labels = _numbers_without({_label_like(mark) for _, _, mark in marks})
        parts = self._parts([target for _, target, _ in marks])
        for (row, _, mark), part in zip(marks, parts, strict=True):
            if part not in label_of_part:
                found = self._blocks_of(part, row)
                if not found or not taken.isdisjoint(found):
                    continue
                wanted = _label_like(mark)
                label = wanted if wanted and wanted not in blocks else next(free_labels)
                label_of_part[part], blocks[label], own_marks[label] = label, found, mark
                taken.update(found)
            labels[row] = label_of_part[part]
        return Notes(labels, self._back_links(labels, list(label_of_part)), blocks, own_marks) if labels else NO_NOTES

    def _parts(self, targets: list[str]) -> list[int]:
        """Rows of the block-level elements that links point to; -1 for none."""
        rows = np.array([self._rows_of_ids.get(target, -1) for target in targets], dtype=np.int32)
        parts: list[int] = self._page.climb(rows, self._is_block).tolist()
        return parts

    def _blocks_of(self, part: int, mark: int) -> tuple[int, ...]:
        """The kept blocks of a part of the page, if it can be a note."""
        if part <= mark:
            return ()
        begin, end = (bisect_left(self._starts, row) for row in (part, int(self._page.subtree_end[part])))
        if end - begin > _MOST_BLOCKS:
            return ()
        found = sorted(index for index in self._order[begin:end] if self._labelled.keep[index])
        return () if any(self._blocks.kind[index] == Kind.HEADING for index in found) else tuple(found)

    def _back_links(self, labels: Mapping[int, str], parts: list[int]) -> frozenset[int]:
        """Links in notes that point to an element in, at or around a reference."""
        page = self._page
        is_part, is_mark = np.zeros((2, len(page)), dtype=bool)
        is_part[parts] = True
        is_mark[list(labels)] = True
        inside = page.covered(is_part) > 0
        near_mark = (page.subtree_sums(is_mark) > 0) | (page.covered(is_mark) > 0)
        return frozenset(
            row
            for row, target in self._links.items()
            if inside[row]
            and not is_mark[row]
            and (aim := self._rows_of_ids.get(target, -1)) >= 0
            and near_mark[aim]
            and len(_text(page, row)) <= _LONGEST_BACK_LINK
        )


def _links_within(page: Page, first: int, last: int) -> dict[int, str]:
    """Row of each link within the page, from `first` to `last` -> the id it points to."""
    own = f"{urldefrag(page.url).url}#" if page.url else "#"
    begin, end = page.attribute_start[[first, last + 1]].tolist()
    addresses = (np.flatnonzero(page.attribute_name[begin:end] == ATTRIBUTE_CODES["href"]) + begin).tolist()
    within = [index for index in addresses if page.attribute_value[index].startswith(("#", own))]
    return (
        {
            row: unquote(page.attribute_value[index].partition("#")[2])
            for row, index in zip(page.attribute_row[within].tolist(), within, strict=True)
            if page.tag[row] == TAG_CODES["a"]
        }
        if within
        else {}
    )


def _mark_of(page: Page, row: int) -> str:
    """The text of a footnote reference, without brackets; empty if the link is none."""
    text = _text(page, row)
    match = _MARK.fullmatch(text)
    if not match or page.hidden[row]:
        return ""
    says_so = page.attributes(row).get("role", "").strip().lower() == "doc-noteref"
    is_bracketed = text[:1] in "[(" and text[-1:] in "])"
    return match[1] if says_so or is_bracketed or _is_raised(page, row) else ""


def _is_raised(page: Page, row: int) -> bool:
    """A `<sup>` around the link, or directly in it."""
    raised = TAG_CODES["sup"]
    parent = int(page.parent[row])
    inside = range(row + 1, min(int(page.subtree_end[row]), row + 4))
    return bool(parent >= 0 and page.tag[parent] == raised) or any(page.tag[child] == raised for child in inside)


def _text(page: Page, row: int) -> str:
    start, end = int(page.text_start[row]), int(page.text_end[row])
    # Longer texts do not matter here, and may be as long as the page.
    return " ".join(page.text[start : min(end, start + 200)].split())


def _rows_of_ids(page: Page) -> dict[str, int]:
    """Id, or name of an anchor, -> row of the first element that has it."""
    found: dict[str, int] = {}
    for row, value in page.with_attribute("name"):
        if page.tag[row] == TAG_CODES["a"]:
            found.setdefault(value, row)
    ids: dict[str, int] = {}
    for row, value in page.with_attribute("id"):
        ids.setdefault(value, row)
    return found | ids


def _label_like(mark: str) -> str:
    """A mark as a label; empty for stars and daggers."""
    return _NOT_IN_LABELS.sub("", mark)


def _numbers_without(taken: Collection[str]) -> Iterator[str]:
    """Labels for notes whose own mark cannot be one, or is already used."""
    return (label for label in map(str, count(1)) if label not in taken)
