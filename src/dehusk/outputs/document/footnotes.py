"""Footnotes: short links in the text that lead to a part of the same page, and the parts they lead to.

A link is the mark of a footnote if it says so (`role=doc-noteref`), is raised, or stands in brackets, and if its text
is what such marks are. What it leads to is a note if it is a small part of the page that is kept, is no heading, and
begins after the mark: what a note leads back to is none. Links from the note back to its mark show nothing where
footnotes are footnotes, nor does the mark itself at the start of a note: its label says as much.
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
"""Blocks of one note. A link to more of the page is a link to a section."""
_NOT_IN_LABELS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Notes:
    """The footnotes of a page; rows are those of links (`<a>`)."""

    labels: Mapping[int, str] = field(default_factory=dict)
    """Row of a mark -> label of its note."""
    back_links: frozenset[int] = frozenset()
    """Rows of links from notes to marks."""
    blocks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Label -> indexes of the blocks of the note, in the order in which the marks come."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Label -> what the page's own mark says, without brackets."""

    @cached_property
    def rows(self) -> frozenset[int]:
        """Links of both kinds."""
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
    """Looks up what marks lead to."""

    def __init__(self, labelled: LabelledBlocks, links: Mapping[int, str]) -> None:
        self._labelled, self._blocks, self._page = labelled, labelled.blocks, labelled.blocks.page
        self._links = links
        self._rows_of_ids = _rows_of_ids(self._page)
        self._is_block = self._page.tagged(TagSet.BLOCK)
        # Hidden text of a block follows its visible text, wherever it stands.
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
        """Rows of the block-level elements that links lead to; -1 for none."""
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
        """Links in notes that lead to an element in, at or around one of the marks."""
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
    """Row of each link to a part of the same page, among some rows -> the id of the part."""
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
    """What the mark of a footnote says, without brackets; empty if the link is none."""
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
    # Longer texts are of no interest, and may be as long as the page.
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
    """What is left of a mark as a label; empty for stars and daggers."""
    return _NOT_IN_LABELS.sub("", mark)


def _numbers_without(taken: Collection[str]) -> Iterator[str]:
    """Labels for notes whose own mark can be none, or is that of another note."""
    return (label for label in map(str, count(1)) if label not in taken)
