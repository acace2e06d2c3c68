"""MinHash signatures of texts, for near-duplicates among any number of pages.

Broder (1997): two sets of word shingles have the same minimum under a random permutation with a probability that is
their Jaccard similarity. A signature has the minima of `HASHES` permutations, so the share of equal entries estimates
the similarity (standard deviation at 0.8: 0.036). Entries are cut into bands; pages that agree in a whole band are
compared, so that nearly all pairs above the similarity are found and few others are looked at (Leskovec, Rajaraman &
Ullman, *Mining of Massive Datasets*, section 3.4).

datasketch makes the same signatures, and takes nearly three times as long (`benchmarks/duplicates.py`). Here a
signature is plain bytes, which files and other processes can hold, and needs nothing but numpy.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.page.stable_hashing import Keys, combine
from dehusk.sites.duplicates import shingles_of

HASHES: Final = 120
"""Entries of a signature. 120 has many divisors, so bands of many sizes; more would cost time and find little."""
SIGNATURE_BYTES: Final = 4 * HASHES
_WORDS: Final = 5
"""Words of a shingle, as in datatrove and in GPT-3's deduplication: fewer come again in other texts."""
_MOST_SHINGLES: Final = 20_000
"""Shingles of a text that count: those with the smallest keys, which are a random sample. Bounds time on huge pages."""
_TOGETHER: Final = 2000
"""Shingles hashed at a time: two megabytes, which fit into a processor's cache."""
_FOUND: Final = 0.99
"""Least probability that two texts of just the similarity asked for agree in a band."""

Signature = NDArray[np.uint32]


def signature_of(text: str) -> bytes:
    """The signature of a text, `SIGNATURE_BYTES` long; empty for a text without words, which is like no other."""
    shingles = shingles_of(text, _WORDS, _MOST_SHINGLES)
    if not len(shingles):
        return b""
    factors, terms = _permutations()
    least = np.full(HASHES, 2**32 - 1, dtype=np.uint32)
    for start in range(0, len(shingles), _TOGETHER):
        # Two hashes of 32 bits each; folded twice, as low bits of a product know nothing of the high bits of a key.
        hashed = (shingles[start : start + _TOGETHER, None] ^ terms) * factors
        hashed ^= hashed >> np.uint64(32)
        hashed *= factors
        hashed ^= hashed >> np.uint64(29)
        np.minimum(least, hashed.view("<u4").min(axis=0), out=least)
    return least.astype("<u4").tobytes()


def as_array(signatures: bytes) -> Signature:
    """uint32, n x HASHES: signatures that follow each other."""
    return np.frombuffer(signatures, dtype="<u4").reshape(-1, HASHES)


def similarities(one: Signature, others: Signature) -> NDArray[np.float64]:
    """float64, n: the estimated similarity of a signature to others, or row by row."""
    return np.asarray((others == one).mean(axis=-1))


def band_rows(similarity: float) -> int:
    """Entries per band: as many as still find nearly every pair of that similarity."""
    sizes = [rows for rows in range(1, HASHES + 1) if HASHES % rows == 0]
    return max((rows for rows in sizes if _found(similarity, rows) >= _FOUND), default=1)


def _found(similarity: float, rows: int) -> float:
    return 1 - (1 - similarity**rows) ** (HASHES // rows)


def band_keys(signatures: Signature, rows: int) -> Keys:
    """uint64, n x bands: a key of each band of each signature; bands at different positions have different keys."""
    bands = signatures.reshape(len(signatures), -1, rows).astype(np.uint64)
    keys = np.broadcast_to(np.arange(bands.shape[1], dtype=np.uint64), bands.shape[:2])
    for entry in range(rows):
        keys = combine(keys, bands[:, :, entry])
    return keys


@cache
def _permutations() -> tuple[Keys, Keys]:
    """uint64, HASHES / 2 each: odd factors and terms."""
    chance = Random(0)
    factors = [chance.getrandbits(64) | 1 for _ in range(HASHES // 2)]
    terms = [chance.getrandbits(64) for _ in range(HASHES // 2)]
    return np.array(factors, dtype="<u8"), np.array(terms, dtype="<u8")
