"""A model without opinions, for tests of what happens after a method has chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from document_building import build_document
from document_nodes import Document

import dehusk
from dehusk.methods.base import Reasons, Scores
from dehusk.outputs.document.output_options import OutputOptions

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


def clean_visible(html: str | bytes, *, drop: str = "", doubt: str = "", url: str = PAGE_URL) -> dehusk.CleanedPage:
    """Clean a page with the model that keeps what is visible."""
    model = KeepVisible(drop=frozenset({drop} - {""}), doubt=frozenset({doubt} - {""}))
    return dehusk.clean(html, model, url=url)


def document_of(html: str, options: OutputOptions | None = None, *, drop: str = "") -> Document:
    """What the formats are written from."""
    return build_document(clean_visible(html, drop=drop).labelled, options or OutputOptions())


class Clean(Protocol):
    def __call__(self, html: str | bytes, *, drop: str = "", doubt: str = "", url: str = ...) -> dehusk.CleanedPage: ...


class Render(Protocol):
    def __call__(
        self, html: str | bytes, options: Any = None, *, drop: str = "", doubt: str = "", url: str = ...
    ) -> str: ...
