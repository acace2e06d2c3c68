"""Languages: normalised BCP 47 tags, and detection with py3langid if installed."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.metadata.language_codes import CHINESE, PREFERRED, THREE_LETTERS, TWO_LETTERS
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<extended>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?:-[a-z\d]{1,8})*(?:$|[\s,;.@|/])",
    re.IGNORECASE | re.ASCII,
)
"""RFC 5646, section 2.1, or the first tag of a list, without a charset (`en_US.UTF-8`)."""
_LONGEST_TAG: Final = 100
"""Characters that are read. RFC 5646, section 4.4.1: 35 are enough."""
_READ: Final = 2000
"""Characters used for detection: takes four milliseconds, and more do not change the result."""
_MOST_TEXTS: Final = 200
_LEAST: Final = 100
"""Characters below which detection is a guess."""
_SENTENCE: Final = 40
"""Characters from which a text counts as a sentence; shorter ones are labels and names, in any language."""


def language_tag(text: str) -> str:
    """Normalise `en_us`, `EN-us; q=1` and the like to BCP 47, `en-US`; empty if it is no tag of a known language."""
    found = _TAG.match(text.strip()[:_LONGEST_TAG].replace("_", "-"))
    language = _language(found["language"].lower(), (found["extended"] or "").lower()) if found else ""
    if not found or not language:
        return ""
    script, region = found["script"], found["region"]
    parts = [language, script and script.title(), region and region.upper()]
    return "-".join(part for part in parts if part)


def _language(code: str, extended: str) -> str:
    """The preferred BCP 47 code of a language; empty if there is no such language."""
    code = extended if code == "zh" and extended in CHINESE else code
    code = PREFERRED.get(code, code)
    return code if code in TWO_LETTERS or code in THREE_LETTERS else ""


def detected_language(page: Page) -> str:
    """The language of the visible text, if py3langid is installed and there is enough text."""
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
