"""Pages that are read, judged and decided on in one call of the compiled part: what `clean` does, unless more is asked.

The results are those of `read_page`, `segment` and `label_blocks`, one after the other. One call leaves less to do to
Python, and while the compiled part works, other threads can.
"""

from __future__ import annotations

import math
from array import array
from functools import lru_cache
from itertools import product
from typing import Final, TypeGuard

from dehusk.blocks.block_columns import Blocks
from dehusk.deciding.decisions import STEPS, Decision, LabelledBlocks, Verdict, as_decided, verdict_on
from dehusk.deciding.rules import planned
from dehusk.errors import enough_memory
from dehusk.limits import Limits
from dehusk.methods.base import Favour, Model
from dehusk.methods.page_network.page_evidence import PageEvidenceModel, judgement_of, page_type_of
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.native.calls import Deferred, Lendable, LentArrays, Outcome, Part, as_given, call_about, joined
from dehusk.native.library import ffi, lib
from dehusk.native.stopping import LONG, summary_of
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import Html, bounds_of

_clean: Final = lib.dehusk_page_clean
_FORUM: Final = PAGE_TYPES.index("forum")
_FOUND, _JUDGED, _DECIDED = range(3)
"""Parts of the outcome: see `native/src/cleaning_exchange.rs`."""


class CleanedAtOnce(Deferred[LabelledBlocks]):
    """A page that the compiled part has cleaned. Its text needs no more; who needs the blocks has them labelled."""

    def __init__(
        self,
        source: Html | Page,
        address: bytes,
        native: Outcome,
        model: PageEvidenceModel,
        blocks: Blocks | None = None,
    ) -> None:
        self.source = source
        """What was cleaned: both kinds have a label."""
        self.address = address
        """The URL as UTF-8."""
        self.native = native
        """Its parts are the blocks, what was judged, and what was decided."""
        self.read = native if isinstance(source, Html) else source.native
        """The page in the compiled part."""
        self.model = model
        self._known_blocks = blocks

    @property
    def page(self) -> Page:
        """The page that was cleaned."""
        if isinstance(self.source, Html):
            self.source = self.source.page(self.native)
        return self.source

    @property
    def page_type(self) -> str:
        """The page type, one of `PAGE_TYPES`."""
        return page_type_of(Part(self.native, _JUDGED))

    @property
    def verdict(self) -> Verdict:
        """What is said of the page as a whole: that of the labelled blocks, which most pages need not have for it."""
        return verdict_on(self.model, self.page_type, Part(self.native, _DECIDED), self.page, self._blocks)

    def make(self) -> LabelledBlocks:
        """The labelled blocks."""
        with enough_memory(self.source.label):
            judgement = judgement_of(Part(self.native, _JUDGED))
            about = self._blocks(), self.model, as_given(judgement, "scores"), judgement.page_type
            return as_decided(*about, Part(self.native, _DECIDED), {})

    def _blocks(self) -> Blocks:
        known = self._known_blocks
        return Blocks(self.page, Part(self.native, _FOUND)) if known is None else known


class CleaningAtOnce:
    """Cleans pages with one call each: neither corrections nor the user's selectors count."""

    def __init__(self, model: PageEvidenceModel, decision: Decision, limits: Limits) -> None:
        self._model = model
        trained, threshold = model.trained, model.settings.threshold
        numbers = trained.calibration.scale, trained.calibration.offset, math.nan if threshold is None else threshold
        bounds = array("q", bounds_of(limits))
        self._lent = LentArrays((*_wishes(decision, *numbers), bounds, *model.site_arrays))
        self._settings = trained.network.for_pages(), trained.types.native.pointer, *self._lent.arguments

    def clean(self, html: Html) -> CleanedAtOnce | Page:
        """A page, cleaned; or the page alone, if its scripts store text that it may not show."""
        url, body = html.url, html.body
        address = url.encode() if url.isascii() else as_utf8(url)
        if html.decoded is None:  # as `read_by`, without another function for pages that need no more
            arguments = body, len(body), 0, address, len(address), *self._settings
            found = Outcome(_clean(*arguments) if len(body) < LONG else summary_of(_clean, len(body), *arguments), html)
            if not found.summary.first:
                html, found = html.with_text().read_by(_clean, address, len(address), *self._settings)
        else:
            html, found = html.read_by(_clean, address, len(address), *self._settings)
        return CleanedAtOnce(html, address, found, self._model) if found.summary.parts else html.page(found)

    def clean_page(self, page: Page) -> CleanedAtOnce:
        """The same for a page that was read."""
        return self._clean_read(page, None)

    def clean_blocks(self, blocks: Blocks) -> CleanedAtOnce:
        """The same for a page whose blocks are known, and perhaps what its site counts of them."""
        return self._clean_read(blocks.page, blocks)

    def _clean_read(self, page: Page, blocks: Blocks | None) -> CleanedAtOnce:
        address = as_utf8(page.url)
        found = measured = ffi.NULL
        if blocks is not None:
            found, known = blocks.native.pointer, self._model.trained.measured(blocks)
            measured = known.pointer if known else ffi.NULL
        about = page.native.pointer, found, measured, address, len(address)
        cleaned = call_about(page.native, lib.dehusk_page_clean_read, page, *about, *self._settings)
        return CleanedAtOnce(page, address, cleaned, self._model, blocks)


def can_clean_at_once(model: Model, decision: Decision) -> TypeGuard[PageEvidenceModel]:
    """Whether one call is enough for a page."""
    if decision.keep or decision.drop or getattr(model, "corrections", None):
        return False
    return isinstance(model, PageEvidenceModel)


@lru_cache(maxsize=32)  # the few that a program has, whatever the number of its sites
def _wishes(decision: Decision, *of_model: float) -> tuple[Lendable, ...]:
    """Arrays for the compiled part, which nothing writes to: see `native/src/cleaning_exchange.rs`."""
    numbers = array("d", [*of_model, STEPS[decision.favour], decision.comments, _FORUM])
    plans = _plans(tuple(decision.rules), decision.favour is not Favour.RECALL)
    return numbers, *joined(plans)


@lru_cache(maxsize=32)  # the few settings that a program uses
def _plans(rules: tuple[str, ...], with_removal: bool) -> list[bytes]:
    """For pages of each type, the rules that may apply if the evidence on the type disagrees, and if it agrees."""
    types = product(PAGE_TYPES, (False, True))
    return [planned(rules, page_type, is_agreed, with_removal) for page_type, is_agreed in types]
