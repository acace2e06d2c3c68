"""Languages: tags as BCP 47 writes them, and detection where py3langid is installed."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?(?![a-z\d])", re.IGNORECASE
)
_NO_LANGUAGE: Final = frozenset("und mul zxx mis xx".split())
_READ: Final = 2000
"""Characters that are looked at: detection takes four milliseconds for so many, and more change nothing."""
_MOST_TEXTS: Final = 200
_LEAST: Final = 100
"""Characters below which detection is a guess."""
_SENTENCE: Final = 40
"""Characters from which on a text is a sentence rather than a label; labels are names, in any language."""


def language_tag(text: str) -> str:
    """`en_us`, `EN-us; q=1` and the like as BCP 47, `en-US`; empty if it is no tag."""
    found = _TAG.match(text.strip().replace("_", "-"))
    if not found or found["language"].lower() in _NO_LANGUAGE:
        return ""
    script, region = found["script"], found["region"]
    parts = [found["language"].lower(), script and script.title(), region and region.upper()]
    return "-".join(part for part in parts if part)


def detected_language(page: Page) -> str:
    """The language of what shows, if py3langid is installed and there is enough of it."""
    text = _running_text(page)
    if len(text) < _LEAST:
        return ""
    try:
        import py3langid
    except ImportError:
        return ""
    language, _ = py3langid.classify(text)
    return language_tag(str(language))


def _running_text(page: Page) -> str:
    shown = page.is_text & ~page.hidden
    sentences = np.flatnonzero(shown & (page.text_length >= _SENTENCE))
    has_sentences = int(page.text_length[sentences].sum()) >= _LEAST
    rows = sentences if has_sentences else np.flatnonzero(shown & (page.text_length > 0))
    texts = (" ".join(text[:_READ].split()) for text in page.texts(rows[:_MOST_TEXTS]))
    return encodable(" ".join(texts)[:_READ])
