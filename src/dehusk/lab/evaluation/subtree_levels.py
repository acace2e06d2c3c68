"""The three levels of Qi & Sun (table 1), with the thresholds that their text leaves open.

A: nothing lost and all noise gone. B: nothing lost, most noise gone. C: the rest. On words: nothing is lost when at
least `NOTHING_LOST` of the gold words on the page are kept; noise is what is on the page beyond gold, and kept noise is
what is kept beyond gold.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Final

NOTHING_LOST: Final = 0.95
"""Gold texts differ from what a page shows by a few words (dates, captions), so a person would overlook these."""
ALL_NOISE_GONE: Final = 0.95
MOST_NOISE_GONE: Final = 0.5


class Level(StrEnum):
    """How clean a page came out."""

    A = "A"
    B = "B"
    C = "C"


def level_of(kept: Counter[str], gold: Counter[str], page: Counter[str]) -> Level:
    """The level of one page, from the words that are kept, wanted and there."""
    content = gold & page
    lost = 1 - (kept & content).total() / content.total() if content else float(bool(gold))
    noise = page - gold
    gone = 1 - (kept - gold).total() / noise.total() if noise else 1.0
    if lost > 1 - NOTHING_LOST or gone < MOST_NOISE_GONE:
        return Level.C
    return Level.A if gone >= ALL_NOISE_GONE else Level.B
