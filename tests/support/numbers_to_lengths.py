"""dehusk's transformer for scikit-learn, in a dress in which scikit-learn can check it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from dehusk.integrations.scikit_learn import HtmlToText


class NumbersToLengths(HtmlToText):
    """The transformer between numbers: each row is written as a page, and of its text the length is taken.

    scikit-learn's checks are made for tables of numbers, and leave out whatever takes anything else. In this dress they
    check everything that is not about the input: settings, cloning, pickling, what fit keeps and changes, and that
    pages do not influence each other.
    """

    def fit(self, X: Any, y: Any = None) -> NumbersToLengths:  # noqa: N803
        super().fit(_written(validate_data(self, X)), y)
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        check_is_fitted(self)
        texts = super().transform(_written(validate_data(self, X, reset=False)))
        return np.array([[len(text)] for text in texts], dtype=np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = False, True, False
        tags.no_validation = False
        return tags


def _written(rows: Any) -> list[str]:
    return ["<p>" + " ".join(f"The value was {value:.2g}, they said." for value in row) for row in rows]
