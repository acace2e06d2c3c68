"""Pages that are read, judged and decided on in one call of the compiled part: what `clean` does, unless more is asked.

The results are those of `read_page`, `segment` and `label_blocks`, one after the other. One call leaves less to do to
Python, and while the compiled part works, other threads can.
"""

from __future__ import annotations

import math
from array import array
from functools import lru_cache
from itertools import accumulate, product
from typing import Any, Final, TypeGuard

from dehusk.blocks.block_columns import Blocks
from dehusk.deciding.decisions import STEPS, Decision, LabelledBlocks, as_decided
from dehusk.deciding.rules import planned
from dehusk.errors import enough_memory
from dehusk.limits import Limits
from dehusk.methods.base import Favour, Model
from dehusk.methods.page_network.page_evidence import PageEvidenceModel, judgement_of
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.native.calls import Deferred, LentArrays, Outcome, Part, as_given
from dehusk.native.library import lib
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import Html, bounds_of

_FORUM: Final = PAGE_TYPES.index("forum")


def needs_one_call(model: Model, decision: Decision) -> TypeGuard[PageEvidenceModel]:
    """Whether pages can be cleaned at once: neither the site, corrections nor the user's selectors count."""
    if decision.keep or decision.drop or getattr(model, "corrections", None):
        return False
    return isinstance(model, PageEvidenceModel) and model.judges_alone


class CleanedAtOnce(Deferred[LabelledBlocks]):
    """A page that the compiled part has cleaned. Its text needs no more; who needs the blocks has them labelled."""

    def __init__(self, page: Page, native: Outcome, model: PageEvidenceModel) -> None:
        self.page = page
        self.native = native
        """Its parts are the blocks, what was judged, and what was decided."""
        self.model = model

    def make(self) -> LabelledBlocks:
        """The labelled blocks."""
        with enough_memory(self.page.label):
            found, judged, decided = (Part(self.native, number) for number in range(3))
            judgement = judgement_of(judged)
            about = Blocks(self.page, found), self.model, as_given(judgement, "scores"), judgement.page_type
            return as_decided(*about, decided, {})


def clean_at_once(html: Html, model: PageEvidenceModel, decision: Decision, limits: Limits) -> CleanedAtOnce | Page:
    """A page, cleaned; or the page alone, if its scripts store text that it may not show."""
    address = as_utf8(html.url)
    parsing = *html.lent, *bounds_of(limits), address, len(address)
    read = Outcome(lib.dehusk_page_clean(*parsing, *_deciding(model, decision)), html.label)
    page = html.page(read)
    return CleanedAtOnce(page, read, model) if read.summary.parts else page


def clean_page_at_once(page: Page, model: PageEvidenceModel, decision: Decision) -> CleanedAtOnce:
    """The same for a page that was read."""
    address = as_utf8(page.url)
    about = page.native.pointer, address, len(address)
    cleaned = Outcome(lib.dehusk_page_clean_read(*about, *_deciding(model, decision)), page.label)
    return CleanedAtOnce(page, cleaned, model)


def _deciding(model: PageEvidenceModel, decision: Decision) -> tuple[Any, ...]:
    """What pages are judged with, and the user's wishes."""
    trained, threshold = model.trained, model.settings.threshold
    calibration = trained.calibration
    of_page = calibration.scale, calibration.offset, math.nan if threshold is None else threshold
    wishes = _wishes(*of_page, decision.favour, decision.comments, tuple(decision.rules))
    return trained.network.for_pages(), trained.types.native.pointer, *wishes.arguments


@lru_cache(maxsize=32)  # the few settings that a program uses
def _wishes(
    scale: float, offset: float, threshold: float, favour: Favour, comments: bool, rules: tuple[str, ...]
) -> LentArrays:
    """Arrays for the compiled part: see `native/src/cleaning_exchange.rs`."""
    numbers = array("d", [scale, offset, threshold, STEPS[favour], comments, _FORUM])
    with_removal = favour is not Favour.RECALL
    types = product(PAGE_TYPES, (False, True))
    plans = [planned(rules, page_type, is_agreed, with_removal) for page_type, is_agreed in types]
    return LentArrays((numbers, b"".join(plans), array("q", accumulate(map(len, plans)))))
