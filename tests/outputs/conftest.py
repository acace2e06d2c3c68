"""A model without opinions: what the outputs make of blocks must not depend on how a method chooses them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pytest

import dehusk
from dehusk.methods.base import Reasons, Scores

PAGE_URL = "https://site.example/news/today.html"


@dataclass(frozen=True)
class KeepVisible:
    """Keeps whatever a browser shows, apart from the texts in `drop`, and besides it those in `doubt` (NaN)."""

    method: str = "keep-visible"
    threshold: float = 0.5
    drop: frozenset[str] = field(default=frozenset())
    doubt: frozenset[str] = field(default=frozenset())

    def score_blocks(self, blocks: dehusk.Blocks) -> Scores:
        scores = (~blocks.hidden).astype(np.float32)
        for index, text in enumerate(blocks.texts):
            if text in self.drop:
                scores[index] = 0
            elif text in self.doubt:
                scores[index] = np.nan
        return scores

    def explain_blocks(self, blocks: dehusk.Blocks) -> Reasons:
        return tuple(("hidden",) if hidden else ("shown",) for hidden in blocks.hidden.tolist())


class Clean(Protocol):
    def __call__(self, html: str | bytes, *, drop: str = "", doubt: str = "", url: str = ...) -> dehusk.CleanedPage: ...


class Render(Protocol):
    def __call__(
        self, html: str | bytes, options: Any = None, *, drop: str = "", doubt: str = "", url: str = ...
    ) -> str: ...


def _clean(html: str | bytes, *, drop: str = "", doubt: str = "", url: str = PAGE_URL) -> dehusk.CleanedPage:
    model = KeepVisible(drop=frozenset({drop} - {""}), doubt=frozenset({doubt} - {""}))
    return dehusk.clean(html, model, url=url)


def _renderer(format_name: str) -> Render:
    def render(html: str | bytes, options: Any = None, **how: str) -> str:
        return _clean(html, **how).render(format_name, options)

    return render


# For the whole session, so that hypothesis may use them: they hold no state.
@pytest.fixture(scope="session")
def clean() -> Clean:
    """Clean a page with the model that keeps what is visible."""
    return _clean


@pytest.fixture(scope="session")
def text() -> Render:
    return _renderer("text")


@pytest.fixture(scope="session")
def markdown() -> Render:
    return _renderer("markdown")


@pytest.fixture(scope="session")
def html_output() -> Render:
    return _renderer("html")


@pytest.fixture(scope="session")
def json_output() -> Render:
    return _renderer("json")
