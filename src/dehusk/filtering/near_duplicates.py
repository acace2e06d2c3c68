"""Near-duplicates within one run: an index of the signatures seen so far. Batches compare files instead: see
`batch.comparing_pages`."""

from __future__ import annotations

from dehusk.filtering.page_filters import SIMILARITY
from dehusk.filtering.text_signatures import SIGNATURE_BYTES, as_array, band_keys, band_rows, similarities


class SeenTexts:
    """Remembers texts by their signatures: some 3 kB for each that is not a duplicate."""

    def __init__(self, similarity: float = SIMILARITY) -> None:
        self._similarity, self._rows = similarity, band_rows(similarity)
        self._signatures = bytearray()
        self._first_with: dict[int, int] = {}
        """Key of a band -> the first text with it."""

    def is_repeated(self, signature: bytes) -> bool:
        """Whether a text is nearly the same as an earlier one; if not, it is remembered."""
        if not signature:
            return False
        own = as_array(signature)
        keys = band_keys(own, self._rows)[0].tolist()
        if self._is_near(signature, {self._first_with[key] for key in keys if key in self._first_with}):
            return True
        number = len(self._signatures) // SIGNATURE_BYTES
        self._signatures += signature
        for key in keys:
            self._first_with.setdefault(key, number)
        return False

    def _is_near(self, signature: bytes, candidates: set[int]) -> bool:
        starts = (number * SIGNATURE_BYTES for number in candidates)
        others = b"".join(self._signatures[start : start + SIGNATURE_BYTES] for start in starts)
        return bool((similarities(as_array(signature)[0], as_array(others)) >= self._similarity).any())
