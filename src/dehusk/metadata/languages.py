"""Languages: tags as BCP 47 writes them, and detection where py3langid is installed."""

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
"""RFC 5646, section 2.1, or the first tag of a list. A charset (`en_US.UTF-8`) is no part of it."""
_LONGEST_TAG: Final = 100
"""Characters that are looked at. RFC 5646, section 4.4.1: nobody needs more than 35."""
_READ: Final = 2000
"""Characters that are looked at: detection takes four milliseconds for so many, and more change nothing."""
_MOST_TEXTS: Final = 200
_LEAST: Final = 100
"""Characters below which detection is a guess."""
_SENTENCE: Final = 40
"""Characters from which on a text is a sentence rather than a label; labels are names, in any language."""


def language_tag(text: str) -> str:
    """`en_us`, `EN-us; q=1` and the like as BCP 47, `en-US`; empty if it is no tag, or of no known language."""
    found = _TAG.match(text.strip()[:_LONGEST_TAG].replace("_", "-"))
    language = _language(found["language"].lower(), (found["extended"] or "").lower()) if found else ""
    if not found or not language:
        return ""
    script, region = found["script"], found["region"]
    parts = [language, script and script.title(), region and region.upper()]
    return "-".join(part for part in parts if part)


def _language(code: str, extended: str) -> str:
    """The code that BCP 47 prefers for a language; empty if there is no such language."""
    code = extended if code == "zh" and extended in CHINESE else code
    code = PREFERRED.get(code, code)
    return code if code in TWO_LETTERS or code in THREE_LETTERS else ""


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
