"""Pages that are read, judged and decided on in one call of the compiled part: what `clean` does, unless more is asked.

The results are those of `read_page`, `segment` and `label_blocks`, one after the other. One call leaves less to do to
Python, and while the compiled part works, other threads can.
"""

from __future__ import annotations

import math
from array import array
from functools import lru_cache
from itertools import accumulate, product
from typing import Final, TypeGuard

from dehusk.blocks.block_columns import Blocks
from dehusk.deciding.decisions import STEPS, Decision, LabelledBlocks, as_decided
from dehusk.deciding.rules import planned
from dehusk.limits import Limits
from dehusk.methods.base import Favour, Model
from dehusk.methods.page_network.page_evidence import PageEvidenceModel, judgement_of
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.native.calls import Lendable, as_given, call
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


def clean_at_once(html: Html, model: PageEvidenceModel, decision: Decision, limits: Limits) -> LabelledBlocks | Page:
    """The labelled blocks of a page; or the page alone, if its scripts store text that it may not show."""
    trained, threshold = model.trained, model.settings.threshold
    calibration = trained.calibration
    of_page = calibration.scale, calibration.offset, math.nan if threshold is None else threshold
    wishes = _wishes(*of_page, decision.favour, decision.comments, tuple(decision.rules))
    parsing = html.utf8, len(html.utf8), *bounds_of(limits)
    judging = trained.network.for_pages(), trained.types.native.pointer
    read = call(lib.dehusk_page_clean, (as_utf8(html.url), *wishes), html.label, *parsing, *judging)
    page = html.page(read)
    found, judged, decided = (read.taken(number, html.label) for number in range(3))
    if found is None or judged is None or decided is None:
        return page
    judgement = judgement_of(judged)
    return as_decided(Blocks(page, found), model, as_given(judgement, "scores"), judgement.page_type, decided, {})


@lru_cache(maxsize=32)  # the few settings that a program uses
def _wishes(
    scale: float, offset: float, threshold: float, favour: Favour, comments: bool, rules: tuple[str, ...]
) -> tuple[Lendable, ...]:
    """Arrays for the compiled part, after the address: see `native/src/cleaning_exchange.rs`."""
    numbers = array("d", [scale, offset, threshold, STEPS[favour], comments, _FORUM])
    with_removal = favour is not Favour.RECALL
    types = product(PAGE_TYPES, (False, True))
    plans = [planned(rules, page_type, is_agreed, with_removal) for page_type, is_agreed in types]
    return numbers, b"".join(plans), array("q", accumulate(map(len, plans)))
