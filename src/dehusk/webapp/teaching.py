"""Corrections: a person's choice becomes keys in a scope; what these change is counted before they are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.errors import DehuskError
from dehusk.methods.block_keys import BlockKeys
from dehusk.methods.corrections import Corrections, Scope, keys_in_scope
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.webapp.api_errors import ApiError, invalid, not_found
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.workspace_records import Correction, PageRecord, SiteRecord
from dehusk.workers.guard import guarded

_LONGEST_TEXT: Final = 200
"""Characters of a corrected block that are stored."""
_MOST_EXAMPLES: Final = 6
"""Blocks that a preview quotes."""
_MOST_PAGES: Final = 5
"""Pages that a preview names as those that change most."""
_MOST_PARENTS: Final = 8
"""Elements around a block to choose from; those further out hold most of the page."""
_LONGEST_LABEL: Final = 60


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants: keep or drop these blocks of a page, and all that are like them in a scope."""

    page: PageRecord
    blocks: tuple[int, ...]
    keep: bool
    scope: Scope
    container: str = ""
    """Key of the element, for the scope `container`."""


@dataclass(slots=True)
class _Effect:
    """What corrections apply to, page by page."""

    blocks: int = 0
    pages: int = 0
    changed: int = 0
    is_known: bool = True
    """False if some pages are not cleaned yet, so that nothing is known about what changes there."""
    by_page: dict[str, tuple[int, NDArray[np.int64]]] = field(default_factory=dict)
    """Page -> blocks that change, and the blocks that are matched."""


def wanted_corrections(service: SiteService, site: SiteRecord, wish: Wish) -> list[Correction]:
    """The corrections for a wish, one for each distinct key."""
    if wish.page.site != site.id:
        raise not_found("page of this site")
    keys, blocks = service.judged_pages.block_keys(wish.page), service.judged_pages.blocks(wish.page)
    if not wish.blocks or not all(0 <= block < len(blocks) for block in wish.blocks):
        raise not_found("block")
    found: dict[int, Correction] = {}
    for block in wish.blocks:
        key = _container_key(keys, block, wish.container) if wish.scope is Scope.CONTAINER else _key(keys, block, wish)
        text = " ".join(blocks.texts[block].split())[:_LONGEST_TEXT]
        made = Correction(0, wish.keep, wish.scope.value, f"{key:016x}", text, blocks.path(block), wish.page.id)
        found.setdefault(key, made)
    return list(found.values())


def _key(keys: BlockKeys, block: int, wish: Wish) -> int:
    key = int(keys_in_scope(keys, wish.scope)[block])
    if key == 0:
        raise ApiError(422, "refused", "a block outside BODY has no style signature", "use the scope place")
    return key


def _container_key(keys: BlockKeys, block: int, given: str) -> int:
    try:
        key = int(given, 16)
    except ValueError as error:
        raise invalid("container must be a key", "take it from the block's containers") from error
    found = keys.containers
    around = (found.key == np.uint64(key & (2**64 - 1))) & (found.first <= block) & (found.end > block)
    if not around.any():
        raise not_found("container around this block")
    return key


def preview(service: SiteService, site: SiteRecord, corrections: Sequence[Correction]) -> dict[str, Any]:
    """What corrections would apply to and change, with examples, before they are made."""
    new = Corrections.of((one.scope, int(one.key, 16), one.keep) for one in corrections)
    effect = _effect(service, site, new)
    most = sorted(effect.by_page.items(), key=lambda item: -item[1][0])[:_MOST_PAGES]
    pages = service.workspace.state.pages
    return {
        "blocks": effect.blocks,
        "pages": effect.pages,
        "changed": effect.changed if effect.is_known else None,
        "most_changed": [{"page": page, "name": pages[page].name, "changed": n} for page, (n, _) in most if n],
        "examples": list(_examples(service, effect)),
    }


def _effect(service: SiteService, site: SiteRecord, new: Corrections) -> _Effect:
    """Count what corrections match and change on all pages of a site, from stored keys and decisions."""
    indexed, taught = service.indexed(site), site.taught
    decisions = service.workspace.database.decisions(service.workspace.base(site))
    effect, all_of_them = _Effect(), taught + new
    for page, keys in zip(indexed.pages, indexed.index.block_keys, strict=True):
        matched = np.flatnonzero(new.verdicts(keys))
        if len(matched):
            changed = _changes(decisions.get(page.id), keys, taught, all_of_them)
            effect.is_known &= changed is not None
            effect.blocks += len(matched)
            effect.pages += 1
            effect.changed += changed or 0
            effect.by_page[page.id] = changed or 0, matched
    return effect


def _changes(keep: BlockMask | None, keys: BlockKeys, before: Corrections, after: Corrections) -> int | None:
    """How many blocks of a page the new corrections turn; None if it is not known what was kept."""
    if keep is None or len(keep) != len(keys.text):
        return None
    now, then = (_corrected(keep, one.verdicts(keys)) for one in (before, after))
    return int((now != then).sum())


def _corrected(keep: BlockMask, verdicts: NDArray[np.int8]) -> BlockMask:
    return np.where(verdicts == 0, keep, verdicts > 0)


def _examples(service: SiteService, effect: _Effect) -> Iterator[dict[str, Any]]:
    """Blocks that would be corrected: one of each page first, as pages tell more than neighbours do."""
    order = sorted(effect.by_page, key=lambda page: -effect.by_page[page][0])
    several = max(1, _MOST_EXAMPLES // max(1, len(order)))
    for identifier in order[:_MOST_EXAMPLES]:
        page = service.workspace.page(identifier)
        blocks = guarded(service.judged_pages.blocks, page, page.name)
        if not isinstance(blocks, DehuskError):
            for block in effect.by_page[identifier][1][:several].tolist():
                text = " ".join(blocks.texts[block].split())[:_LONGEST_TEXT]
                yield {"page": page.id, "name": page.name, "block": block, "text": text}


def containers_around(service: SiteService, site: SiteRecord, page: PageRecord, block: int) -> list[dict[str, Any]]:
    """The elements around a block, innermost first, each with the blocks and pages a correction of it applies to."""
    blocks = service.judged_pages.blocks(page)
    index = service.indexed(site).index
    found = []
    for key, label, inside in _parents(blocks, block):
        number, pages = index.in_containers(np.uint64(key))
        described = {"key": f"{key:016x}", "label": label, "here": inside, "blocks": number, "pages": pages}
        found.append(described)
    return found


def _parents(blocks: Blocks, block: int) -> Iterator[tuple[int, str, int]]:
    """(key, label, blocks in it) of the elements around a block that hold more than what is inside them."""
    page = blocks.page
    placed = find_positions(page, Matching.ALIGNED, 0)
    row, held, found = int(blocks.owner[block]), 0, 0
    while row >= 0 and found < _MOST_PARENTS:
        first, end = np.searchsorted(blocks.first_row, [row, int(page.subtree_end[row])], "left")
        if placed.key[row] and placed.node[row] and end - first > held:
            held, found = int(end - first), found + 1
            yield int(placed.key[row]), _label(page, row), held
        row = int(page.parent[row])


def _label(page: Any, row: int) -> str:
    classes = page.attributes(row).get("class", "").split()
    return ".".join([page.tag_names[row], *classes[:2]])[:_LONGEST_LABEL]
