"""Gold whose parts stand in another order than on the page: what was not found in order is sought again.

`aligning` finds gold in the order of the page. Where gold puts the facts of a product before its description, one of
the two is lost. Here the words that were not found are aligned again with the pieces that are not in gold yet, round
after round. What is found so late must be found well: a menu has most words of any text in some order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.gold.gold_alignment import LEAST_CONTENT_SHARE
from dehusk.lab.gold.word_matching import Numbers, match_words, number_words
from dehusk.page.characters import words_of, words_of_each

_FEWEST_WORDS: Final = 5
"""Shorter pieces are found anywhere by chance."""
_LEAST_SHARE: Final = 0.8
"""Share of its words that a piece must have in what is left of the gold."""
_MOST_ROUNDS: Final = 6
_LITTLE_LEFT: Final = 0.03
"""Share of the gold that is not worth another round."""


def shares_in_any_order(pieces: Sequence[str], gold: str) -> tuple[NDArray[np.float32], float]:
    """float32, one entry a piece: the share of its words that are in gold. And the share of the gold that was found."""
    words, lengths = words_of_each(pieces)
    numbers, gold_numbers = number_words(words, words_of(gold))
    length = np.array(lengths, np.int64)
    shares = np.zeros(len(pieces), dtype=np.float32)
    seeking, left = length > 0, np.ones(len(gold_numbers), dtype=bool)
    for number in range(_MOST_ROUNDS):
        least = _LEAST_SHARE if number else LEAST_CONTENT_SHARE
        found, matched = _one_round(numbers, np.repeat(np.arange(len(pieces)), length), gold_numbers, seeking, left)
        of_round = (found / np.maximum(length, 1)).astype(np.float32)
        is_found = (of_round >= least) & (found > 0)
        shares = np.where(is_found | (number == 0), np.maximum(shares, of_round), shares)
        left[matched[1][is_found[matched[0]]]] = False
        seeking = ~is_found & seeking & (length >= _FEWEST_WORDS)
        if not is_found.any() or not seeking.any() or left.mean() <= _LITTLE_LEFT:
            break
    return shares, float(1 - left.mean()) if len(left) else 0.0


def _one_round(
    words: Numbers, piece: Numbers, gold: Numbers, seeking: NDArray[np.bool_], left: NDArray[np.bool_]
) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """How many words of each piece were found, and for each found word its piece and its place in the gold."""
    taken = seeking[piece]
    match = match_words(words[taken], gold[left])
    of_piece = piece[taken][match >= 0]
    return np.bincount(of_piece, minlength=len(seeking)), (of_piece, np.flatnonzero(left)[match[match >= 0]])
