"""What the papers report, to stand beside our figures where a table is the same in kind.

Their pages are others: five categories of products on five shops and magazines of 2003, never published. So the papers'
figures tell how much cleaning helped there, not what should come out here.

* Yi, Liu & Li (2003), "Eliminating Noisy Information in Web Pages for Data Mining": tables 2, 3 and 4.
* Yi & Liu (2003), "Web Page Cleaning for Web Mining through Feature Weighting": text of section 4.2, and table 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dehusk.lab.mining.classification import NAIVE_BAYES, SVM

CLUSTERING: Final[Mapping[str, tuple[float, float, float, float | None, float | None]]] = {
    "none": (0.506, 0.4763, 0.0050, 0.0013, 0.0),
    "pagelet-templates": (0.631, 0.1063, 0.2325, 0.0775, 0.0),
    "style-tree-words": (0.751, 0.0325, 0.7813, 0.2475, 0.1175),
    "structure-weights": (0.756, 0.0463, 0.8438, None, None),
}
"""Column -> mean F, and the shares of runs with F < 0.5, >= 0.7, >= 0.8, >= 0.9."""

CLASSIFICATION: Final[Mapping[tuple[str, str, int], tuple[float, float]]] = {
    ("none", NAIVE_BAYES, 1): (0.918, 0.932),
    ("none", NAIVE_BAYES, 2): (0.763, 0.792),
    ("none", NAIVE_BAYES, 3): (0.596, 0.625),
    ("pagelet-templates", NAIVE_BAYES, 1): (0.965, 0.969),
    ("pagelet-templates", NAIVE_BAYES, 2): (0.918, 0.934),
    ("pagelet-templates", NAIVE_BAYES, 3): (0.831, 0.855),
    ("style-tree-words", NAIVE_BAYES, 1): (0.989, 0.991),
    ("style-tree-words", NAIVE_BAYES, 2): (0.968, 0.974),
    ("style-tree-words", NAIVE_BAYES, 3): (0.944, 0.954),
    ("none", SVM, 2): (0.695, 0.785),
    ("structure-weights", SVM, 2): (0.919, 0.951),
}
"""(column, classifier, configuration) -> mean F and accuracy over all classes."""
