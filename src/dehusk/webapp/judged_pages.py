"""Pages as models judge them, kept in memory so that another threshold only decides again.

What is kept is bounded: pages that were not asked for longest are read again when they are. Nothing here is a record;
all of it follows from the workspace.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.cleaning import find_method
from dehusk.deciding.decisions import JudgedBlocks, LabelledBlocks, correct, decide, judge_blocks
from dehusk.errors import ModelError
from dehusk.learning import load_model
from dehusk.methods.base import JudgesPages, Model, Reasons
from dehusk.methods.site_trees.style_tree import StyleTreeModel
from dehusk.methods.site_trees.style_tree_scoring import PositionedBlocks
from dehusk.methods.style_signatures import signatures_of_blocks
from dehusk.page.page_reading import read_page
from dehusk.page.stable_hashing import Keys, keys_of
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.block_positions import places_of_blocks
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import Correction, PageRecord, Settings, SiteRecord

_MOST_BYTES: Final = 256 << 20
"""Of pages in memory, about: some 1,500 pages of the usual size."""
_BYTES_A_ROW: Final = 250
"""Of a page: its columns, its attributes, and the blocks."""
_MOST_THRESHOLDS: Final = 8
"""Style trees with another threshold that are kept: a slider goes to and fro."""

Value = TypeVar("Value")
ModelKey = tuple[str, str, str]
"""Site, method, and the digest of the pages that it was learnt from; empty if nothing was."""


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """The blocks of a page as the rest of the site sees them; one entry a block."""

    text: Keys
    place: Keys
    look: Keys


@dataclass(slots=True)
class _ReadPage:
    """A page in memory, and what was found out about it."""

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
    """Whether a method knows comments and how sure it is."""
    return isinstance(find_method(method).fit(), JudgesPages)


class Judging:
    """Reads, judges and labels the pages of a workspace. All methods may be called from several threads."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, _ReadPage] = OrderedDict()
        self._weight = 0
        self._models: dict[tuple[str, str], tuple[ModelKey, Model]] = {}
        self._trees: OrderedDict[tuple[ModelKey, float], StyleTreeModel] = OrderedDict()
        self._fingerprints: dict[str, Fingerprint] = {}

    # Pages.

    def blocks(self, page: PageRecord) -> Blocks:
        """The blocks of a page."""
        return self._read(page).blocks

    def _read(self, page: PageRecord) -> _ReadPage:
        with self._lock:
            if page.id in self._pages:
                self._pages.move_to_end(page.id)
                return self._pages[page.id]
        read = _ReadPage(segment(read_page(self._workspace.raw(page))))
        with self._lock:
            if page.id not in self._pages:
                self._pages[page.id] = read
                self._weight += read.weight
            while self._weight > _MOST_BYTES and len(self._pages) > 1:
                self._weight -= self._pages.popitem(last=False)[1].weight
        return read

    def fingerprint(self, page: PageRecord) -> Fingerprint:
        """Texts, places and looks of a page. They are small, and kept as long as the page is."""
        found = self._fingerprints.get(page.id)
        if found is None:
            blocks = self.blocks(page)
            texts = keys_of([text.lower() for text in blocks.texts])
            found = Fingerprint(texts, places_of_blocks(blocks), signatures_of_blocks(blocks))
            self._fingerprints[page.id] = found
        return found

    def forget(self) -> None:
        """Let go of pages that are no longer in the workspace."""
        there = self._workspace.state.pages
        with self._lock:
            for identifier in [identifier for identifier in self._pages if identifier not in there]:
                self._weight -= self._pages.pop(identifier).weight
            for identifier in [identifier for identifier in list(self._fingerprints) if identifier not in there]:
                del self._fingerprints[identifier]

    # Models.

    def model(self, site: SiteRecord, method: str) -> tuple[ModelKey, Model]:
        """What a method has learnt of the site, or the method with nothing learnt."""
        learnt = site.model_of(method)
        key = (site.id, method, learnt.made_from) if learnt else ("", method, "")
        cached = self._models.get((key[0], method))
        if cached is None or cached[0] != key:
            cached = key, self._load(site, method) if learnt else find_method(method).fit()
            self._models[key[0], method] = cached
        return cached

    def _load(self, site: SiteRecord, method: str) -> Model:
        try:
            return load_model(self._workspace.model_path(site.id, method))
        except ModelError:
            # The file is gone or damaged: clean without, until the site is learnt again.
            return find_method(method).fit()

    def remember(self, key: ModelKey, model: Model) -> None:
        """A model that has just been learnt need not be read from its file."""
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
        """The blocks of a page as the settings have them, and with what people said."""
        return self._labelled(self._read(page), page, site, settings)

    def labelled_anew(self, raw: RawPage, page: PageRecord, site: SiteRecord, settings: Settings) -> LabelledBlocks:
        """The same from the bytes of the page, as if nothing were kept: for whoever asks how long that takes."""
        return self._labelled(_ReadPage(segment(read_page(raw))), page, site, settings)

    def _labelled(self, read: _ReadPage, page: PageRecord, site: SiteRecord, settings: Settings) -> LabelledBlocks:
        labelled = self._decided(read, self.model(site, settings.method), settings)
        said = self.said(page, site.corrections)
        return labelled if said is None else correct(labelled, said)

    def _decided(self, read: _ReadPage, keyed: tuple[ModelKey, Model], settings: Settings) -> LabelledBlocks:
        key, model = keyed
        if isinstance(model, StyleTreeModel):
            return decide(self._judged_by_tree(read, key, model, settings.threshold), settings.decision)
        judged = _kept_in(read.judged, key, lambda: judge_blocks(read.blocks, model))
        return decide(judged, settings.decision, settings.threshold)

    def _judged_by_tree(
        self, read: _ReadPage, key: ModelKey, model: StyleTreeModel, threshold: float | None
    ) -> JudgedBlocks:
        """Its scores depend on the threshold (regions do), places do not."""
        placed = _kept_in(read.placed, key, lambda: model.position_blocks(read.blocks))
        if threshold is None:
            return _kept_in(
                read.judged,
                key,
                lambda: JudgedBlocks(read.blocks, model, model.score_positioned(placed), model.threshold),
            )
        asked = self._with_threshold(key, model, threshold)
        return JudgedBlocks(read.blocks, asked, asked.score_positioned(placed), asked.threshold)

    def reasons(self, page: PageRecord, site: SiteRecord, labelled: LabelledBlocks) -> Reasons:
        """Why the blocks are kept or dropped. Dear to find, so kept; those of a tree depend on the threshold."""
        if isinstance(labelled.model, StyleTreeModel):
            return labelled.reasons
        key, _ = self.model(site, labelled.model.method)
        found = _kept_in(self._read(page).reasons, key, lambda: labelled.model.explain_blocks(labelled.blocks))
        return labelled.with_moves(found)

    def said(self, page: PageRecord, corrections: tuple[Correction, ...]) -> NDArray[np.int8] | None:
        """int8, one entry a block: 1 keep, -1 drop, 0 nothing said; None if nothing was said of the site at all."""
        if not corrections:
            return None
        fingerprint = self.fingerprint(page)
        said = np.zeros(len(fingerprint.text), dtype=np.int8)
        # Later ones win, and places win over looks.
        for scope, keys in (("look", fingerprint.look), ("place", fingerprint.place)):
            for correction in corrections:
                if correction.scope == scope:
                    said[keys == np.uint64(int(correction.key, 16))] = 1 if correction.keep else -1
        return said

    def importance(self, page: PageRecord, key: ModelKey, tree: StyleTreeModel) -> tuple[Keys, NDArray[np.float64]]:
        """(place in the tree or 0, importance or NaN) of each block."""
        read = self._read(page)
        return tree.importance_of(_kept_in(read.placed, key, lambda: tree.position_blocks(read.blocks)))


def _kept_in(table: dict[ModelKey, Value], key: ModelKey, find: Callable[[], Value]) -> Value:
    found = table.get(key)
    if found is None:
        # One model a method: those learnt before are not asked again.
        for other in [other for other in list(table) if other[:2] == key[:2]]:
            table.pop(other, None)
        found = table[key] = find()
    return found
