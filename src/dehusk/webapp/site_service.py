"""Everything that is asked about pages, sites and blocks, answered from the workspace and what is kept in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import DehuskError
from dehusk.learning import sample
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.webapp.api_errors import Refusal, not_found
from dehusk.webapp.elimination import Eliminating
from dehusk.webapp.judged_pages import Judging, ModelKey
from dehusk.webapp.site_index import SiteIndex
from dehusk.webapp.tree_nodes import TreeView
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import Correction, PageRecord, Settings, SiteRecord
from dehusk.workers.guard import guarded

SAMPLE: Final = 20
"""Pages of a site that a threshold is tried on: so many the authors of the style tree looked at."""
_MOST_PAGES_OF_A_NODE: Final = 50
_MOST_BLOCKS_OF_A_PAGE: Final = 20
_LONGEST_TEXT: Final = 200
"""Characters that are kept of a block that somebody corrected."""


@dataclass(frozen=True, eq=False)
class IndexedSite:
    """The pages of a site that can be read, and where everything on them stands."""

    made_from: str
    pages: tuple[PageRecord, ...]
    index: SiteIndex


class Studio:
    """One for a workspace. All methods may be called from several threads."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.judging = Judging(workspace)
        self.eliminating = Eliminating(workspace, self.judging)
        self._indexes: dict[str, IndexedSite] = {}
        self._views: dict[ModelKey, TreeView] = {}
        self._lock = threading.Lock()

    def labelled(self, page: PageRecord, settings: Settings | None = None) -> LabelledBlocks:
        """The page as the settings of its site have it, or others."""
        site = self.workspace.site(page.site)
        return self.judging.labelled(page, site, settings or site.settings)

    def is_learnt(self, site: SiteRecord, method: str) -> bool:
        """Whether the model that cleans knows the site."""
        return site.model_of(method) is not None

    def sampled(self, site: SiteRecord) -> list[PageRecord]:
        """Pages that can be read, chosen by chance but always the same."""
        chosen = sample(self.workspace.pages_of(site.id), SAMPLE)
        return [page for page in chosen if not isinstance(guarded(self.judging.blocks, page, page.name), DehuskError)]

    # Where else.

    def indexed(self, site: SiteRecord) -> IndexedSite:
        """All blocks of a site; made anew when its pages change."""
        made_from = self.workspace.pages_digest(site.id)
        found = self._indexes.get(site.id)
        if found is None or found.made_from != made_from:
            self.judging.forget()
            read = [
                (page, guarded(self.judging.fingerprint, page, page.name)) for page in self.workspace.pages_of(site.id)
            ]
            good = [(page, one) for page, one in read if not isinstance(one, DehuskError)]
            found = IndexedSite(made_from, tuple(page for page, _ in good), SiteIndex([one for _, one in good]))
            self._indexes[site.id] = found
        return found

    # The tree.

    def tree(self, site: SiteRecord) -> tuple[ModelKey, StyleTreeModel]:
        """The style tree of a site: the one it is cleaned with, or one that is learnt to be looked at."""
        if not self.eliminating.is_current(site, StyleTree.name):
            self.eliminating.learn(site, StyleTree.name)
        return self.known_tree(self.workspace.site(site.id))

    def known_tree(self, site: SiteRecord) -> tuple[ModelKey, StyleTreeModel]:
        """The tree as it was learnt last, be it of nothing: for questions that cannot wait."""
        key, model = self.judging.model(site, StyleTree.name)
        if not isinstance(model, StyleTreeModel):
            raise not_found("tree")
        if site.settings.method == StyleTree.name and site.settings.threshold is not None:
            model = model.with_threshold(site.settings.threshold)
        return key, model

    def tree_view(self, site: SiteRecord) -> TreeView:
        """Its nodes; those of the last few trees are kept."""
        key, model = self.tree(site)
        named = (*key[:2], f"{key[2]} {model.settings.threshold}")
        with self._lock:
            view = self._views.get(named)
            if view is None:
                view = self._views[named] = TreeView(model)
                while len(self._views) > 4:
                    del self._views[next(iter(self._views))]
        return view

    def blocks_at(self, site: SiteRecord, node: str) -> Iterator[tuple[PageRecord, list[int], LabelledBlocks]]:
        """Pages with a node of the tree, and the blocks in it."""
        key = np.uint64(int(node, 16))
        found = 0
        for page in self.workspace.pages_of(site.id):
            labelled = guarded(self.labelled, page, page.name)
            if isinstance(labelled, DehuskError):
                continue
            members = _blocks_in(labelled, key)
            if members is not None:
                found += 1
                yield page, members, labelled
            if found == _MOST_PAGES_OF_A_NODE:
                return

    # Corrections.

    def teach(self, site: SiteRecord, page: PageRecord, block: int, keep: bool, scope: str) -> Correction:
        """Remember what somebody said of a block."""
        if page.site != site.id:
            raise not_found("page of this site")
        fingerprint, blocks = self.judging.fingerprint(page), self.judging.blocks(page)
        if not 0 <= block < len(blocks):
            raise not_found("block")
        key = int((fingerprint.place if scope == "place" else fingerprint.look)[block])
        if key == 0:
            raise Refusal(422, "refused", "this block is outside of the body and has no look", "use the scope place")
        text = " ".join(blocks.texts[block].split())[:_LONGEST_TEXT]
        said = Correction(0, keep, scope, f"{key:016x}", text, blocks.path(block), page.id)
        return self.workspace.add_correction(site.id, said)

    def pages_touched(self, site: SiteRecord, correction: Correction) -> int:
        """Pages that a correction decides something on."""
        index = self.indexed(site).index
        table = index.places if correction.scope == "place" else index.looks
        return int(table.pages_with(np.array([int(correction.key, 16)], dtype=np.uint64))[0])


def _blocks_in(labelled: LabelledBlocks, key: np.uint64) -> list[int] | None:
    """Blocks in the element at a place; None if the page has no such."""
    page, blocks = labelled.blocks.page, labelled.blocks
    placed = find_positions(page, Matching.ALIGNED)
    rows = np.flatnonzero(placed.node & (placed.key == key))
    if not len(rows):
        return None
    row = int(rows[0])
    inside = (blocks.first_row >= row) & (blocks.first_row < page.subtree_end[row])
    return [int(block) for block in np.flatnonzero(inside)[:_MOST_BLOCKS_OF_A_PAGE]]
