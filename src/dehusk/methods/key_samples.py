"""A sample text for each key, to show people what a hash stands for.

Samples can be added like counts: of several texts for one key the one with the smallest rank, a hash, is kept, so the
order in which parts are added does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.characters import encodable
from dehusk.page.stable_hashing import Keys

MOST_SAMPLES: Final = 10_000
"""Keys with a sample of their text: 2.4 MB in memory."""
SAMPLE_LENGTH: Final = 60
"""Characters of a sample: enough to recognise a part of a page by."""


@dataclass(frozen=True, eq=False)
class Samples:
    """n distinct keys, sorted, with a text each."""

    key: Keys
    rank: Keys
    """uint64: pseudo-random, but always the same for the same text of the same page."""
    text: NDArray[np.str_]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Samples):
            return NotImplemented
        return all(np.array_equal(*pair) for pair in zip(self._columns, other._columns, strict=True))

    def __hash__(self) -> int:
        return hash((self.key.tobytes(), self.text.tobytes()))

    def texts_of(self, keys: Keys) -> list[str]:
        """The text for each key, with single spaces; empty where there is none."""
        texts = {key: " ".join(text.split()) for key, text in zip(self.key.tolist(), self.text.tolist(), strict=True)}
        return [texts.get(key, "") for key in keys.tolist()]

    @property
    def _columns(self) -> tuple[Keys, Keys, NDArray[np.str_]]:
        return self.key, self.rank, self.text


NO_SAMPLES: Final = Samples(
    np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=f"<U{SAMPLE_LENGTH}")
)


def sampled(key: Keys, rank: Keys, texts: Sequence[str]) -> Samples:
    """Samples whose keys are distinct and sorted, and whose texts are cut, by the compiled part."""
    return Samples(key, rank, np.array(texts, dtype=NO_SAMPLES.text.dtype))


def samples(key: Keys, rank: Keys, texts: Sequence[str]) -> Samples:
    """Samples of some texts, cut to length. Of equal keys the first counts."""
    # An array of text drops zeros at the end of an entry, so they go at once.
    cut = [text[:SAMPLE_LENGTH].rstrip("\0") for text in texts]
    if encodable(together := "".join(cut)) != together:
        cut = list(map(encodable, cut))
    distinct, first = np.unique(key, return_index=True)
    return Samples(distinct, rank[first], np.array(cut, dtype=NO_SAMPLES.text.dtype)[first])


def add_samples(parts: Sequence[Samples], most: int) -> Samples:
    """One sample per key, for the `most` smallest keys: keys are hashes, so that is an unbiased choice."""
    key = np.concatenate([part.key for part in parts])
    rank = np.concatenate([part.rank for part in parts])
    text = np.concatenate([part.text for part in parts])
    order = np.lexsort((rank, key))
    is_first = _differs(key[order])
    if (~is_first & ~_differs(rank[order]) & _differs(text[order])).any():
        # Pages that differ only in case or punctuation share a rank. Sorting by text is expensive, but rarely needed.
        order = np.lexsort((text, rank, key))
    chosen = order[is_first][:most]
    return Samples(key[chosen], rank[chosen], text[chosen])


def samples_as_arrays(table: Samples) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """(keys and ranks, texts) for a file. Texts are UTF-8 lines: a quarter of the size of a text array."""
    lines = "".join(f"{text}\n" for text in table.text.tolist())
    return np.stack([table.key, table.rank]), np.frombuffer(lines.encode("utf-8", "replace"), dtype=np.uint8)


def samples_from_arrays(keys: NDArray[Any], encoded: NDArray[Any], most: int) -> Samples:
    """The samples in stored arrays; ValueError if they are not valid."""
    if keys.dtype != np.uint64 or encoded.dtype != np.uint8 or keys.ndim != 2 or len(keys) != 2 or encoded.ndim != 1:
        raise ValueError("samples have the wrong type")
    texts = encoded.tobytes().decode("utf-8").split("\n")[:-1]
    if len(texts) != len(keys[0]) or len(texts) > most or any(len(text) > SAMPLE_LENGTH for text in texts):
        raise ValueError("samples have the wrong shape")
    return samples(keys[0], keys[1], texts)


def _differs(values: NDArray[np.generic]) -> NDArray[np.bool_]:
    """bool: whether each value differs from the one before; true for the first."""
    differs = np.ones(len(values), dtype=bool)
    differs[1:] = values[1:] != values[:-1]
    return differs
