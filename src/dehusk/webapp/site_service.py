"""The service behind the handlers: labelled pages, style trees, the site index and corrections."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import DehuskError
from dehusk.learning import sample
from dehusk.methods.base import SiteModel
from dehusk.methods.corrections import Scope
from dehusk.methods.site_models import CountedSite
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.webapp.api_errors import not_found
from dehusk.webapp.elimination import Elimination
from dehusk.webapp.judged_pages import JudgedPages, ModelKey
from dehusk.webapp.site_index import SiteIndex
from dehusk.webapp.tree_nodes import TreeView
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import Correction, PageRecord, Settings, SiteRecord
from dehusk.workers.guard import guarded

SAMPLE: Final = 20
"""Pages of a site that a threshold is tried on. Yi, Liu & Li (2003, section 4.2) cleaned 20 pages of each site with
several thresholds and chose one by looking at the results."""
_MOST_PAGES_OF_A_NODE: Final = 50
_MOST_BLOCKS_OF_A_PAGE: Final = 20


@dataclass(frozen=True, eq=False)
class IndexedSite:
    """The readable pages of a site, and the index of their blocks."""

    made_from: str
    pages: tuple[PageRecord, ...]
    index: SiteIndex


class SiteService:
    """Works on the sites of one workspace. Thread-safe."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.judged_pages = JudgedPages(workspace)
        self.elimination = Elimination(workspace, self.judged_pages)
        self._indexes: dict[str, IndexedSite] = {}
        self._views: dict[ModelKey, TreeView] = {}
        self._lock = threading.Lock()

    def labelled(self, page: PageRecord, settings: Settings | None = None) -> LabelledBlocks:
        """A page labelled with the given settings, or those of its site."""
        site = self.workspace.site(page.site)
        return self.judged_pages.labelled(page, site, settings or site.settings)

    def is_learnt(self, site: SiteRecord, method: str) -> bool:
        """Whether there is a learnt model for the site."""
        return site.model_of(method) is not None

    def sampled(self, site: SiteRecord) -> list[PageRecord]:
        """A random sample of readable pages, always the same."""
        chosen = sample(self.workspace.pages_of(site.id), SAMPLE)
        return [
            page for page in chosen if not isinstance(guarded(self.judged_pages.blocks, page, page.name), DehuskError)
        ]

    # The site index.

    def indexed(self, site: SiteRecord) -> IndexedSite:
        """The index of a site's blocks; rebuilt when its pages change."""
        made_from = self.workspace.pages_digest(site.id)
        found = self._indexes.get(site.id)
        if found is None or found.made_from != made_from:
            self.judged_pages.forget()
            read = [
                (page, guarded(self.judged_pages.block_keys, page, page.name))
                for page in self.workspace.pages_of(site.id)
            ]
            good = [(page, one) for page, one in read if not isinstance(one, DehuskError)]
            found = IndexedSite(made_from, tuple(page for page, _ in good), SiteIndex([one for _, one in good]))
            self._indexes[site.id] = found
        return found

    # The style tree.

    def tree(self, site: SiteRecord) -> tuple[ModelKey, StyleTreeModel]:
        """The style tree of a site: the one it is cleaned with, or one learnt for the template view."""
        if not self.elimination.is_current(site, StyleTree.name):
            self.elimination.learn(site, StyleTree.name)
        return self.known_tree(self.workspace.site(site.id))

    def known_tree(self, site: SiteRecord) -> tuple[ModelKey, StyleTreeModel]:
        """The tree as it was last learnt, possibly outdated or empty: for requests that cannot wait."""
        key, model = self.judged_pages.model(site, StyleTree.name)
        if not isinstance(model, StyleTreeModel):
            raise not_found("tree")
        if site.settings.method == StyleTree.name and site.settings.threshold is not None:
            model = model.with_threshold(site.settings.threshold)
        return key, model

    def tree_view(self, site: SiteRecord) -> TreeView:
        """The nodes of the style tree; the last four trees are cached."""
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
        """The pages that have a node of the tree, with the blocks in it."""
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

    def taught_model(self, site: SiteRecord) -> SiteModel | None:
        """The model of a site as the command line is to use it: with its threshold and corrections."""
        if site.model_of(site.settings.method) is None:
            return None
        _, model = self.judged_pages.model(site, site.settings.method)
        if not isinstance(model, CountedSite) or not model.pages:
            return None
        taught: Any = model.with_corrections(site.taught)
        if site.settings.threshold is not None and hasattr(taught.settings, "threshold"):
            taught = replace(taught, settings=replace(taught.settings, threshold=site.settings.threshold))
        return cast("SiteModel", taught)

    def touched(self, site: SiteRecord, correction: Correction) -> tuple[int, int]:
        """Number of blocks and pages that a correction applies to."""
        index, key = self.indexed(site).index, np.uint64(int(correction.key, 16))
        if correction.scope == Scope.CONTAINER:
            return index.in_containers(key)
        table = {Scope.PLACE: index.positions, Scope.LOOK: index.styles, Scope.BLOCK: index.on_pages}
        return table[Scope(correction.scope)].count(key)


def _blocks_in(labelled: LabelledBlocks, key: np.uint64) -> list[int] | None:
    """Blocks in the element at a template position; None if the page has no such element."""
    page, blocks = labelled.blocks.page, labelled.blocks
    placed = find_positions(page, Matching.ALIGNED)
    rows = np.flatnonzero(placed.node & (placed.key == key))
    if not len(rows):
        return None
    row = int(rows[0])
    inside = (blocks.first_row >= row) & (blocks.first_row < page.subtree_end[row])
    return [int(block) for block in np.flatnonzero(inside)[:_MOST_BLOCKS_OF_A_PAGE]]
