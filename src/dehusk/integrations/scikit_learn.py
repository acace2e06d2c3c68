"""HTML to text as a step of a scikit-learn pipeline.

make_pipeline(HtmlToText(), TfidfVectorizer(), LogisticRegression()).fit(pages, labels)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InvalidSetting, PageError, needed
from dehusk.integrations.page_cleaner import ModelOrFile, PageCleaner, find_model
from dehusk.learning import learn
from dehusk.methods.base import Favour
from dehusk.page.page_reading import read_page

with needed("scikit-learn", "for its transformer", "scikit-learn"):
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted

Texts = NDArray[np.object_]
"""object: the text of each page as a str."""


class HtmlToText(TransformerMixin, BaseEstimator):
    """Transforms pages (str or bytes) to their main content; settings as in `dehusk.clean`.

    `fit` learns nothing, unless `learn_site` is set: then all pages must be from one site, and it learns the template.
    """

    def __init__(
        self,
        *,
        favour: str = Favour.BALANCED.value,
        comments: bool = False,
        format: str = "text",
        model: ModelOrFile = None,
        learn_site: bool = False,
        rules: Collection[str] | None = None,
    ) -> None:
        self.favour = favour
        self.comments = comments
        self.format = format
        self.model = model
        self.learn_site = learn_site
        self.rules = rules

    def fit(self, X: Iterable[str | bytes], y: object = None) -> Self:  # noqa: N803 - its name in scikit-learn
        """Check the settings; learn the site if `learn_site` is set."""
        pages = _pages(X)
        if self.learn_site and self.model is not None:
            raise InvalidSetting("learn_site", "excludes model", "leave out one of the two")
        self.model_ = learn(map(read_page, pages)) if self.learn_site else find_model(self.model)
        self._cleaner()
        return self

    def transform(self, X: Iterable[str | bytes]) -> Texts:  # noqa: N803
        """The main content of each page."""
        check_is_fitted(self)
        cleaner = self._cleaner()
        texts = [cleaner.render(cleaner.clean(page)) for page in _pages(X)]
        return np.array([*texts, None], dtype=object)[:-1]

    def _cleaner(self) -> PageCleaner:
        model = self.model_ if self.learn_site else find_model(self.model)
        return PageCleaner(self.favour, self.comments, self.format, model, self.rules)

    def __sklearn_is_fitted__(self) -> bool:
        return not self.learn_site or hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = self.learn_site
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.target_tags.required = False
        tags.no_validation = True
        return tags


def _pages(given: Iterable[str | bytes]) -> list[str | bytes]:
    """The pages as a list, after checking all of them."""
    if isinstance(given, str | bytes):
        raise InvalidSetting("X", "one page where a sequence of pages is expected", "pass [page]")
    if (dimensions := getattr(given, "ndim", 1)) != 1:
        cause = f"{dimensions} dimensions where a sequence of pages is expected"
        raise InvalidSetting("X", cause, "pass one column, such as frame['html']")
    pages = list(given)
    for number, page in enumerate(pages):
        if not isinstance(page, str | bytes):
            raise PageError(f"page {number} of X", f"{type(page).__name__} is not html", "pass str or bytes")
    return pages
