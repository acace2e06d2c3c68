"""Labels that people give pages: proposed from the decision, corrected block by block, exported as gold once checked.

In the workspace, blocks are numbers. Files have the labels of `dehusk.lab.gold.policy_labels`, with keys of blocks: the
page is that of the table of labelled pages, its identifier there and a digest of the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import LabelledBlocks, correct
from dehusk.errors import DehuskError
from dehusk.lab.gold.policy_labels import (
    LABELLED_TYPES,
    PolicyLabel,
    block_keys,
    digest_of_page,
    label_of_line,
    labelled_type,
    line_of_label,
    masks,
)
from dehusk.page.characters import encodable
from dehusk.page.decoding import decode
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_errors import invalid
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.workspace_records import Label, PageRecord
from dehusk.workers.guard import guarded

LISTS: Final = ("content", "comments", "doubtful")
_MOST_LINES: Final = 200_000
"""Lines of a file of labels that are read: far more pages than a workspace has."""
_LONGEST_NOTE: Final = 1_000
"""Characters of a note."""
_BYTE_ORDER_MARK: Final = "\ufeff"
"""The byte order mark: it overrides the charset that the page declares."""


def proposed_label(labelled: LabelledBlocks) -> Label:
    """What the decision says: where a person begins."""
    kept = np.flatnonzero(labelled.keep & ~labelled.comments).tolist()
    comments = np.flatnonzero(labelled.comments).tolist()
    return Label(labelled_type(labelled.page_type), tuple(kept), tuple(comments))


def label_of(given: Mapping[str, Any], blocks: int) -> Label:
    """A label from JSON; 400 if it does not fit a page with so many blocks."""
    page_type, checked, note = given.get("page_type"), given.get("checked", True), given.get("note", "")
    if page_type not in LABELLED_TYPES:
        raise invalid("unknown page_type", f"choose one of {', '.join(LABELLED_TYPES)}")
    if not isinstance(checked, bool):
        raise invalid("checked must be true or false")
    if not isinstance(note, str):
        raise invalid("note must be a text")
    content, comments, doubtful = (_numbers(given, name, blocks) for name in LISTS)
    if set(content) & set(comments):
        raise invalid("a block is content and a comment")
    return Label(page_type, content, comments, doubtful, checked, encodable(note)[:_LONGEST_NOTE])


def _numbers(given: Mapping[str, Any], name: str, blocks: int) -> tuple[int, ...]:
    value = given.get(name, [])
    if not isinstance(value, list) or not all(type(block) is int and 0 <= block < blocks for block in value):
        raise invalid(f"{name} must be a list of numbers of blocks", f"the page has {blocks:,}")
    return tuple(sorted(set(value)))


def gold_text(service: SiteService, page: PageRecord) -> str | None:
    """The text a person would keep: pasted, or made of the blocks of a checked label; None if there is neither."""
    if page.gold:
        return service.workspace.gold(page)
    if page.label is None or not page.label.checked:
        return None
    labelled = service.labelled(page)
    verdicts = np.full(len(labelled.blocks), -1, dtype=np.int8)
    verdicts[[block for block in page.label.content if block < len(verdicts)]] = 1
    return CleanedPage(correct(labelled, verdicts)).text


def label_lines(service: SiteService, pages: Iterable[PageRecord], corpus: str) -> Iterator[str]:
    """The labels of checked pages, a line each; `corpus` is the name of the table that has these pages."""
    for page in pages:
        line = guarded(lambda page: _line(service, page, corpus), page, page.name)
        if not isinstance(line, DehuskError):
            yield line


def _line(service: SiteService, page: PageRecord, corpus: str) -> str:
    if page.label is None or not page.label.checked:
        return ""
    keys = block_keys(service.judged_pages.blocks(page).texts)
    # A page that is read in another way than when it was labelled may have fewer blocks.
    content, comments, doubtful = (
        tuple(keys[block] for block in getattr(page.label, name) if block < len(keys)) for name in LISTS
    )
    digest = digest_of_page(self_contained(service.workspace.raw(page)))
    label = page.label
    return line_of_label(PolicyLabel(corpus, page.id, digest, label.page_type, content, comments, doubtful, label.note))


def self_contained(raw: RawPage) -> bytes:
    """The page as bytes that decode the same way without its Content-Type header."""
    content_type = raw.header("content-type")
    if not content_type:
        return raw.body
    return (_BYTE_ORDER_MARK + encodable(decode(raw.body, content_type).text)).encode("utf-8")


def take_labels(service: SiteService, text: str) -> dict[str, int]:
    """Give the pages with these digests their labels, checked; counts those set, of unknown pages, and invalid."""
    pages = _pages_by_digest(service)
    counts, labels = {"set": 0, "unknown": 0, "invalid": 0}, dict[str, Label]()
    for number, line in enumerate(text.splitlines()[:_MOST_LINES], 1):
        if line.strip():
            read = partial(_read_line, service, pages, f"line {number}")
            outcome = guarded(read, line, f"line {number}")
            kind = "invalid" if isinstance(outcome, DehuskError) else "set" if outcome else "unknown"
            counts[kind] += 1
            labels |= outcome if isinstance(outcome, dict) else {}
    service.workspace.set_labels(labels)
    return counts


def _pages_by_digest(service: SiteService) -> dict[str, PageRecord]:
    """The pages by the digest of their bytes, and by that of the bytes that are exported."""
    found: dict[str, PageRecord] = {}
    for page in service.workspace.state.pages.values():
        raw = service.workspace.raw(page)
        found |= {digest_of_page(body): page for body in (raw.body, self_contained(raw))}
    return found


def _read_line(service: SiteService, pages: Mapping[str, PageRecord], where: str, line: str) -> dict[str, Label]:
    given = label_of_line(where, line)
    page = pages.get(given.digest)
    if page is None:
        return {}
    keys = block_keys(service.judged_pages.blocks(page).texts)
    numbers = (np.flatnonzero(mask).tolist() for mask in masks(given, keys))
    lists = dict(zip(LISTS, numbers, strict=True))
    return {page.id: label_of({"page_type": given.page_type, "note": given.note, **lists}, len(keys))}
