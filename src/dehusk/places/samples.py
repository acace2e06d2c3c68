"""A short text for a key, to show people what a hash stands for.

Samples add up like counts: of several texts for one key the one whose hash is smallest stays, so the order in which
parts are added does not matter, and nobody chooses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.characters import encodable
from dehusk.places.hashing import Keys, keys_of

SAMPLE_LENGTH: Final = 60
"""Characters of a sample: enough to recognise a part of a page by."""


@dataclass(frozen=True, eq=False)
class Samples:
    """n distinct keys, sorted, with a text each."""

    key: Keys
    rank: Keys
    """uint64: the hash of the text."""
    text: NDArray[np.str_]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Samples):
            return NotImplemented
        return np.array_equal(self.key, other.key) and np.array_equal(self.text, other.text)

    def __hash__(self) -> int:
        return hash((self.key.tobytes(), self.text.tobytes()))


NO_SAMPLES: Final = Samples(
    np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=f"<U{SAMPLE_LENGTH}")
)


def samples(texts: Mapping[int, str]) -> Samples:
    """Samples of some texts, cut to length."""
    # An array of text drops zeros at the end of an entry, so they go at once.
    cut = {key: encodable(text[:SAMPLE_LENGTH]).rstrip("\0") for key, text in sorted(texts.items())}
    keys = np.fromiter(cut, dtype=np.uint64, count=len(cut))
    return Samples(keys, keys_of(list(cut.values())), np.array(list(cut.values()), dtype=NO_SAMPLES.text.dtype))


def add_samples(parts: Sequence[Samples], most: int) -> Samples:
    """One sample a key, of the `most` smallest keys: keys are hashes, so that is a fair choice of them."""
    key = np.concatenate([part.key for part in parts])
    rank = np.concatenate([part.rank for part in parts])
    order = np.lexsort((rank, key))
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = key[order][1:] != key[order][:-1]
    chosen = order[is_first][:most]
    return Samples(key[chosen], rank[chosen], np.concatenate([part.text for part in parts])[chosen])
