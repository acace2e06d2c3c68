"""Labels that people give pages: proposed from the decision, corrected block by block, exported as gold once checked.

A file of labels has a JSON object a line: `corpus` (the site), `page` (its name), `digest` (SHA-256 of its bytes),
`page_type`, and the numbers of the blocks that are `content`, readers' `comments`, and `doubtful`; others are noise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import LabelledBlocks, correct
from dehusk.errors import DehuskError
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.outputs.block_json import json_text
from dehusk.webapp.api_errors import invalid
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.workspace_records import Label, PageRecord
from dehusk.workers.guard import guarded

LISTS: Final = ("content", "comments", "doubtful")
_LONGEST_FILE: Final = 200_000
"""Lines of a file of labels that are read: far more pages than a workspace has."""


def proposed_label(labelled: LabelledBlocks) -> Label:
    """What the decision says: where a person begins."""
    kept = np.flatnonzero(labelled.keep & ~labelled.comments).tolist()
    comments = np.flatnonzero(labelled.comments).tolist()
    return Label(labelled.page_type or PAGE_TYPES[0], tuple(kept), tuple(comments))


def label_of(given: Mapping[str, Any], blocks: int) -> Label:
    """A label from JSON; 400 if it does not fit a page with so many blocks."""
    page_type, checked = given.get("page_type"), given.get("checked", True)
    if page_type not in PAGE_TYPES:
        raise invalid("unknown page_type", f"choose one of {', '.join(PAGE_TYPES)}")
    if not isinstance(checked, bool):
        raise invalid("checked must be true or false")
    content, comments, doubtful = (_numbers(given, name, blocks) for name in LISTS)
    if set(content) & set(comments):
        raise invalid("a block is content and a comment")
    return Label(page_type, content, comments, doubtful, checked)


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


def label_lines(service: SiteService, pages: Iterable[PageRecord]) -> Iterator[str]:
    """The labels of checked pages as JSON lines."""
    for page in pages:
        if page.label is not None and page.label.checked:
            digest = _digest(service, page)
            lists = {name: list(getattr(page.label, name)) for name in LISTS}
            site = service.workspace.site(page.site).name
            described = {"corpus": site, "page": page.name, "digest": digest, "page_type": page.label.page_type}
            yield json_text({**described, **lists}) + "\n"


def _digest(service: SiteService, page: PageRecord) -> str:
    return hashlib.sha256(service.workspace.raw(page).body).hexdigest()


def take_labels(service: SiteService, text: str) -> dict[str, int]:
    """Give the pages with these digests their labels, checked; counts those set, of unknown pages, and invalid."""
    pages = {_digest(service, page): page for page in service.workspace.state.pages.values()}
    counts, labels = {"set": 0, "unknown": 0, "invalid": 0}, dict[str, Label]()
    for line in text.splitlines()[:_LONGEST_FILE]:
        if line.strip():
            outcome = guarded(lambda line: _read_line(service, line, pages), line, "a line of labels")
            kind = "invalid" if isinstance(outcome, DehuskError) else "set" if outcome else "unknown"
            counts[kind] += 1
            labels |= outcome if isinstance(outcome, dict) else {}
    service.workspace.set_labels(labels)
    return counts


def _read_line(service: SiteService, line: str, pages: Mapping[str, PageRecord]) -> dict[str, Label]:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise invalid("not JSON") from error
    if not isinstance(given, dict):
        raise invalid("not a JSON object")
    page = pages.get(str(given.get("digest")))
    if page is None:
        return {}
    return {page.id: label_of({**given, "checked": True}, len(service.judged_pages.blocks(page)))}
