"""Smaller questions to the compiled part, by number: what is asked besides pages, judgements and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from dehusk.native.calls import Lendable, LentArrays, Outcome
from dehusk.native.library import ffi, lib
from dehusk.native.stopping import summary_of


class Question(IntEnum):
    """What can be asked; `native/src/calculation_exchange.rs` has the same numbers, and the arrays of each."""

    PROBABILITIES = 0
    BEST_CUT = 1
    EXPECTED_F1 = 2
    TYPE_WEIGHTS = 3
    LIKELY_TYPES = 4
    TYPE_CLUES = 5
    CANONICAL = 6
    TITLE_REPEATED = 7
    OFFSETS = 8
    DECODED = 9
    TITLE_OF_MARKDOWN = 10
    SINGLES = 11
    BASE_ADDRESS = 12
    BLOCK_KEYS = 13
    PATHS = 14
    WORD_WINDOWS = 15
    SITE_EVIDENCE = 16
    ENCODING_OF_LABEL = 17
    LANGUAGE_SCORES = 20
    SITE_COUNTS = 21
    UNSHOWN_TEXT = 22
    PAGE_ADDRESSES = 23
    PAGE_READINGS = 25
    NEAR_DUPLICATES = 26
    LIKELIEST_LANGUAGE = 27
    SUM_OF_PAGES = 28
    TABLES = 29
    UNPACKED = 30


def ask(question: Question, arrays: Sequence[Lendable] = (), *about: Outcome, subject: str = "scores") -> Outcome:
    """The answer to a question about up to two outcomes; failures name the subject."""
    lent = LentArrays(arrays) if arrays else _NO_ARRAYS
    pointers = [outcome.pointer for outcome in about] + [ffi.NULL] * (2 - len(about))
    size = about[0].summary.fourth if about else lent.size
    return Outcome(summary_of(lib.dehusk_calculate, size, question, *pointers, *lent.arguments), subject)


_NO_ARRAYS: Final = LentArrays(())
