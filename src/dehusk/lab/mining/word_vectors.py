"""Words of pages -> a weighted matrix, one row per page, the same weighting for all columns.

The papers cite Salton, whose idf is ln(n / df). scikit-learn's `TfidfTransformer` cannot compute it: it always adds 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import needed

Gram = NDArray[np.float32]
"""float32, n x n: the inner products of all pages."""
Matrix = Any
"""A `scipy.sparse.csr_array` of float64, one row per page, one column per word; Any because scipy has no types."""


class Weighting(StrEnum):
    """How counts (or weights) of words become vectors."""

    TFIDF = "tfidf"
    SMOOTH_TFIDF = "smooth-tfidf"
    TF = "tf"
    COUNTS = "counts"


WEIGHTINGS: Final[Mapping[Weighting, str]] = {
    Weighting.TFIDF: "tf-idf, idf = ln(n / df) over all pages, each page of length 1",
    Weighting.SMOOTH_TFIDF: "tf-idf, idf = ln((1 + n) / (1 + df)) + 1 over all pages, each page of length 1",
    Weighting.TF: "term frequency, each page of length 1",
    Weighting.COUNTS: "term frequency as it is",
}


_IDF: Final[Mapping[Weighting, Callable[[int, NDArray[np.int64]], NDArray[np.float64]]]] = {
    # Salton's: a word that is on all pages weighs nothing.
    Weighting.TFIDF: lambda pages, pages_with: np.log(pages / np.maximum(pages_with, 1)),
    # scikit-learn's: a word that is on all pages still weighs as much as its frequency.
    Weighting.SMOOTH_TFIDF: lambda pages, pages_with: np.log((1 + pages) / (1 + pages_with)) + 1,
}
"""(number of pages, pages with each word) -> the idf of each word."""


def needed_for_mining(package: str) -> AbstractContextManager[None]:
    """Says where to get a package that only these experiments need, if its import fails."""
    return needed(package, "for mining experiments", "eval")


class CountedWords:
    """The words of pages as numbers, in a tenth of the memory of dictionaries. Grows one page at a time."""

    def __init__(self, vocabulary: dict[str, int] | None = None) -> None:
        self._number_of: dict[str, int] = {} if vocabulary is None else vocabulary
        """Shared between the columns of an experiment."""
        self._lengths = array("l")
        self._words = array("l")
        self._weights = array("d")

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, page: Mapping[str, float]) -> None:
        """Add a page; words without weight are ignored."""
        # Sorted, so that sums do not depend on the order in which a worker found the words.
        words = sorted(word for word, weight in page.items() if weight > 0)
        number_of = self._number_of
        self._lengths.append(len(words))
        self._words.extend(number_of.setdefault(word, len(number_of)) for word in words)
        self._weights.extend(page[word] for word in words)

    def empty(self) -> int:
        """The number of pages without a word."""
        return self._lengths.count(0)

    def matrix(self) -> Matrix:
        """The weights as they were added."""
        with needed_for_mining("scipy"):
            from scipy.sparse import csr_array
        starts = np.cumsum([0, *self._lengths], dtype=np.int32)
        entries = (np.array(self._weights), np.array(self._words, dtype=np.int32), starts)
        return csr_array(entries, shape=(len(self), max(len(self._number_of), 1)))


def weigh(pages: CountedWords, weighting: Weighting) -> Matrix:
    """The weighted matrix. A page without words has a row of zeros."""
    counts = pages.matrix()
    if weighting is Weighting.COUNTS:
        return counts
    if weighting in _IDF:
        pages_with = np.bincount(counts.indices, minlength=counts.shape[1])
        counts.data *= _IDF[weighting](len(pages), pages_with)[counts.indices]
    return _unit_rows(counts)


def gram(matrix: Matrix) -> Gram:
    """All inner products of pages: all that k-means and linear SVM need, and far fewer than words."""
    return np.asarray((matrix @ matrix.T).toarray(), dtype=np.float32)


def _unit_rows(matrix: Matrix) -> Matrix:
    """Scale each row to length 1; rows of zeros stay."""
    with needed_for_mining("scikit-learn"):
        from sklearn.preprocessing import normalize
    return normalize(matrix, copy=False)
