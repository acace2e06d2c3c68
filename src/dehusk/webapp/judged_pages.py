"""A cache of pages with their scores, so that a new threshold only needs a new decision.

The cache is bounded: the least recently used pages are read again when needed. Nothing here is stored; all of it is
derived from the workspace.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import JudgedBlocks, LabelledBlocks, correct, decide, judge_blocks
from dehusk.errors import ModelError
from dehusk.learning import load_model
from dehusk.methods import find_method
from dehusk.methods.base import JudgesPages, Model, Reasons
from dehusk.methods.block_keys import BlockKeys, keys_of_blocks
from dehusk.methods.corrections import Corrections
from dehusk.methods.site_trees.style_tree import StyleTreeModel
from dehusk.methods.site_trees.style_tree_scoring import PositionedBlocks
from dehusk.page.page_reading import read_page
from dehusk.page.stable_hashing import Keys
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import PageRecord, Settings, SiteRecord

_MOST_BYTES: Final = 256 << 20
"""Approximate size of the cached pages: some 1,500 of typical size."""
_BYTES_A_ROW: Final = 250
"""Estimated memory for a row of a page: its columns, attributes and blocks."""
_MOST_THRESHOLDS: Final = 8
"""Cached style trees with another threshold: a slider moves back and forth."""

Value = TypeVar("Value")
ModelKey = tuple[str, str, str]
"""Site, method, and digest of the pages it was learnt from; site and digest are empty if nothing was learnt."""


@dataclass(slots=True)
class _CachedPage:
    """A page in memory, with what models computed for it."""

    blocks: Blocks
    judged: dict[ModelKey, JudgedBlocks] = field(default_factory=dict)
    placed: dict[ModelKey, PositionedBlocks] = field(default_factory=dict)
    reasons: dict[ModelKey, Reasons] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        page = self.blocks.page
        return _BYTES_A_ROW * len(page) + 4 * len(page.text)


@cache
def judges_pages(method: str) -> bool:
    """Whether a method labels comments and gives a confidence."""
    return isinstance(find_method(method).fit(), JudgesPages)


class JudgedPages:
    """Reads, scores and labels the pages of a workspace. Thread-safe."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, _CachedPage] = OrderedDict()
        self._weight = 0
        self._models: dict[tuple[str, str], tuple[ModelKey, Model]] = {}
        self._trees: OrderedDict[tuple[ModelKey, float], StyleTreeModel] = OrderedDict()
        self._block_keys: dict[str, BlockKeys] = {}

    # Pages.

    def blocks(self, page: PageRecord) -> Blocks:
        """The blocks of a page."""
        return self._read(page).blocks

    def _read(self, page: PageRecord) -> _CachedPage:
        with self._lock:
            if page.id in self._pages:
                self._pages.move_to_end(page.id)
                return self._pages[page.id]
        read = _CachedPage(segment(read_page(self._workspace.raw(page))))
        with self._lock:
            if page.id not in self._pages:
                self._pages[page.id] = read
                self._weight += read.weight
            while self._weight > _MOST_BYTES and len(self._pages) > 1:
                self._weight -= self._pages.popitem(last=False)[1].weight
        return read

    def block_keys(self, page: PageRecord) -> BlockKeys:
        """The keys of a page's blocks. They are small: stored, and cached as long as the page exists."""
        found = self._block_keys.get(page.id)
        if found is None:
            stored = self._workspace.database.block_keys([page.id])
            found = stored.get(page.id) or keys_of_blocks(self.blocks(page))
            if not stored:
                self._workspace.database.store_block_keys(page.id, found)
            self._block_keys[page.id] = found
        return found

    def has_block_keys(self, pages: Sequence[PageRecord]) -> bool:
        """Whether the keys of all these pages are known, so that asking for them does not read the pages."""
        missing = [page.id for page in pages if page.id not in self._block_keys]
        self._block_keys |= (stored := self._workspace.database.block_keys(missing))
        return len(stored) == len(missing)

    def forget(self) -> None:
        """Drop pages that are no longer in the workspace."""
        stored = self._workspace.state.pages
        with self._lock:
            for identifier in [identifier for identifier in self._pages if identifier not in stored]:
                self._weight -= self._pages.pop(identifier).weight
            for identifier in [identifier for identifier in list(self._block_keys) if identifier not in stored]:
                del self._block_keys[identifier]

    # Models.

    def model(self, site: SiteRecord, method: str) -> tuple[ModelKey, Model]:
        """The model learnt for a site, or the method's model without a site."""
        learnt = site.model_of(method)
        if learnt is None:
            return self._without_site(method)
        key = (site.id, method, learnt.made_from)
        cached = self._models.get((site.id, method))
        if cached is None or cached[0] != key:
            cached = self._models[site.id, method] = key, self._load(site, method)
        return cached

    def _without_site(self, method: str) -> tuple[ModelKey, Model]:
        cached = self._models.get(("", method))
        if cached is None:
            cached = self._models["", method] = ("", method, ""), find_method(method).fit()
        return cached

    def _load(self, site: SiteRecord, method: str) -> Model:
        try:
            return load_model(self._workspace.model_path(site.id, method))
        except ModelError:
            # The file is missing or damaged: clean without it, until the site is learnt again.
            return find_method(method).fit()

    def remember(self, key: ModelKey, model: Model) -> None:
        """Cache a model that has just been learnt, so that its file need not be read."""
        self._models[key[0], key[1]] = key, model

    def _with_threshold(self, key: ModelKey, model: StyleTreeModel, threshold: float) -> StyleTreeModel:
        with self._lock:
            found = self._trees.get((key, threshold))
        if found is None:
            found = model.with_threshold(threshold)
            with self._lock:
                self._trees[key, threshold] = found
                while len(self._trees) > _MOST_THRESHOLDS:
                    self._trees.popitem(last=False)
        return found

    # Decisions.

    def labelled(self, page: PageRecord, site: SiteRecord, settings: Settings) -> LabelledBlocks:
        """Label the blocks of a page by the settings and the site's corrections."""
        return self._labelled(self._read(page), page, site, settings)

    def labelled_uncached(self, raw: RawPage, page: PageRecord, site: SiteRecord, settings: Settings) -> LabelledBlocks:
        """The same from the page's bytes, bypassing the cache: for timing."""
        return self._labelled(_CachedPage(segment(read_page(raw))), page, site, settings)

    def _labelled(self, read: _CachedPage, page: PageRecord, site: SiteRecord, settings: Settings) -> LabelledBlocks:
        labelled = self._decided(read, self.model(site, settings.method), settings)
        verdicts = self.verdicts(page, site.taught)
        return labelled if verdicts is None else correct(labelled, verdicts)

    def decided(self, page: PageRecord, site: SiteRecord) -> LabelledBlocks:
        """The page labelled by the settings of its site, without corrections."""
        return self._decided(self._read(page), self.model(site, site.settings.method), site.settings)

    def changed_by_site(self, page: PageRecord, site: SiteRecord, settings: Settings) -> BlockMask | None:
        """bool a block: whether the site made the decision another one; corrections do not count.

        None if there is nothing to compare: the site is not learnt, or the method has no opinion without it.
        """
        if site.model_of(settings.method) is None or not judges_pages(settings.method):
            return None
        read = self._read(page)
        with_site = self._decided(read, self.model(site, settings.method), settings)
        alone = self._decided(read, self._without_site(settings.method), settings)
        return np.not_equal(with_site.keep, alone.keep)

    def _decided(self, read: _CachedPage, keyed: tuple[ModelKey, Model], settings: Settings) -> LabelledBlocks:
        key, model = keyed
        if isinstance(model, StyleTreeModel):
            return decide(self._judged_by_tree(read, key, model, settings.threshold), settings.decision)
        judged = _cached_in(read.judged, key, lambda: judge_blocks(read.blocks, model))
        return decide(judged, settings.decision, settings.threshold)

    def _judged_by_tree(
        self, read: _CachedPage, key: ModelKey, model: StyleTreeModel, threshold: float | None
    ) -> JudgedBlocks:
        """Scores of a style tree depend on the threshold (through its regions); template positions do not."""
        placed = _cached_in(read.placed, key, lambda: model.position_blocks(read.blocks))
        if threshold is None:
            return _cached_in(
                read.judged,
                key,
                lambda: JudgedBlocks(read.blocks, model, model.score_positioned(placed), model.threshold),
            )
        changed = self._with_threshold(key, model, threshold)
        return JudgedBlocks(read.blocks, changed, changed.score_positioned(placed), changed.threshold)

    def reasons(self, page: PageRecord, site: SiteRecord, labelled: LabelledBlocks) -> Reasons:
        """Why blocks are kept or dropped. Expensive, so cached, unless they depend on the threshold (style trees)."""
        if isinstance(labelled.model, StyleTreeModel):
            return labelled.reasons
        key, _ = self.model(site, labelled.model.method)
        found = _cached_in(self._read(page).reasons, key, lambda: labelled.model.explain_blocks(labelled.blocks))
        return labelled.with_moves(found)

    def verdicts(self, page: PageRecord, corrections: Corrections) -> NDArray[np.int8] | None:
        """int8, one entry a block: 1 keep, -1 drop, 0 no correction; None without corrections."""
        return corrections.verdicts(self.block_keys(page)) if len(corrections) else None

    def importance(self, page: PageRecord, key: ModelKey, tree: StyleTreeModel) -> tuple[Keys, NDArray[np.float64]]:
        """(position in the tree or 0, importance or NaN) of each block."""
        read = self._read(page)
        return tree.importance_of(_cached_in(read.placed, key, lambda: tree.position_blocks(read.blocks)))


def _cached_in(table: dict[ModelKey, Value], key: ModelKey, find: Callable[[], Value]) -> Value:
    found = table.get(key)
    if found is None:
        # One model a method: older models are not used again.
        for other in [other for other in list(table) if other[:2] == key[:2]]:
            table.pop(other, None)
        found = table[key] = find()
    return found
